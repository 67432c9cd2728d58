/**
 * A gateway with plan `templated`: the model server replaces an engine that takes whole prompts and grammars. Both are
 * sent in full, as to a real one. Its arguments are the folder of the built anycall and the port of the model server.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { templatedName } from './workloads.mjs'

const [folder, modelPort] = process.argv.slice(2)
const { createGateway, createUpstreams, listen, parseConfig } = await import(
  pathToFileURL(join(folder, 'node.mjs')).href
)
const { safeLoadTemplate } = await import(pathToFileURL(join(folder, 'templates.mjs')).href)

/** A template of anycall's own tests: JSON in markers. */
const source = readFileSync(new URL('../../test/templates/json-in-wide-brackets.jinja', import.meta.url), 'utf8')
const loaded = safeLoadTemplate(source)
if (loaded.type === 'error') throw new Error(loaded.message)

const config = parseConfig(
  {
    upstreams: { model: { type: 'openai-chat', url: `http://127.0.0.1:${modelPort}/v1` } },
    models: [{ match: '*', upstream: 'model', plan: 'templated', template: 'json-in-wide-brackets' }],
  },
  { file: 'bench', env: {} },
)

/** The upstream for prompts: the same wire format, so that only the plan differs from plan `prompted`. */
const upstreams = new Map(
  [...createUpstreams(config)].map(([name, chat]) => [
    name,
    {
      ...chat,
      abilities: { requests: ['prompt'], constraint: 'gbnf' },
      generate: ({ prompt, constraint, model, sampling, maxTokens }, context) => {
        const texts = constraint ? [prompt, constraint.grammar.grammar] : [prompt]
        const parts = texts.map((text) => ({ type: 'text', text }))
        const messages = [{ role: 'user', parts }]
        const limits = maxTokens === undefined ? {} : { maxTokens }
        return chat.generate({ type: 'messages', model: templatedName(model), messages, sampling, ...limits }, context)
      },
    },
  ]),
)

const log = (level, event, fields) => {
  if (level !== 'debug') process.stderr.write(`${JSON.stringify({ level, time: Date.now(), event, ...fields })}\n`)
}
const gateway = createGateway({
  config,
  upstreams,
  templates: new Map([['json-in-wide-brackets', loaded.template]]),
  log,
})
const { port } = await listen(gateway, { host: '127.0.0.1', port: 0 })
process.send({ port })
