// @ts-check
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { projectFolder } from '../clients/build.mjs'
import { checks } from './checks.mjs'

/** The kind of request that each plan makes. */
const planRequests = /** @type {const} */ ([
  ['prompted', 'messages'],
  ['native', 'tools'],
  ['templated', 'prompt'],
])

/**
 * Starts a gateway with an upstream, runs all checks, and prints the results.
 * @param {{ upstream: { type: string, url?: string }, model?: string, template?: string, leaves?: () => number }} target
 * @returns {Promise<number>} how many checks failed
 */
export async function checkUpstream({ upstream: entry, model: wanted, template: templateText, leaves }) {
  /** @type {typeof import('../../../src/gateway/index.ts')} */
  const { createGateway, createUpstreams, parseConfig } = await built('node')
  /** @type {typeof import('../../../src/templates/index.ts')} */
  const { loadTemplate } = await built('templates')
  const report = new Report()
  console.log([entry.type, ...(entry.url ? [`at ${entry.url}`] : []), ...(wanted ? [`with ${wanted}`] : [])].join(' '))

  const context = { signal: new AbortController().signal, requestId: 'e2e', log: () => {} }
  const bare = configOf(entry, [])
  const upstream = createUpstreams(bare).get('e2e')
  if (!upstream) throw new Error('the upstream was not made')

  const models = await report.check('reachable, and lists its models', async () => {
    const list = await upstream.models()
    return { value: list, note: list.map(({ id }) => id).join(', ') }
  })
  if (!models) return report.failed
  const model = wanted ?? models[0]?.id ?? ''
  const template = await report.check('chat template', async () => {
    if (templateText === undefined) {
      const shown = await upstream.template?.(model, context)
      return { value: shown, note: shown ? 'shown by the server' : 'none: plan templated is left out' }
    }
    const loaded = loadTemplate(templateText)
    if (loaded.type === 'error') throw new Error(loaded.message)
    return { value: loaded.template, note: 'given' }
  })

  const plans = planRequests
    .filter(([plan, request]) => upstream.abilities.requests.includes(request) && (plan !== 'templated' || template))
    .map(([plan]) => plan)
  const rules = plans.map((plan) => {
    const isGiven = plan === 'templated' && templateText !== undefined
    return { match: plan, upstream: 'e2e', model, plan, ...(isGiven && { template: 'e2e' }) }
  })
  const config = configOf(entry, rules)
  const notices = /** @type {string[]} */ ([])
  const gateway = createGateway({
    config,
    upstreams: createUpstreams(config),
    ...(template && { templates: new Map([['e2e', template]]) }),
    log: (_, event, fields) => {
      if (event === 'notice') notices.push(String(fields?.code))
    },
  })
  for (const plan of plans) {
    for (const { name, run } of checks) {
      notices.length = 0
      await report.check(`${plan}: ${name}`, async () => {
        const note = await run({ fetch: gateway.fetch, model: plan, ...(leaves && { leaves }) })
        return { value: true, note: [note, ...notices].filter((text) => text !== '').join(', ') }
      })
    }
  }
  await gateway.close()
  await upstream.close?.()
  console.log(`${report.passed} passed, ${report.failed} failed\n`)
  return report.failed

  /**
   * @param {object} one
   * @param {object[]} models
   */
  function configOf(one, models) {
    return parseConfig({ upstreams: { e2e: one }, models }, { file: 'e2e', env: process.env })
  }
}

class Report {
  passed = 0
  failed = 0

  /**
   * Prints a line for the result of `run`; undefined if it fails.
   * @template T
   * @param {string} name
   * @param {() => Promise<{ value: T, note: string }>} run
   * @returns {Promise<T | undefined>}
   */
  async check(name, run) {
    const started = performance.now()
    try {
      const { value, note } = await run()
      this.passed++
      const seconds = ((performance.now() - started) / 1000).toFixed(2)
      console.log(`  ok      ${name} (${seconds} s)${note === '' ? '' : `: ${note}`}`)
      return value
    } catch (error) {
      this.failed++
      console.log(`  FAILED  ${name}: ${error instanceof Error ? error.message : String(error)}`)
      return undefined
    }
  }
}

/** @param {string} entry */
function built(entry) {
  return import(pathToFileURL(join(projectFolder, `dist/${entry}.mjs`)).href)
}
