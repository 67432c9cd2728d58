import { getDialect } from '../../dialects/index.ts'
import type { GenerationRequest, Upstream } from '../../upstreams/index.ts'
import { type ModelRule, type PlanName, planNames } from '../config/config.ts'
import { dialectOfRule } from '../config/schema/own-objects.ts'
import { sentCallFormat } from '../reply/native-call-reading.ts'

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
 * Returns the names of the package's dialects that replies to a rule may be read in: that of its prompts if plan `prompted` may serve it,
 * that of calls which an upstream sends itself if plan `native` may, and `universal` if any plan but `prompted` may, whose replies are read
 * in any form.
 */
export function replyDialects(rule: ModelRule, upstreams: ReadonlyMap<string, Upstream>): string[] {
  const dialect = dialectOfRule(rule)
  const isOwnPrompt = rule.dialect !== undefined || rule.promptTemplate !== undefined
  const plans = new Set(rule.upstreams.flatMap(({ name }) => plansOf(rule.plan, isOwnPrompt, upstreams.get(name))))
  const names = new Set<string>()
  if (plans.delete('prompted') && dialect && getDialect(dialect.name) === dialect) names.add(dialect.name)
  if (plans.has('native')) names.add(sentCallFormat.name)
  if (plans.size > 0) names.add('universal')
  return [...names]
}

/** The plans by which an upstream may serve a rule. */
function plansOf(plan: PlanName | 'auto', isOwnPrompt: boolean, upstream: Upstream | undefined): PlanName[] {
  if (upstream === undefined) return [...planNames]
  if (plan !== 'auto') return [resolvePlan(upstream, plan)]
  if (isOwnPrompt && supports(upstream, 'prompted')) return ['prompted']
  return planNames.filter((one) => supports(upstream, one))
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
