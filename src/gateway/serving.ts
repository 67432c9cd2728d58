import { AnycallError, Slots } from '../conversation/index.ts'
import { createSeals } from '../protocols/index.ts'
import { type ObserverSource, observersOf } from '../records/index.ts'
import type { ChatTemplate } from '../templates/index.ts'
import type { Upstream } from '../upstreams/index.ts'
import type { GatewayConfig, UpstreamConfig } from './config/config.ts'
import { createKeyLimiter, sharedCounterOf } from './config/create/limiter.ts'
import { createResponseStore } from './config/create/store.ts'
import type { Runtime } from './config/create/upstreams.ts'
import { secretsOf } from './config/secrets.ts'
import { type Access, createAccess } from './http/access/access.ts'
import { type Cors, createCors } from './http/access/cors.ts'
import { HeldBytes } from './http/body/held-bytes.ts'
import { KnownTools } from './http/known-tools.ts'
import type { TimeLimit } from './http/time-limit.ts'
import type { KeyLimiter } from './limits/key-limiter.ts'
import { Metrics } from './metrics/index.ts'
import { type GatewayOptions, type ResolvedOptions, resolveOptions } from './options.ts'
import { BestOrder } from './order/best-order.ts'
import { createTriggers } from './plans/trigger.ts'
import { createRecorder } from './records.ts'
import { KnownReplies } from './replies/index.ts'
import type { RouteContext } from './routes/context.ts'
import { modelsOfKeys } from './serve/allowed-models.ts'
import { PlanChooser } from './serve/choose-plan.ts'
import { Health } from './serve/health.ts'
import { IgnoredFormats } from './serve/ignored-formats.ts'
import { ModelTable } from './serve/models.ts'
import { planConfigError } from './serve/plan-fit.ts'
import { TextOnlyModels } from './serve/text-only-models.ts'
import { ContextLengths } from './truncation/index.ts'

/** The parts of a route's context that all requests of one configuration have. */
type Shared = Omit<RouteContext, 'request' | 'requestLog' | 'hold' | 'signal' | 'clientKey' | 'traceHeaders'>

/**
 * Everything created from one configuration. A request keeps the serving that it began with; a reload creates another one, which
 * reuses the parts whose configuration is unchanged.
 */
export interface Serving extends Pick<ResolvedOptions, 'upstreams' | 'log' | 'basePath'> {
  readonly config: GatewayConfig
  readonly access: Access
  /** Admits requests within the limits of their keys. */
  readonly limiter: KeyLimiter
  /** Returns the models that the holder of a key may use. */
  readonly modelsOf: ReturnType<typeof modelsOfKeys>
  readonly cors: Cors | undefined
  readonly bodies: HeldBytes
  /** Notifies the hooks and the recorder of an exchange that begins; undefined if there are none. */
  readonly listen: ObserverSource | undefined
  readonly shared: Shared
  /** The requests that are being answered. */
  readonly open: Slots<TimeLimit>
}

export interface ServingOptions extends Pick<RouteContext, 'replay' | 'isDraining'> {
  before?: Serving
}

/**
 * Creates the serving of a configuration. `before`: the serving that it replaces. Throws a ConfigError or an AnycallError for a
 * configuration that cannot be served, and leaves `before` unchanged.
 */
export function createServing(
  runtime: Runtime,
  options: GatewayOptions,
  { replay, isDraining, before }: ServingOptions,
): Serving {
  const { config, upstreams: made, templates, log, basePath, hooks, metricsText } = resolveOptions(options, runtime)
  checkTemplates(config, templates)
  const upstreams = before ? keepUnchanged(made, config, before) : made
  checkPlans(config, upstreams)
  const cors = createCors(config.cors)
  const isSameSecret = before?.config.secret === config.secret
  const hasSameUpstreams = before !== undefined && isSameMap(upstreams, before.upstreams)
  const { limits } = config
  const recorder =
    before && hasSameRecords(config, before.config) ? before.shared.recorder : createRecorder(config, runtime, log)
  // Counters must not fall while a gateway runs.
  const metrics = config.metrics && (before?.shared.metrics ?? new Metrics())
  // Its entries are keyed by the names of upstreams, and a name may mean another server now.
  const knowledge = hasSameUpstreams
    ? before.shared.knowledge
    : {
        chooser: new PlanChooser(),
        health: new Health(),
        textOnly: new TextOnlyModels(),
        ignoredFormats: new IgnoredFormats(),
        lengths: new ContextLengths(),
        best: new BestOrder(),
      }
  metrics?.observe(() => ({
    upstreams: new Map([...upstreams.keys()].map((name) => [name, knowledge.health.isReady(name)])),
    recordsDropped: recorder?.dropped ?? 0,
  }))
  const models = new ModelTable(config, upstreams)
  return {
    config,
    upstreams,
    log,
    basePath,
    cors,
    access: createAccess(config.keys, cors),
    limiter:
      before && hasSameLimiter(config, before.config)
        ? before.limiter
        : createKeyLimiter(config, runtime.createSharedCounter, log),
    modelsOf: modelsOfKeys(models),
    // A single body of the largest size always fits, together with its compressed form.
    bodies: new HeldBytes(Math.max(limits.bodiesMegabytes, 2 * limits.bodyMegabytes)),
    open: new Slots(),
    listen: observersOf([hooks, ...(recorder ? [recorder] : []), ...(metrics ? [metrics] : [])], (error) =>
      log('warn', 'hook-failed', { error: String(error).slice(0, 1000) }),
    ),
    shared: {
      ...(recorder && { recorder }),
      ...(metrics && { metrics }),
      ...(metricsText && { metricsText }),
      ...(runtime.readPage && { readPage: runtime.readPage }),
      upstreams,
      replay,
      isDraining,
      config,
      log,
      models,
      knowledge,
      templates,
      // A random secret must survive a reload: clients hold data that was sealed with it.
      triggerOf: before && isSameSecret ? before.shared.triggerOf : createTriggers(config.secret),
      seals: before && isSameSecret ? before.shared.seals : createSeals(config.secret),
      knownTools: before?.shared.knownTools ?? new KnownTools(),
      replies:
        before?.config.limits.repliesMegabytes === limits.repliesMegabytes
          ? before.shared.replies
          : new KnownReplies(limits.repliesMegabytes * 1024 ** 2),
      kept:
        before && hasSameStore(config, before.config)
          ? before.shared.kept
          : createResponseStore(config, runtime.createSharedStore, log),
    },
  }
}

