import { AnycallError } from '../../conversation/index.ts'
import type { ModelsQuery, Upstream } from '../../upstreams/index.ts'
import type { GatewayConfig, ModelRule } from '../config/config.ts'
import type { Candidate } from './fail-over.ts'

/** The upstreams and the rule for one of the client's models. */
export interface ModelRoute {
  rule: ModelRule
  /** The upstreams of the rule, in its order. */
  candidates: Candidate[]
}

/** Called for an upstream whose models cannot be listed. */
export type ModelsFailed = (upstream: Upstream, error: unknown) => void

/** The names that the list of models in Claude Code shows. */
const shownByClaude = /claude|anthropic/i

/** No model has a longer name, and patterns with several stars take long on a name without end. */
export const longestName: number = 500

/** The models that a client can use. */
export interface Models {
  /** Returns the name under which Anthropic's clients see a model. */
  anthropicName(model: string): string
  /** Returns the rule and the upstreams of a model. Throws an AnycallError for one that the client cannot use. */
  route(name: string): ModelRoute
  /** Returns the names of all of them. */
  list(query: ModelsQuery, failed: ModelsFailed): Promise<string[]>
  /** Returns the tokens of a model's context; undefined if they are not known. */
  contextLength(model: string, query: ModelsQuery, failed: ModelsFailed): Promise<number | undefined>
}

/** Finds the rule for a client's model name; the first that matches counts. */
export class ModelTable implements Models {
  readonly #entries: { patterns: RegExp; names: Pattern[]; rule: ModelRule; upstreams: Upstream[] }[]
  readonly #rules: readonly ModelRule[]
  readonly #prefix: string

  constructor(config: GatewayConfig, upstreams: ReadonlyMap<string, Upstream>) {
    this.#rules = config.models
    this.#prefix = config.anthropicPrefix
    this.#entries = config.models.map((rule) => {
      const named = rule.upstreams.map(({ name }) => {
        const upstream = upstreams.get(name)
        if (!upstream) throw new Error(`no upstream "${name}" was made for the rule ${rule.match.join(', ')}`)
        return upstream
      })
      const names = rule.match.map((name) => ({ name, is: patternOf([name]) }))
      return { rule, upstreams: named, patterns: patternOf(rule.match), names }
    })
  }

  /** Returns the name under which Anthropic's clients see a model. */
  anthropicName(model: string): string {
    return shownByClaude.test(model) ? model : this.#prefix + model
  }

  /** Returns the model of a name that Anthropic's clients see; any other name is returned as it is. */
  ownName(name: string): string {
    const model = name.slice(this.#prefix.length)
    return model !== '' && name.startsWith(this.#prefix) && !shownByClaude.test(model) ? model : name
  }

  /** Throws `not-found` for a model that no rule names. */
  route(name: string): ModelRoute {
    const model = this.ownName(name)
    const entry = model.length > longestName ? undefined : this.#entries.find(({ patterns }) => patterns.test(model))
    if (!entry) {
      const known = this.#rules.flatMap((rule) => rule.match)
      const some = known.slice(0, 20).join(', ') + (known.length > 20 ? ', …' : '')
      throw new AnycallError(
        'not-found',
        `There is no model "${model.slice(0, 200)}" here. This gateway serves: ${some || 'none'}.`,
        { param: 'model' },
      )
    }
    const { rule, upstreams, names } = entry
    const candidates = upstreams.map((upstream, at) => {
      const share = rule.upstreams[at]
      const own = share?.model ?? rule.model
      const configured = own ?? configuredName(names, model)
      const candidate = { upstream, model: own ?? model, configured }
      return share?.weight === undefined ? candidate : { ...candidate, weight: share.weight }
    })
    return { rule, candidates }
  }

  /**
   * The names that a client can use: those that rules name, and those of upstreams that match a pattern. An upstream
   * that does not answer adds none.
   */
  async list(query: ModelsQuery, failed: ModelsFailed): Promise<string[]> {
    const names = new Set(this.#rules.flatMap((rule) => rule.match.filter((pattern) => !pattern.includes('*'))))
    const open = this.#entries.filter(({ rule }) => rule.match.some((pattern) => pattern.includes('*')))
    const upstreams = [...new Set(open.flatMap(({ upstreams }) => upstreams))]
    const listed = await Promise.allSettled(upstreams.map((upstream) => upstream.models(query)))
    for (const [index, upstream] of upstreams.entries()) {
      const result = listed[index]
      if (result?.status === 'rejected') failed(upstream, result.reason)
      if (result?.status !== 'fulfilled') continue
      for (const { id } of result.value) {
        if (this.#entries.find(({ patterns }) => patterns.test(id))?.upstreams.includes(upstream)) names.add(id)
      }
    }
    return [...names]
  }

  /**
   * Returns the tokens of a model's context, from the first of its upstreams that reports it; undefined if none does.
   */
  async contextLength(model: string, query: ModelsQuery, failed: ModelsFailed): Promise<number | undefined> {
    for (const { upstream, model: own } of this.route(model).candidates) {
      try {
        const found = (await upstream.models(query)).find(({ id }) => id === own)
        if (found?.contextLength !== undefined) return found.contextLength
      } catch (error) {
        failed(upstream, error)
      }
    }
    return undefined
  }
}

/** Returns the entry of a rule's `match` that a name fits; of several the name itself. */
function configuredName(names: readonly Pattern[], model: string): string {
  return (names.find(({ name }) => name === model) ?? names.find(({ is }) => is.test(model)))?.name ?? ''
}

/** A name of a rule as it is configured, and as an expression. */
interface Pattern {
  name: string
  is: RegExp
}

/** Returns the patterns as one expression. `*` matches any characters. */
export function patternOf(match: readonly string[]): RegExp {
  const parts = match.map((pattern) => pattern.split('*').map(escapeRegExp).join('.*'))
  return new RegExp(`^(?:${parts.join('|')})$`, 's')
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
}
