import type { GenerationRequest, Upstream } from '../../upstreams/index.ts'
import { type ModelRule, type PlanName, planNames } from '../config/config.ts'

/** The kind of request that each plan sends. */
const requests: Readonly<Record<PlanName, GenerationRequest['type']>> = {
  native: 'tools',
  prompted: 'messages',
  templated: 'prompt',
}

/** The same in words for people. */
const words: Readonly<Record<GenerationRequest['type'], string>> = {
  tools: 'tools',
  messages: 'messages',
  prompt: 'whole prompts',
}

/** True for an upstream that takes the requests of a plan. */
export function supports({ abilities }: Upstream, plan: PlanName): boolean {
  return abilities.requests.includes(requests[plan])
}

/** Returns the plan for an upstream of a rule that names this one. */
export function resolvePlan(upstream: Upstream, plan: PlanName): PlanName {
  if (supports(upstream, plan)) return plan
  return supports(upstream, 'prompted') ? 'prompted' : 'templated'
}

/** Returns a sentence that says why an upstream is not served by the plan of its rule. */
export function unsupportedReason({ name }: Upstream, plan: PlanName): string {
  return `Upstream "${name}" takes no ${words[requests[plan]]}, which plan ${plan} needs.`
}

/** Returns an error message if no upstream of a rule supports its plan; undefined if one does. */
export function planConfigError(
  { plan, upstreams: shares }: ModelRule,
  upstreams: ReadonlyMap<string, Upstream>,
): string | undefined {
  if (plan === 'auto') return undefined
  const candidates = shares.flatMap(({ name }) => upstreams.get(name) ?? [])
  if (candidates.length === 0 || candidates.some((upstream) => supports(upstream, plan))) return undefined
  const others = planNames.filter((other) => candidates.some((upstream) => supports(upstream, other)))
  const why = candidates.map((upstream) => unsupportedReason(upstream, plan)).join(' ')
  return `${why} Take another plan (${['auto', ...others].join(', ')}), or another type of upstream.`
}
