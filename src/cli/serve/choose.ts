import { toAnycallError } from '../../conversation/index.ts'
import {
  type GatewayConfig,
  type ModelRule,
  parseConfig,
  type UpstreamConfig,
  type UpstreamInput,
} from '../../gateway/index.ts'
import type { Upstream } from '../../upstreams/index.ts'
import { FlagError, isModelFileName, type ServeFlags } from '../io/flags.ts'
import type { Io, Services } from '../io/io.ts'
import { flagUpstream } from '../io/settings.ts'
import { type Discovery, discover, type LocalServer, upstreamTypeOf } from './discover.ts'
import { catchAll, type ListedUpstream, rulesFor } from './model-rules.ts'

/** The configuration to serve, and notes on how it was chosen. */
export interface Choice {
  config: GatewayConfig
  upstreams: Map<string, Upstream>
  notes: string[]
}

export interface ChooseOptions {
  io: Io
  services: Pick<Services, 'createUpstreams'>
  flags: Pick<ServeFlags, 'model' | RuleFlag>
  servers?: readonly LocalServer[]
}

// Long enough for a server on the network, short enough for a waiting person.
const listTimeoutMs = 3000

/** An upstream that discovery chose, with its notes. */
interface Found {
  name: string
  upstream: { type: 'scripted' } | { type: ReturnType<typeof upstreamTypeOf>; url: string }
  models?: string[]
  notes: string[]
}

/** Completes a configuration that names no upstream or no rules. */
export async function choose(config: GatewayConfig, { io, services, flags, servers }: ChooseOptions): Promise<Choice> {
  let settled = config
  let found: Found | undefined
  if (Object.keys(config.upstreams).length === 0) {
    const { fetch, signal } = io
    found = take(await discover(servers ? { fetch, signal, servers } : { fetch, signal }), flags.model)
    const upstream: UpstreamInput = found.upstream
    settled = {
      ...config,
      upstreams: parseConfig({ upstreams: { [found.name]: upstream } }, { file: 'discovery', env: {}, dialects: [] })
        .upstreams,
    }
  }
  const upstreams = services.createUpstreams(settled)
  const ruled = { config: settled, upstreams, found, model: flags.model, signal: io.signal }
  const { rules, notes } = (await modelFileRules(ruled)) ?? (await modelRules(ruled))
  return {
    config: { ...settled, models: rules.map((rule) => withFlags(rule, flags)) },
    upstreams,
    notes: [...(found?.notes ?? []), ...notes],
  }
}

/** Applies the flags that override all rules. */
type RuleFlag = 'plan' | 'dialect' | 'template'

function withFlags(rule: ModelRule, { plan, dialect, template }: Pick<ServeFlags, RuleFlag>): ModelRule {
  return {
    ...rule,
    ...(plan !== undefined && { plan }),
    ...(dialect !== undefined && { dialect }),
    ...(template !== undefined && { template }),
  }
}

function take({ found, missed }: Discovery, model: string | undefined): Found {
  const taken = found.find(({ models }) => model !== undefined && models.includes(model)) ?? found[0]
  if (taken) {
    const { server, url, models } = taken
    return {
      name: server.id,
      upstream: { type: upstreamTypeOf(server), url },
      models,
      notes: [`Upstream: ${server.name} at ${url}, found on this machine with ${count(models.length, 'model')}.`],
    }
  }
  const places = missed.map(({ server, reason }) => `  ${server.name}, port ${server.port}: ${reason}`)
  // The scripted model is for a first look. Under the name of a requested model, it would be mistaken for that model.
  if (model !== undefined) throw new FlagError(noServerFor(model, places))
  return {
    name: 'scripted',
    upstream: { type: 'scripted' },
    notes: [
      'Upstream: the built-in scripted model, which is not a language model. No model server was found on this machine:',
      ...places,
      '  Start one of them, or give the address of another server with --upstream URL.',
    ],
  }
}

