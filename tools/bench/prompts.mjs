/**
 * Measures the rendering and counting of the prompt of an agent's request: 24 tools, 76 kB, in Anthropic's Messages. It
 * goes through the whole gateway as `POST /v1/messages/count_tokens`, in this process: JSON parsed, decoded, rendered
 * by plan `templated`, counted. The gateway estimates the count here; the engine's own counting is not measured.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { agentRequest } from './agent-request.mjs'
import { median } from './statistics.mjs'

const templates = fileURLToPath(new URL('../../test/templates', import.meta.url))

/**
 * The milliseconds for each template of anycall's own tests: `cold`, of tools and a conversation that are new; `next`, of the turns that
 * follow. Templates that refuse such a conversation are left out. `folder` is that of anycall as it was built.
 */
export async function measurePrompts(folder, { conversations, turns }) {
  const { createGateway, createUpstreams, parseConfig } = await import(pathToFileURL(join(folder, 'gateway.mjs')).href)
  const { safeLoadTemplate } = await import(pathToFileURL(join(folder, 'templates.mjs')).href)
  const rows = []
  for (const file of readdirSync(templates).sort()) {
    const loaded = safeLoadTemplate(readFileSync(join(templates, file), 'utf8'), {
      specialTokens: { bos_token: '<s>', eos_token: '</s>' },
    })
    if (loaded.type === 'error') throw new Error(`${file}: ${loaded.message}`)
    const config = parseConfig(
      {
        upstreams: { engine: { type: 'scripted' } },
        models: [{ match: '*', upstream: 'engine', plan: 'templated', template: file }],
      },
      { file: 'bench', env: {} },
    )
    const upstreams = new Map(
      [...createUpstreams(config)].map(([name, engine]) => [name, { ...engine, abilities: { requests: ['prompt'] } }]),
    )
    const gateway = createGateway({ config, upstreams, templates: new Map([[file, loaded.template]]) })
    const times = await measure(gateway, conversations, turns)
    await gateway.close()
    if (times) rows.push({ name: file.replace(/\.jinja$/, ''), ...times })
  }
  return rows
}

async function measure(gateway, conversations, turns) {
  const cold = []
  const next = []
  // The first two conversations warm the engine up: a template is analysed once.
  for (let index = -2; index < conversations; index++) {
    for (let turn = 0; turn < turns; turn++) {
      const body = Buffer.from(JSON.stringify(agentRequest(index, turn)))
      const { status, ms } = await count(gateway, body)
      if (status !== 200) return undefined
      if (index >= 0) (turn === 0 ? cold : next).push(ms)
    }
  }
  return { cold: median(cold), next: median(next) }
}

async function count(gateway, body) {
  const headers = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' }
  const request = {
    method: 'POST',
    path: '/v1/messages/count_tokens',
    header: (name) => headers[name],
    body: (async function* () {
      yield body
    })(),
    onGone: () => () => {},
  }
  const started = performance.now()
  const { status } = await gateway.handle(request)
  return { status, ms: performance.now() - started }
}
