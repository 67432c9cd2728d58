import { isJsonObject, type JsonObject, RecentMap } from '../../conversation/index.ts'

const maxTokensRefused = /max[_ ]?(?:completion[_ ]?)?tokens/i
const maximum = /(?:less than(?: or equal to)?|at most|not exceed|maximum(?: value)?(?: of| is)?|<=?)\D{0,40}?(\d+)/i

/** Fields that a request can do without, and the service's words for those that it refuses. */
const sparable: readonly { field: string; says: RegExp }[] = [
  { field: 'streamOptions', says: /stream_?options|include_?usage/i },
  // Of Cohere's models only those that reason take it.
  { field: 'thinking', says: /thinking|reasoning/i },
]

/** What the service has refused of requests, by model; it is not asked for again. */
export class OciRefusals {
  readonly #fields = new RecentMap<string, Set<string>>()
  readonly #limits = new RecentMap<string, number>()

  /** The most tokens that a model writes, as far as a refusal has said. */
  limitOf(model: string): number {
    return this.#limits.get(model) ?? Number.POSITIVE_INFINITY
  }

  /** A chat request without what was refused before. */
  without(model: string, chatRequest: JsonObject): JsonObject {
    const refused = this.#fields.get(model)
    if (!refused) return chatRequest
    return Object.fromEntries(Object.entries(chatRequest).filter(([field]) => !refused.has(field)))
  }

  /** The body without what is refused by `text`, where it can do without; undefined: the refusal stands. */
  spare(model: string, { chatRequest, ...around }: JsonObject, text: string): JsonObject | undefined {
    if (!isJsonObject(chatRequest)) return undefined
    const refused = sparable.find(({ field, says }) => chatRequest[field] !== undefined && says.test(text))
    if (refused) {
      const fields = this.#fields.get(model) ?? new Set()
      this.#fields.set(model, fields.add(refused.field))
      return { ...around, chatRequest: this.without(model, chatRequest) }
    }
    const limit = maxTokensRefused.test(text) ? Number(maximum.exec(text)?.[1]) : Number.NaN
    for (const field of ['maxTokens', 'maxCompletionTokens']) {
      const asked = chatRequest[field]
      if (typeof asked !== 'number' || !(limit > 0 && limit < asked)) continue
      this.#limits.set(model, limit)
      return { ...around, chatRequest: { ...chatRequest, [field]: limit } }
    }
    return undefined
  }
}