function noServerFor(model: string, places: readonly string[]): string {
  const what = isModelFileName(model)
    ? `--model: ${model}: there is no such file, and no model server was found here that could have a model of that name:`
    : `--model: ${model}: no model server was found here that could have it:`
  const advice =
    '  Start one of them, or give the address of another server with --upstream URL. Without --model, a built-in scripted model answers.'
  return [what, ...places, advice].join('\n')
}

interface RulesOptions {
  config: GatewayConfig
  upstreams: ReadonlyMap<string, Upstream>
  found: Found | undefined
  model: string | undefined
  signal: AbortSignal
}

/** Returns the rule for a model file given by `--model`. Throws if the file cannot be used, because nothing else could answer. */
async function modelFileRules({
  config,
  upstreams,
  model,
  signal,
}: RulesOptions): Promise<{ rules: ModelRule[]; notes: string[] } | undefined> {
  const settings = config.upstreams[flagUpstream]
  if (settings?.type !== 'gguf' || settings.file !== model) return undefined
  const [listed] = (await upstreams.get(flagUpstream)?.models({ signal })) ?? []
  const id = listed?.id ?? model
  return {
    rules: [{ ...catchAll(flagUpstream, id), plan: 'templated' }],
    notes: [`Upstream: ${placeOf(flagUpstream, settings)}.`, `Model: ${id}, whatever name a client asks for.`],
  }
}

/** Describes an upstream for a person. */
function placeOf(name: string, settings: UpstreamConfig | undefined): string {
  if (settings === undefined || settings.type === 'scripted') return `${name}, the built-in scripted model`
  if (settings.type === 'gguf') return `the model file ${settings.file}, run in this process`
  return 'url' in settings ? settings.url : `${name}, of type ${settings.type}`
}

async function modelRules(options: RulesOptions): Promise<{ rules: ModelRule[]; notes: string[] }> {
  const { config, found, model } = options
  const names = Object.keys(config.upstreams)
  if (model === undefined && config.models.length > 0) {
    const what = `${count(config.models.length, 'model rule')} for ${count(names.length, 'upstream')}`
    return { rules: config.models, notes: [`Configured: ${what} (${names.join(', ')}).`] }
  }
  const first = config.models[0]?.upstreams[0]?.name ?? names[0] ?? ''
  const asked = await Promise.all((model === undefined ? names : [first]).map((name) => askModels(name, options)))
  const notes = asked.flatMap(({ name, note }) => (name === found?.name ? [] : [note]))
  if (model !== undefined) {
    const has = asked[0]?.models?.includes(model) ?? true
    notes.push(`Model: ${model}, whatever name a client asks for.${has ? '' : ' The upstream does not list it.'}`)
    return { rules: [catchAll(first, model)], notes }
  }
  const rules = rulesFor(asked)
  const chosen = rules.at(-1)?.model
  notes.push(
    chosen === undefined
      ? 'Models: names are passed on to the upstream as they are.'
      : `Model: ${chosen}, for every name that the upstream does not list. --model NAME selects another.`,
  )
  return { rules, notes }
}

/** Returns an upstream's models (undefined if it cannot be asked), and notes on them. */
async function askModels(
  name: string,
  { config, upstreams, found, signal }: RulesOptions,
): Promise<ListedUpstream & { note: string }> {
  const place = placeOf(name, config.upstreams[name])
  if (name === found?.name && found.models) return { name, models: found.models, note: '' }
  const timeout = AbortSignal.timeout(listTimeoutMs)
  try {
    const listed = await upstreams.get(name)?.models({ signal: AbortSignal.any([signal, timeout]) })
    const models = listed?.map((model) => model.id) ?? []
    return { name, models, note: `Upstream: ${place}, with ${count(models.length, 'model')}.` }
  } catch (error) {
    const reason = timeout.aborted ? `no answer in ${listTimeoutMs / 1000} s` : toAnycallError(error).message
    return { name, models: undefined, note: `Upstream: ${place}, which does not answer at this time: ${reason}` }
  }
}

function count(many: number, noun: string): string {
  return `${many} ${noun}${many === 1 ? '' : 's'}`
}
