import type { GenerationRequest, Upstream } from '../../upstreams/index.ts'
import { type ModelRule, type PlanName, planNames } from '../config/config.ts'
import { dialectName } from '../config/schema/own-objects.ts'

/** The kind of request that each plan sends. */
const requests: Readonly<Record<PlanName, GenerationRequest['type']>> = {
  native: 'tools',
  prompted: 'messages',
  templated: 'prompt',
}

/** The names of those kinds in messages. */
const words: Readonly<Record<GenerationRequest['type'], string>> = {
  tools: 'tools',
  messages: 'messages',
  prompt: 'prompts',
}

/** True if an upstream takes the kind of request that a plan sends. */
export function supports({ abilities }: Upstream, plan: PlanName): boolean {
  return abilities.requests.includes(requests[plan])
}

/** Returns the plan of the rule if the upstream supports it, else the nearest that it supports. */
export function resolvePlan(upstream: Upstream, plan: PlanName): PlanName {
  if (supports(upstream, plan)) return plan
  return supports(upstream, 'prompted') ? 'prompted' : 'templated'
}

/**
 * Returns true if replies to a rule may be read in any form, by the universal reader: those of all plans but `prompted`, which asks for
 * calls in one form, unless that is the dialect `universal`.
 */
export function mayReadAnyForm(
  { plan, dialect, promptTemplate, upstreams: shares }: ModelRule,
  upstreams: ReadonlyMap<string, Upstream>,
): boolean {
  if (dialect !== undefined && dialectName(dialect) === 'universal') return true
  const isOwnPrompt = dialect !== undefined || promptTemplate !== undefined
  return shares.some(({ name }) => {
    const upstream = upstreams.get(name)
    if (!upstream || !supports(upstream, 'prompted')) return true
    if (plan === 'auto' && !isOwnPrompt) return upstream.abilities.requests.length > 1
    return plan !== 'auto' && resolvePlan(upstream, plan) !== 'prompted'
  })
}

/** Returns the reason, as a sentence, why an upstream is not served by the plan of its rule. */
export function unsupportedReason({ name }: Upstream, plan: PlanName): string {
  return `Upstream "${name}" does not accept ${words[requests[plan]]}, which plan ${plan} needs.`
}

/** Returns the error in the plan of a rule: none of its upstreams supports it. Undefined if one does. */
export function planConfigError(
  { plan, upstreams: shares }: ModelRule,
  upstreams: ReadonlyMap<string, Upstream>,
): string | undefined {
  if (plan === 'auto') return undefined
  const candidates = shares.flatMap(({ name }) => upstreams.get(name) ?? [])
  if (candidates.length === 0 || candidates.some((upstream) => supports(upstream, plan))) return undefined
  const others = planNames.filter((other) => candidates.some((upstream) => supports(upstream, other)))
  const why = candidates.map((upstream) => unsupportedReason(upstream, plan)).join(' ')
  return `${why} Use another plan (${['auto', ...others].join(', ')}), or another type of upstream.`
}
