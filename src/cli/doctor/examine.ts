import { AnycallError, toAnycallError } from '../../conversation/index.ts'
import type { ModelRule } from '../../gateway/index.ts'
import { dialectName, PlanChooser, resolvePlan, supports, unsupportedReason } from '../../gateway/index.ts'
import type { TemplateDialect } from '../../templates/index.ts'
import type { Upstream, UpstreamModel } from '../../upstreams/index.ts'
import { UpstreamError } from '../../upstreams/index.ts'
import { preferredModel } from '../serve/model-rules.ts'
import { type AskOptions, serverMs, withTimeout } from './ask.ts'
import { callChecks } from './calls.ts'
import { type Check, no, notKnown, ok, since } from './check.ts'
import { answerChecks, structuredCheck } from './generation.ts'
import { type ConfiguredTemplate, findTemplate } from './template.ts'

/** An upstream to examine, and one of its models. */
export interface Target {
  name: string
  /** Type and address, for people. */
  place: string
  upstream: Upstream
  /** Absent: the first model that it lists. */
  model?: string
  /** The rule of the configuration that uses it. */
  rule?: ModelRule
  template?: ConfiguredTemplate
}

/** Runs all checks on one upstream. */
export async function* examine(target: Target, options: AskOptions): AsyncGenerator<Check> {
  const { upstream } = target
  const listed = await list(upstream, options)
  yield* listed.checks
  if (!listed.models) return
  const names = listed.models.map(({ id }) => id)
  yield modelsCheck(names, target.model, listed.why)
  const model = target.model ?? preferredModel(names)
  if (model === undefined) return
  const { dialect, checks } = await findTemplate(upstream, model, target.template, options)
  yield* checks
  yield* answerChecks(upstream, model, dialect, options)
  yield* callChecks(upstream, model, options)
  yield await structuredCheck(upstream, model, dialect, options)
  yield await planCheck(target, model, dialect, options)
}

interface Listed {
  checks: Check[]
  /** Undefined if the upstream cannot be used at all. */
  models?: UpstreamModel[]
  /** The reason why there is no list, if the upstream answers anyway. */
  why?: string
}

async function list(upstream: Upstream, { signal, clientKey }: AskOptions): Promise<Listed> {
  const start = performance.now()
  const listOptions = { signal, timeoutMs: serverMs, ...(clientKey !== undefined && { clientKey }) }
  try {
    const models = await withTimeout(listOptions, (context) => upstream.models(context))
    return { checks: [ok('reachable', `it answers, in ${since(start)}`)], models }
  } catch (error) {
    const { code, message } = toAnycallError(error)
    if (code === 'authentication' || code === 'permission') {
      return { checks: [no('reachable', message, 'Set its key in a configuration file (key).')] }
    }
    const answers = error instanceof UpstreamError && error.status !== undefined
    if (answers) return { checks: [ok('reachable', `it answers, in ${since(start)}`)], models: [], why: message }
    return { checks: [no('reachable', message, 'Start the server, or give its address with --upstream URL.')] }
  }
}

function modelsCheck(names: readonly string[], wanted: string | undefined, why: string | undefined): Check {
  const model = wanted ?? preferredModel(names)
  if (why !== undefined)
    return notKnown('models', why, wanted === undefined ? 'Name one with --model NAME.' : undefined)
  if (model === undefined)
    return no('models', 'it lists none', 'Load or pull a model there, or name one with --model NAME.')
  const some = names.slice(0, mostNames).join(', ') + (names.length > mostNames ? ', \u2026' : '')
  if (names.includes(model)) return ok('models', `${names.length} listed: ${some}. The checks below use ${model}`)
  return no('models', `it does not list ${model}, but ${some || 'none'}`, 'Choose a listed model with --model NAME.')
}

const mostNames = 8

const unfitAdvice =
  'Use plan auto, or another type of upstream: anycall serve does not start if no upstream of a rule supports its plan.'
const planAdvice = 'Run anycall doctor again, or name a plan in the rule of the model: plan: prompted.'

async function planCheck(
  { upstream, rule, template }: Target,
  model: string,
  dialect: TemplateDialect | undefined,
  options: AskOptions,
): Promise<Check> {
  if (rule && rule.plan !== 'auto') {
    const says = `the rule for ${rule.match.join(', ')} says`
    if (supports(upstream, rule.plan)) return ok('plan', `${rule.plan}: ${says} so`)
    return no(
      'plan',
      `${resolvePlan(upstream, rule.plan)}: ${says} ${rule.plan}. ${unsupportedReason(upstream, rule.plan)}`,
      unfitAdvice,
    )
  }
  if (rule?.promptTemplate !== undefined && upstream.abilities.requests.includes('messages')) {
    return ok('plan', `prompted: the rule for ${rule.match.join(', ')} has a promptTemplate`)
  }
  if (rule?.dialect !== undefined && upstream.abilities.requests.includes('messages')) {
    return ok('plan', `prompted: the rule for ${rule.match.join(', ')} names the dialect ${dialectName(rule.dialect)}`)
  }
  const known = template?.template ?? dialect?.analysis.template
  const question = { upstream, model, ...(known && { template: known }) }
  try {
    const { plan, why, from } = await withTimeout(options, (context) => new PlanChooser().choose(question, context))
    const isFound = from === undefined || from === 'refusal'
    return isFound ? ok('plan', `${plan}: ${why}`) : notKnown('plan', `${plan} for now: ${why}`, planAdvice)
  } catch (error) {
    if (!AnycallError.isInstance(error)) throw error
    return no('plan', error.message, planAdvice)
  }
}
