import { AnycallError, RecentMap } from '../../conversation/index.ts'
import { analyzeTemplate, type ChatTemplate } from '../../templates/index.ts'
import type { GenerationContext, Upstream, UpstreamError } from '../../upstreams/index.ts'
import { AttemptsSpent, refuses, whileWanted } from '../../upstreams/index.ts'
import type { PlanName } from '../config/config.ts'
import { isAboutClientKey } from './fail-over.ts'
import { probeCall } from './probe-call.ts'

/** A plan, and why it was chosen, for people. */
export interface PlanChoice {
  plan: PlanName
  why: string
  /** The basis of the choice. Absent: the upstream's own report, or a probe. */
  from?: ChoiceSource
}

/**
 * `refusal`: the upstream refused tools. `failure`: it could not be asked. `client`: it could not be asked with the client's own key, or
 * with the attempts that were left. Each may turn out otherwise the next time.
 */
export type ChoiceSource = 'refusal' | 'failure' | 'client'

/** The facts on which a choice depends. */
export interface PlanQuestion {
  upstream: Upstream
  /** The model as the upstream names it. */
  model: string
  /** The configured template. */
  template?: ChatTemplate
  /**
   * The conversation has images, which prompts cannot contain: if the upstream also takes messages, messages are used.
   */
  hasImages?: boolean
}

/** Milliseconds after which a probe counts as a failure to call. */
const probeMs = 60_000
/**
 * Milliseconds after which a choice is checked again: servers are restarted with other flags, a refusal may be a
 * mistake, and the next client may have a better key.
 */
const againMs: Readonly<Record<ChoiceSource, number>> = { client: 0, failure: 60_000, refusal: 600_000 }

/** Finds out for each model of each upstream how it is best served, and remembers it. */
export class PlanChooser {
  readonly #known: RecentMap<string, Promise<PlanChoice>>

  /** `now` is in milliseconds since 1970. */
  constructor(now?: () => number) {
    this.#known = new RecentMap(undefined, now)
  }

  /** Chooses the best plan: by the upstream's own properties, by its template's capabilities, then by a probe. */
  async choose(question: PlanQuestion, context: GenerationContext): Promise<PlanChoice> {
    const known = this.#known.get(keyOf(question))
    const choice = await whileWanted(known ?? this.#find(question, context), context.signal)
    return known && choice.from === 'client' ? this.choose(question, context) : choice
  }

  async #find(question: PlanQuestion, context: GenerationContext): Promise<PlanChoice> {
    // It serves all that wait for it: it must not end with the request that began it.
    const found = find(question, { ...context, signal: new AbortController().signal })
    this.#known.set(keyOf(question), found)
    const choice = await found
    this.remember(question, choice)
    const { plan, why } = choice
    context.log('info', 'plan-chosen', { upstream: question.upstream.name, model: question.model, plan, why })
    return choice
  }

  /** Returns the choices that were made, with the upstream and the model as it names it. */
  async list(): Promise<(PlanChoice & { upstream: string; model: string })[]> {
    const known = [...this.#known.keys()].map(async (key) => {
      const [upstream, model] = JSON.parse(key) as [string, string, boolean]
      const choice = await this.#known.get(key)
      return choice ? [{ ...choice, upstream, model }] : []
    })
    return (await Promise.all(known)).flat()
  }

  /** True if the choice was made before. */
  knows(question: PlanQuestion): boolean {
    return this.#known.has(keyOf(question))
  }

  /** Remembers a choice for as long as it counts. */
  remember(question: PlanQuestion, choice: PlanChoice): void {
    const forMs = choice.from === undefined ? Number.POSITIVE_INFINITY : againMs[choice.from]
    this.#known.set(keyOf(question), Promise.resolve(choice), forMs)
  }

  /** True for a model whose upstream refused tools, or turned out to have none. */
  async refused(question: PlanQuestion): Promise<boolean> {
    return (await this.#known.get(keyOf(question)))?.plan === 'prompted'
  }
}

function keyOf(question: PlanQuestion): string {
  const { upstream, model } = question
  return JSON.stringify([upstream.name, model, acceptsPrompts(question)])
}

function acceptsPrompts({ upstream, hasImages = false }: PlanQuestion): boolean {
  const { requests } = upstream.abilities
  return requests.includes('prompt') && !(hasImages && requests.includes('messages'))
}

async function find(question: PlanQuestion, context: GenerationContext): Promise<PlanChoice> {
  const { upstream, model } = question
  const { requests, constraint } = upstream.abilities
  const accepts = (type: (typeof requests)[number]): boolean => requests.includes(type)
  try {
    const template = acceptsPrompts(question) ? await templateOf(question, context) : undefined
    const calls = template !== undefined && analyzeTemplate(template).calls !== undefined
    if (calls && constraint !== undefined) {
      return { plan: 'templated', why: `its chat template renders calls, and the engine accepts their grammar` }
    }
    const says = accepts('tools') ? await upstream.callsTools?.(model, context) : false
    if (says === true) return { plan: 'native', why: 'the upstream says that the model calls tools' }
    if (calls) return { plan: 'templated', why: 'its chat template renders calls' }
    if (template !== undefined && !accepts('messages')) {
      return { plan: 'templated', why: 'the upstream accepts only prompts; its chat template renders no calls' }
    }
    if (says === false) {
      const why = accepts('tools')
        ? 'the upstream says that the model does not call tools'
        : 'the upstream does not accept tools'
      return { plan: 'prompted', why }
    }
    return await probe(question, context)
  } catch (error) {
    if (!AnycallError.isInstance(error)) throw error
    // The request itself will fail with a message that names the fault.
    return {
      plan: accepts('messages') ? 'prompted' : 'templated',
      why: `it could not be asked: ${error.message}`,
      from: isAboutClientKey(error, context) || error instanceof AttemptsSpent ? 'client' : 'failure',
    }
  }
}

async function templateOf({ upstream, model, template }: PlanQuestion, context: GenerationContext) {
  return template ?? (await upstream.template?.(model, context))
}

/** Asks for one call. */
async function probe({ upstream, model }: PlanQuestion, context: GenerationContext): Promise<PlanChoice> {
  try {
    const fault = await probeCall(upstream, model, { ...context, signal: AbortSignal.timeout(probeMs) })
    return fault === undefined
      ? { plan: 'native', why: 'the upstream made the requested call' }
      : { plan: 'prompted', why: `the requested call failed: ${fault}` }
  } catch (error) {
    if (refuses(error, 'tools')) return refusedBy(error)
    throw error
  }
}

/** The choice for an upstream that refuses tools with this error. */
export function refusedBy({ message }: UpstreamError): PlanChoice {
  return { plan: 'prompted', why: `the upstream refuses tools: ${message}`, from: 'refusal' }
}
