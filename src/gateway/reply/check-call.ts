import { isJsonObject, type Tool } from '../../conversation/index.ts'
import { defaultBounds, parseInPieces, validate } from '../../json/index.ts'
import { faultOfInput } from './input-grammar.ts'

/** `unjudged`: checking the arguments would take more steps than the calls of a reply may take; the client has to check such a call. */
export type CheckedCall = { type: 'valid' | 'unjudged' } | InvalidCall

/** `syntax`: the arguments are not JSON; `schema`: they are JSON, but do not fit the tool's schema or grammar. The faults are in words for the model. */
interface InvalidCall {
  type: 'invalid'
  cause: 'syntax' | 'schema'
  faults: readonly string[]
}

/** Judges the calls of one reply by their tools' schemas. All of them share the number of steps that `validate` takes by default. */
export class CallCheck {
  #left = defaultBounds.steps

  /** Judges a call's arguments. */
  judge(tool: Tool, json: string): CheckedCall {
    try {
      return this.#judgeValue(tool, JSON.parse(json))
    } catch (error) {
      return noJson(error)
    }
  }

  /** The same; large arguments are parsed in pieces, between which others are served. */
  async judgeInPieces(tool: Tool, json: string): Promise<CheckedCall> {
    if (json.length <= mostAtOnce) return this.judge(tool, json)
    try {
      const parsed = await parseInPieces(json)
      return this.#judgeValue(tool, 'value' in parsed ? parsed.value : undefined)
    } catch (error) {
      return noJson(error)
    }
  }

  #judgeValue({ schema, inputGrammar }: Tool, value: unknown): CheckedCall {
    if (!isJsonObject(value)) return { type: 'invalid', cause: 'schema', faults: ['The arguments are no JSON object.'] }
    const verdict = validate(schema, value, { ...defaultBounds, steps: this.#left })
    this.#left -= verdict.steps
    if (verdict.type !== 'invalid') {
      const fault = inputGrammar && faultOfInput(inputGrammar, value)
      return fault === undefined ? { type: verdict.type } : { type: 'invalid', cause: 'schema', faults: [fault] }
    }
    const faults = verdict.faults.map(({ place, message }) => `${place || 'the arguments'}: ${message}.`)
    return { type: 'invalid', cause: 'schema', faults }
  }
}

/** The number of characters that are parsed at once: a few milliseconds of work. */
export const mostAtOnce: number = 256 * 1024

function noJson(error: unknown): CheckedCall {
  if (error instanceof SyntaxError) return { type: 'invalid', cause: 'syntax', faults: ['The arguments are no JSON.'] }
  throw error
}

/** The faults of a single call; empty if the call is valid or cannot be judged. */
export function faultsOf(tool: Tool, json: string): readonly string[] {
  const verdict = new CallCheck().judge(tool, json)
  return verdict.type === 'invalid' ? verdict.faults : []
}
