import {
  ConfigError,
  configJsonSchema,
  dialectName,
  type GatewayConfig,
  type ModelRule,
  type OciGenerativeAiConfig,
  planConfigError,
  type UpstreamConfig,
  unreachableRules,
} from '../../gateway/index.ts'
import type { Upstream } from '../../upstreams/index.ts'
import type { Io, Services } from '../io/io.ts'
import { isUrl } from '../io/named-files.ts'
import { configFileOf, readSettings, stdinName } from '../io/settings.ts'
import { modelText } from '../read/model-text.ts'
import { loadRuleTemplates } from '../template/rule-templates.ts'
import { printable } from './banner.ts'
import { localServers } from './discover.ts'
import { modelFileProblems } from './model-files.ts'
import { weakKeys } from './weak-keys.ts'

/**
 * Reads a configuration and the files that it names, and prints what it would serve. `-` names standard input. Throws a ConfigError with
 * all problems of the configuration, or else of those files.
 */
export async function checkConfig(
  named: string | undefined,
  io: Io,
  services: Pick<Services, 'dialects' | 'createUpstreams'>,
): Promise<number> {
  const path = configFileOf(named, io)
  const context = { env: io.env, dialects: services.dialects, ...(path === '-' && { text: await textOf(path, io) }) }
  const config = readSettings(path === undefined ? {} : { config: path }, context)
  const file = path === '-' ? stdinName : path
  const problems = [
    ...modelFileProblems(config),
    ...planProblems(config, services.createUpstreams(config)),
    ...unreachableRules(config.models),
    ...weakKeys(config),
  ]
  if (problems.length > 0) throw new ConfigError(file ?? 'no file', problems)
  await loadRuleTemplates(config.models.map(withoutServer), { flag: undefined, file }, io)
  const title = file === undefined ? 'No configuration file was given. Without one,' : `${file} is valid. With it,`
  io.stdout(`${title} anycall serve would serve:\n\n${describeConfig(config)}`)
  return 0
}

async function textOf(file: string, io: Io): Promise<string> {
  let text = ''
  for await (const piece of modelText(file, io)) text += piece
  return text
}

/** Prints the JSON schema of configurations, for editors. */
export function showConfigSchema(io: Pick<Io, 'stdout'>): number {
  io.stdout(`${JSON.stringify(configJsonSchema(), null, 2)}\n`)
  return 0
}

function planProblems({ models }: GatewayConfig, upstreams: ReadonlyMap<string, Upstream>): ConfigError['problems'] {
  return models.flatMap((rule, index) => {
    const message = planConfigError(rule, upstreams)
    return message === undefined ? [] : [{ path: ['models', index, 'plan'], message }]
  })
}

/** Removes templates that a server provides: it may be down now and up when the gateway starts. */
function withoutServer({ template, ...rule }: ModelRule): ModelRule {
  return template === undefined || isUrl(template) ? rule : { ...rule, template }
}

/** Describes a configuration for a person. Keys and headers appear only as counts. */
function describeConfig(config: GatewayConfig): string {
  const { limits } = config
  const upstreams = Object.entries(config.upstreams)
  const rows: [string, readonly string[]][] = [
    ['listen', [`${config.listen.host}:${config.listen.port}, ${keys(config)}`, ...pages(config)]],
    ['upstreams', upstreams.length > 0 ? upstreams.map(describeUpstream) : [foundAtStart]],
    ['models', config.models.length > 0 ? config.models.map(describeRule) : [asListed]],
    [
      'limits',
      [
        `bodies of ${limits.bodyMegabytes} MB and ${limits.bodyValues} values, ${limits.bodiesMegabytes} MB of them at once`,
        `${limits.toolCount} tools, schemas ${limits.schemaDepth} deep`,
        `${limits.concurrentRequests} requests at once, ${limits.requestSeconds} s each, ${limits.startSeconds} s to the first byte`,
        `${limits.attempts} requests to upstreams for one request`,
      ],
    ],
    ['secret', [config.secret === undefined ? 'random at each start' : 'set']],
    ['log', [config.log.level]],
  ]
  return rows
    .flatMap(([title, lines]) =>
      lines.map((line, index) => `${(index === 0 ? title : '').padEnd(11)}${printable(line)}\n`),
    )
    .join('')
}

