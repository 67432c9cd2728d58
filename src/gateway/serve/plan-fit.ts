import type { GenerationRequest, Upstream } from '../../upstreams/index.ts'
import { type ModelRule, type PlanName, planNames } from '../config/config.ts'

/** What each plan asks an upstream for. */
const requests: Readonly<Record<PlanName, GenerationRequest['type']>> = {
  native: 'tools',
  prompted: 'messages',
  templated: 'prompt',
}

/** How people call that. */
const words: Readonly<Record<GenerationRequest['type'], string>> = {
  tools: 'tools',
  messages: 'messages',
  prompt: 'whole prompts',
}

/** True for an upstream that can be asked as a plan asks. */
export function takes({ abilities }: Upstream, plan: PlanName): boolean {
  return abilities.requests.includes(requests[plan])
}

/** The plan for an upstream of a rule that names this one. */
export function fitting(upstream: Upstream, plan: PlanName): PlanName {
  if (takes(upstream, plan)) return plan
  return takes(upstream, 'prompted') ? 'prompted' : 'templated'
}

/** Why an upstream is not served by the plan of its rule. */
export function unfit({ name }: Upstream, plan: PlanName): string {
  return `Upstream "${name}" takes no ${words[requests[plan]]}, which plan ${plan} needs.`
}

/** What is wrong with the plan of a rule: none of its upstreams can be asked so. Undefined where one can. */
export function planFault(
  { plan, upstreams: shares }: ModelRule,
  upstreams: ReadonlyMap<string, Upstream>,
): string | undefined {
  if (plan === 'auto') return undefined
  const candidates = shares.flatMap(({ name }) => upstreams.get(name) ?? [])
  if (candidates.length === 0 || candidates.some((upstream) => takes(upstream, plan))) return undefined
  const others = planNames.filter((other) => candidates.some((upstream) => takes(upstream, other)))
  const why = candidates.map((upstream) => unfit(upstream, plan)).join(' ')
  return `${why} Take another plan (${['auto', ...others].join(', ')}), or another type of upstream.`
}
