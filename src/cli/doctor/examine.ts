import { AnycallError, toAnycallError } from '../../conversation/index.ts'
import type { ModelRule } from '../../gateway/index.ts'
import { PlanChooser, resolvePlan, supports, unsupportedReason } from '../../gateway/index.ts'
import type { TemplateDialect } from '../../templates/index.ts'
import type { Upstream, UpstreamModel } from '../../upstreams/index.ts'
import { UpstreamError } from '../../upstreams/index.ts'
import { preferredModel } from '../serve/model-rules.ts'
import { type Asking, serverMs, within } from './ask.ts'
import { callChecks } from './calls.ts'
import { type Check, no, notKnown, ok, since } from './check.ts'
import { answerChecks, structuredCheck } from './generation.ts'
import { type ConfiguredTemplate, findTemplate } from './template.ts'

/** What is to be looked at: an upstream, and one of its models. */
export interface Patient {
  name: string
  /** Where it is, for people. */
  place: string
  upstream: Upstream
  /** Absent: the first that it lists. */
  model?: string
  /** How the configuration serves it. */
  rule?: ModelRule
  template?: ConfiguredTemplate
}

/** Looks at one upstream, check after check. */
export async function* examine(patient: Patient, asking: Asking): AsyncGenerator<Check> {
  const { upstream } = patient
  const listed = await list(upstream, asking)
  yield* listed.checks
  if (!listed.models) return
  const names = listed.models.map(({ id }) => id)
  yield modelsCheck(names, patient.model, listed.why)
  const model = patient.model ?? preferredModel(names)
  if (model === undefined) return
  const { dialect, checks } = await findTemplate(upstream, model, patient.template, asking)
  yield* checks
  yield* answerChecks(upstream, model, dialect, asking)
  yield* callChecks(upstream, model, asking)
  yield await structuredCheck(upstream, model, dialect, asking)
  yield await planCheck(patient, model, dialect, asking)
}

interface Listed {
  checks: Check[]
  /** Undefined where the upstream cannot be used at all. */
  models?: UpstreamModel[]
  /** Why there is no list, where the upstream answers all the same. */
  why?: string
}

async function list(upstream: Upstream, { signal, clientKey }: Asking): Promise<Listed> {
  const start = performance.now()
  const asking = { signal, timeoutMs: serverMs, ...(clientKey !== undefined && { clientKey }) }
  try {
    const models = await within(asking, (context) => upstream.models(context))
    return { checks: [ok('reachable', `it answers, in ${since(start)}`)], models }
  } catch (error) {
    const { kind, message } = toAnycallError(error)
    if (kind === 'authentication' || kind === 'permission') {
      return { checks: [no('reachable', message, 'Give its key in a configuration file (key).')] }
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
  if (names.includes(model)) return ok('models', `${names.length} listed: ${some}. Asked from here on: ${model}`)
  return no('models', `it does not list ${model}, but ${some || 'none'}`, 'Take one that it lists, with --model NAME.')
}

const mostNames = 8

const unfitAdvice =
  'Take plan auto, or another type of upstream. Where no upstream of a rule can be asked as its plan asks, anycall serve does not start.'
const planAdvice = 'Ask again, or name one in the rule of the model: plan: prompted.'

async function planCheck(
  { upstream, rule, template }: Patient,
  model: string,
  dialect: TemplateDialect | undefined,
  asking: Asking,
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
    return ok('plan', `prompted: the rule for ${rule.match.join(', ')} names the dialect ${rule.dialect}`)
  }
  const known = template?.template ?? dialect?.analysis.template
  const question = { upstream, model, ...(known && { template: known }) }
  try {
    const { plan, why, from } = await within(asking, (context) => new PlanChooser().choose(question, context))
    const isFound = from === undefined || from === 'refusal'
    return isFound ? ok('plan', `${plan}: ${why}`) : notKnown('plan', `${plan} for now: ${why}`, planAdvice)
  } catch (error) {
    if (!(error instanceof AnycallError)) throw error
    return no('plan', error.message, planAdvice)
  }
}
