// @ts-check
import { createGateway, listen } from '../../../dist/node.mjs'
import { startModelServer } from './model-server.mjs'

export const tools = [
  {
    name: 'get_weather',
    description: 'Returns the weather in a city.',
    input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
]

/**
 * Starts a gateway that keeps records, before a model server that plays replies.
 *
 * @param {{ plays: Readonly<Record<string, import('./model-server.mjs').Play>>, records?: object }} options
 */
export async function startGateway({ plays, records = {} }) {
  const model = await startModelServer(plays)
  const gateway = createGateway({
    upstreams: { engine: { type: 'openai-chat', url: model.url } },
    models: [{ match: '*', upstream: 'engine', plan: 'prompted', dialect: 'hermes' }],
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
