import { type GatewayConfig, type ModelRule, parseConfig, type UpstreamInput } from '../../gateway/index.ts'
import type { ChatTemplate } from '../../templates/index.ts'
import type { Upstream } from '../../upstreams/index.ts'
import type { UpstreamFlags } from '../io/flags.ts'
import { findModelFile } from '../io/flags.ts'
import type { Io, Services } from '../io/io.ts'
import { configFileOf, readSettings } from '../io/settings.ts'
import { discover, type LocalServer, upstreamTypeOf } from '../serve/discover.ts'
import { preferredModel } from '../serve/model-rules.ts'
import { withRecognisedType } from '../serve/recognise.ts'
import { loadRuleTemplates } from '../template/rule-templates.ts'
import type { Target } from './examine.ts'

/** The upstreams to examine. */
export interface FoundTargets {
  targets: Target[]
  /** The servers that were not found, with reasons; printed if there is no target. */
  missed: string[]
  /** True if a client's own key goes to the upstreams. */
  passesKeys: boolean
}

export interface TargetOptions {
  io: Io
  services: Pick<Services, 'dialects' | 'createUpstreams'>
  servers?: readonly LocalServer[]
}

/** Finds the upstream of the flags, else those of the configuration, else the servers of this machine. Throws a ConfigError or a FlagError. */
export async function findTargets(
  given: UpstreamFlags,
  { io, services, servers }: TargetOptions,
): Promise<FoundTargets> {
  const { flags } = await withRecognisedType(given, io)
  const settings = readSettings(flags, { env: io.env, dialects: services.dialects })
  const passesKeys = settings.keys === 'pass-through'
  if (Object.keys(settings.upstreams).length > 0) {
    const file = configFileOf(flags.config, io)
    const templates = await loadRuleTemplates(settings.models, { flag: undefined, file }, io)
    // A model file names its own model.
    const wanted = findModelFile(flags) === undefined ? flags.model : undefined
    return { targets: toTargets(settings, templates, wanted, services), missed: [], passesKeys }
  }
  const { fetch, signal } = io
  const { found, missed } = await discover(servers ? { fetch, signal, servers } : { fetch, signal })
  const having = found.filter(({ models }) => flags.model !== undefined && models.includes(flags.model))
  const taken = having.length > 0 ? having : found
  const upstreams = Object.fromEntries(
    taken.map(({ server, url }): [string, UpstreamInput] => [server.id, { type: upstreamTypeOf(server), url }]),
  )
  const config = {
    ...settings,
    upstreams: parseConfig({ upstreams }, { file: 'discovery', env: {} }).upstreams,
  }
  return {
    targets: toTargets(config, new Map(), flags.model, services),
    missed: missed.map(({ server, reason }) => `${server.name}, port ${server.port}: ${reason}`),
    passesKeys,
  }
}

function toTargets(
  config: GatewayConfig,
  templates: ReadonlyMap<string, ChatTemplate>,
  wanted: string | undefined,
  services: Pick<Services, 'createUpstreams'>,
): Target[] {
  return [...services.createUpstreams(config)].map(([name, upstream]) => {
    const rule = config.models.find(({ upstreams }) => upstreams.some((share) => share.name === name))
    const model = wanted ?? (rule && modelOf(rule, name))
    const template = rule?.template === undefined ? undefined : templates.get(rule.template)
    return {
      name,
      place: placeOf(config, name, upstream),
      upstream,
      ...(rule && { rule }),
      ...(model !== undefined && { model }),
      ...(template && rule?.template !== undefined && { template: { file: rule.template, template } }),
    }
  })
}

/** The model that a rule sends to an upstream; undefined if any name goes there. */
function modelOf({ upstreams, model, match }: ModelRule, name: string): string | undefined {
  const share = upstreams.find((one) => one.name === name)
  return share?.model ?? model ?? preferredModel(match.filter((pattern) => !pattern.includes('*')))
}

function placeOf({ upstreams }: GatewayConfig, name: string, { type }: Upstream): string {
  const settings = upstreams[name]
  return settings && 'url' in settings ? `${settings.type} at ${settings.url}` : (settings?.type ?? type)
}
