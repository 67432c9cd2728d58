import { AnycallError, RecentMap } from '../../conversation/index.ts'
import { analyzeTemplate, type ChatTemplate } from '../../templates/index.ts'
import type { GenerationContext, Upstream, UpstreamError } from '../../upstreams/index.ts'
import { whileWanted } from '../../upstreams/index.ts'
import type { PlanName } from '../config/config.ts'
import { isOfClientKey } from './client-key.ts'
import { probeCall } from './probe-call.ts'
import { refusesTools } from './tool-refusals.ts'

/** A plan, and why it was chosen, for people. */
export interface PlanChoice {
  plan: PlanName
  why: string
  /** What it rests on. Absent: what the upstream says, or what it did when it was asked for a call. */
  from?: ChoiceSource
}

/**
 * `refusal`: the upstream refused tools. `failure`: it could not be asked. `key`: it could not be asked with the client's own key. Each may
 * turn out otherwise the next time.
 */
export type ChoiceSource = 'refusal' | 'failure' | 'key'

/** What a choice is made for. */
export interface PlanQuestion {
  upstream: Upstream
  /** The model as the upstream names it. */
  model: string
  /** The configured template. */
  template?: ChatTemplate
  /** What is to be shown holds images, which no whole prompt does: where the upstream takes messages as well, it is asked for those. */
  hasImages?: boolean
}

/** How long a probe may take before its model counts as one that does not call. */
const probeMs = 60_000
/**
 * What may turn out otherwise is found out anew after so long: servers are started anew with other flags, and one refusal may be a mistake.
 * The next client may have a better key.
 */
const againMs: Readonly<Record<ChoiceSource, number>> = { key: 0, failure: 60_000, refusal: 600_000 }

interface Known {
  found: Promise<PlanChoice>
  /** When it is found out anew. */
  until: number
}

/** Finds out for each model of each upstream how it is best served, and remembers it. */
export class PlanChooser {
  readonly #known = new RecentMap<string, Known>()
  readonly #now: () => number

  /** `now` is in milliseconds since 1970. */
  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** The best plan: what the upstream says of itself, what its template supports, then a probe. */
  async choose(question: PlanQuestion, context: GenerationContext): Promise<PlanChoice> {
    const known = this.#fresh(question)
    const choice = await whileWanted(known?.found ?? this.#find(question, context), context.signal)
    return known && choice.from === 'key' ? this.choose(question, context) : choice
  }

  async #find(question: PlanQuestion, context: GenerationContext): Promise<PlanChoice> {
    // It serves all that wait for it: it must not end with the request that began it.
    const found = find(question, { ...context, signal: new AbortController().signal })
    const entry = { found, until: Number.POSITIVE_INFINITY }
    this.#known.set(keyOf(question), entry)
    const choice = await found
    const { plan, why } = choice
    entry.until = this.#until(choice)
    context.log('info', 'plan-chosen', { upstream: question.upstream.name, model: question.model, plan, why })
    return choice
  }

  /** True where the choice was made before. */
  knows(question: PlanQuestion): boolean {
    return this.#fresh(question) !== undefined
  }

  /** The upstream refused tools: its model is served by prompts for a while. */
  remember(question: PlanQuestion, choice: PlanChoice): void {
    this.#known.set(keyOf(question), { found: Promise.resolve(choice), until: this.#until(choice) })
  }

  /** True for a model whose upstream refused tools, or turned out to have none. */
  async refused(question: PlanQuestion): Promise<boolean> {
    const known = await this.#fresh(question)?.found
    return known?.plan === 'prompted'
  }

  #fresh(question: PlanQuestion): Known | undefined {
    const known = this.#known.get(keyOf(question))
    return known && known.until > this.#now() ? known : undefined
  }

  #until({ from }: PlanChoice): number {
    return from === undefined ? Number.POSITIVE_INFINITY : this.#now() + againMs[from]
  }
}

function keyOf(question: PlanQuestion): string {
  const { upstream, model } = question
  return JSON.stringify([upstream.name, model, takesPrompt(question)])
}

function takesPrompt({ upstream, hasImages = false }: PlanQuestion): boolean {
  const { requests } = upstream.abilities
  return requests.includes('prompt') && !(hasImages && requests.includes('messages'))
}

async function find(question: PlanQuestion, context: GenerationContext): Promise<PlanChoice> {
  const { upstream, model } = question
  const { requests, constraint } = upstream.abilities
  const takes = (type: (typeof requests)[number]): boolean => requests.includes(type)
  try {
    const template = takesPrompt(question) ? await templateOf(question, context) : undefined
    const calls = template !== undefined && analyzeTemplate(template).calls !== undefined
    if (calls && constraint !== undefined) {
      return { plan: 'templated', why: `its chat template writes calls, and the engine can be held to their grammar` }
    }
    const says = takes('tools') ? await upstream.callsTools?.(model, context) : false
    if (says === true) return { plan: 'native', why: 'the upstream says that the model calls tools' }
    if (calls) return { plan: 'templated', why: 'its chat template writes calls' }
    if (template !== undefined && !takes('messages')) {
      return { plan: 'templated', why: 'the upstream takes whole prompts alone; its chat template writes no calls' }
    }
    if (says === false) {
      const why = takes('tools') ? 'the upstream says that the model calls no tools' : 'the upstream takes no tools'
      return { plan: 'prompted', why }
    }
    return await probe(question, context)
  } catch (error) {
    if (!AnycallError.isInstance(error)) throw error
    // The request itself will show what is wrong, in the words for it.
    return {
      plan: takes('messages') ? 'prompted' : 'templated',
      why: `it could not be asked: ${error.message}`,
      from: isOfClientKey(error, context) ? 'key' : 'failure',
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
      ? { plan: 'native', why: 'asked for a call, the upstream made one' }
      : { plan: 'prompted', why: `asked for a call, ${fault}` }
  } catch (error) {
    if (refusesTools(error)) return refusedBy(error)
    throw error
  }
}

/** The choice for an upstream that refuses tools with this error. */
export function refusedBy({ message }: UpstreamError): PlanChoice {
  return { plan: 'prompted', why: `the upstream refuses tools: ${message}`, from: 'refusal' }
}