/** Closes the parts of `serving` that no other serving uses. */
export async function closeServing(serving: Serving, others: readonly Serving[]): Promise<void> {
  const used = new Set(others.flatMap(({ upstreams }) => [...upstreams.values()]))
  const unused = [...serving.upstreams.values()].filter((upstream) => !used.has(upstream))
  const { kept, recorder } = serving.shared
  const isKept = others.some(({ shared }) => shared.kept === kept)
  await Promise.all([...unused.map((upstream) => upstream.close?.()), isKept ? undefined : kept.close?.()])
  if (others.every(({ shared }) => shared.recorder !== recorder)) await recorder?.close()
  if (others.every(({ limiter }) => limiter !== serving.limiter)) await serving.limiter.close()
}

/** Returns the upstreams with those of `before` in place of the ones with the same settings: their connections and models stay. */
function keepUnchanged(
  made: ReadonlyMap<string, Upstream>,
  config: GatewayConfig,
  before: Serving,
): ReadonlyMap<string, Upstream> {
  const upstreams = new Map(made)
  for (const [name, upstream] of made) {
    const kept = before.upstreams.get(name)
    if (kept === undefined || !isSameUpstream(config.upstreams[name], before.config.upstreams[name])) continue
    upstreams.set(name, kept)
    // The new upstream has not connected or loaded anything yet. For an upstream object of the program, both hold that object.
    if (kept !== upstream && config.upstreams[name]?.type !== 'own') void upstream.close?.()
  }
  return upstreams
}

function isSameUpstream(one: UpstreamConfig | undefined, other: UpstreamConfig | undefined): boolean {
  if (one?.type === 'own' || other?.type === 'own') {
    return one?.type === 'own' && other?.type === 'own' && one.upstream === other.upstream
  }
  return JSON.stringify(one) === JSON.stringify(other)
}

function hasSameStore(one: GatewayConfig, other: GatewayConfig): boolean {
  const settings = ({ responses, limits: { responsesMegabytes, responsesMinutes } }: GatewayConfig): string =>
    JSON.stringify([responses, responsesMegabytes, responsesMinutes])
  return settings(one) === settings(other)
}

/** True if limits are counted in the same place: counts of keys whose limits changed go on. */
function hasSameLimiter(one: GatewayConfig, other: GatewayConfig): boolean {
  const settings = (config: GatewayConfig): string =>
    JSON.stringify([sharedCounterOf(config), config.responses.timeout, config.limits.requestSeconds])
  return settings(one) === settings(other)
}

/** True if records are kept alike. The keys and the secret, which a record must not show, belong to that. */
function hasSameRecords(one: GatewayConfig, other: GatewayConfig): boolean {
  const settings = (config: GatewayConfig): string => JSON.stringify([config.records, secretsOf(config)])
  return settings(one) === settings(other)
}

function isSameMap(one: ReadonlyMap<string, Upstream>, other: ReadonlyMap<string, Upstream>): boolean {
  return one.size === other.size && [...one].every(([name, upstream]) => other.get(name) === upstream)
}

function checkTemplates({ models }: GatewayConfig, templates: ReadonlyMap<string, ChatTemplate>): void {
  for (const { template, match } of models) {
    if (template === undefined || templates.has(template)) continue
    throw new AnycallError(
      'invalid-request',
      `The rule for ${match.join(', ')} names the template "${template}", which was not given to createGateway: load it with loadTemplate and pass it in \`templates\`.`,
    )
  }
}

function checkPlans({ models }: GatewayConfig, upstreams: ReadonlyMap<string, Upstream>): void {
  for (const rule of models) {
    const fault = planConfigError(rule, upstreams)
    if (fault === undefined) continue
    throw new AnycallError(
      'invalid-request',
      `The rule for ${rule.match.join(', ')} has a plan that nobody can serve. ${fault}`,
    )
  }
}
