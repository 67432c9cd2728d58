// @ts-check
import { createGateway, listen } from '../../../dist/node.mjs'
import { loadTemplate } from '../../../dist/templates.mjs'
import { startModelServer } from './model-server.mjs'

export const tools = [
  {
    name: 'get_weather',
    description: 'Returns the weather in a city.',
    input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
]

/** The chat template of the model with raw prompts. */
export const chatml = `{%- if tools %}<|im_start|>system
# Tools
{% for tool in tools %}{{ tool | tojson }}
{% endfor %}<|im_end|>
{% endif %}{%- for m in messages %}<|im_start|>{{ m.role }}
{{ m.content }}{% for call in m.tool_calls or [] %}<tool_call>
{{ {"name": call.function.name, "arguments": call.function.arguments} | tojson }}
</tool_call>{% endfor %}<|im_end|>
{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
{% endif %}`

/**
 * Starts a gateway that keeps records, before a model server that plays replies.
 *
 * @param {{ plays: Readonly<Record<string, import('./model-server.mjs').Play>>, records?: object }} options
 */
export async function startGateway({ plays, records = {} }) {
  const model = await startModelServer(plays)
  const gateway = createGateway({
    upstreams: {
      engine: { type: 'openai-chat', url: model.url },
      raw: { type: 'vllm', url: model.url },
      down: { type: 'openai-chat', url: model.downUrl, retries: 0 },
    },
    models: [
      { match: 'native', upstream: 'engine', plan: 'native' },
      { match: 'templated', upstream: 'raw', plan: 'templated', template: 'chatml' },
      { match: 'careful', upstream: ['down', 'engine'], plan: 'prompted', dialect: 'hermes', corrections: 1 },
      { match: '*', upstream: 'engine', plan: 'prompted', dialect: 'hermes' },
    ],
    templates: new Map([['chatml', loadTemplate(chatml)]]),
    records,
  })
  const server = await listen(gateway, { port: 0 })
  return {
    url: server.url,
    release: model.release,
    /** @param {string | readonly object[]} said @param {object} [more] */
    async ask(said, more = {}) {
      const messages = typeof said === 'string' ? [{ role: 'user', content: said }] : said
      const response = await fetch(`${server.url}/v1/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
        body: JSON.stringify({ model: 'qwen', max_tokens: 900, stream: true, messages, tools, ...more }),
      })
      const id = response.headers.get('request-id') ?? ''
      return { id, status: response.status, text: response.text() }
    },
    async close() {
      await server.close()
      model.close()
    },
  }
}