const foundAtStart = `the first of ${localServers.map(({ name }) => name).join(', ')} that has models, else the scripted model`
const asListed = 'names that an upstream lists as they are, every other name to the first model of the first upstream'

function keys(config: GatewayConfig): string {
  if (config.keys === 'pass-through') return "the client's key is passed to the upstream"
  if (config.keys.length === 0) return 'no key asked for'
  const names = config.keys.flatMap((one) => (typeof one === 'string' ? [] : one.name))
  const named = names.length === 0 ? '' : ` (${names.slice(0, 20).join(', ')}${names.length > 20 ? ', …' : ''})`
  return `${config.keys.length} key${config.keys.length === 1 ? '' : 's'}${named}`
}

function pages({ cors }: GatewayConfig): string[] {
  if (cors.length === 0) return []
  return [cors.includes('*') ? 'any web page may use it' : `web pages from ${cors.join(', ')} may use it`]
}

function describeUpstream([name, upstream]: [string, UpstreamConfig]): string {
  if (upstream.type === 'scripted') return `${name}: the scripted model, which is not a language model`
  if (upstream.type === 'own') return `${name}: an upstream of the program's own`
  if (upstream.type === 'gguf') return `${name}: the model file ${upstream.file}, run in this process`
  const { timeouts } = upstream
  return [
    ...(upstream.type === 'oci-generative-ai' ? describeOci(name, upstream) : describeServer(name, upstream)),
    `retries ${upstream.retries}`,
    `timeouts ${timeouts.connect} s connect, ${timeouts.firstByte} s first byte, ${timeouts.idle} s idle`,
  ].join(', ')
}

function describeServer(name: string, { type, url, key, headers }: Extract<UpstreamConfig, { url: string }>): string[] {
  const count = Object.keys(headers).length
  return [
    `${name}: ${type} at ${url}`,
    key === undefined ? 'no key' : 'a key',
    ...(count === 0 ? [] : [`${count} header${count === 1 ? '' : 's'}`]),
  ]
}

function describeOci(name: string, { type, endpoint, region, auth, models }: OciGenerativeAiConfig): string[] {
  const count = Object.keys(models).length
  return [
    `${name}: ${type} at ${endpoint ?? region ?? 'the region that its keys name'}`,
    `signed by ${auth.type}${auth.profile === undefined ? '' : `, profile ${auth.profile}`}`,
    `${count} model${count === 1 ? '' : 's'} described`,
  ]
}

function describeRule(rule: ModelRule): string {
  const names = rule.upstreams.map(({ name, model, weight }) => {
    const named = model === undefined ? name : `${name} (model ${model})`
    return weight === undefined ? named : `${named} with weight ${weight}`
  })
  const order = rule.order === undefined ? '' : ', the best first'
  const target = `${names.join(', then ')}${order}${rule.model === undefined ? '' : `, model ${rule.model}`}`
  const dialect = rule.dialect === undefined ? '' : `, dialect ${dialectName(rule.dialect)}`
  const prompt = rule.promptTemplate === undefined ? '' : ', own prompt'
  const template = rule.template === undefined ? '' : `, template ${rule.template}`
  const reasoning = rule.reasoning === 'drop' ? ', earlier reasoning dropped' : ''
  const delivery = rule.delivery === 'whole' ? ', calls delivered whole' : ''
  const again = [
    ...(rule.corrections === 0 ? [] : [`, calls sent back up to ${times(rule.corrections)}`]),
    ...(rule.continuations === 0 ? [] : [`, cut calls continued up to ${times(rule.continuations)}`]),
    ...(rule.toolSearch === 0 ? [] : [`, more than ${rule.toolSearch} tools found by search`]),
  ].join('')
  return `${rule.match.join(', ')} -> ${target} (${rule.plan}${dialect}${prompt}${template}${reasoning}${delivery}${again})`
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}
