import { isJsonObject, type Tool } from '../../conversation/index.ts'
import { defaultBounds, validate } from '../../json/index.ts'

/** `unjudged`: judging the arguments would take more steps than a reply's calls may; such a call is the client's to judge. */
export type CallVerdict = { type: 'valid' | 'unjudged' } | { type: 'invalid'; faults: readonly string[] }

/** Judges the calls of one reply by their tools' schemas: all of them in so many steps as `validate` takes by default. */
export class CallCheck {
  #left = defaultBounds.steps

  /** Judges a call's arguments; the faults are in words for the model. */
  judge({ schema }: Tool, json: string): CallVerdict {
    let value: unknown
    try {
      value = JSON.parse(json)
    } catch {
      return { type: 'invalid', faults: ['The arguments are no JSON.'] }
    }
    if (!isJsonObject(value)) return { type: 'invalid', faults: ['The arguments are no JSON object.'] }
    const verdict = validate(schema, value, { ...defaultBounds, steps: this.#left })
    this.#left -= verdict.steps
    if (verdict.type !== 'invalid') return { type: verdict.type }
    const faults = verdict.faults.map(({ place, message }) => `${place || 'the arguments'}: ${message}.`)
    return { type: 'invalid', faults }
  }
}

/** The faults of one call by itself: empty for one that is valid or cannot be judged. */
export function faultsOf(tool: Tool, json: string): readonly string[] {
  const verdict = new CallCheck().judge(tool, json)
  return verdict.type === 'invalid' ? verdict.faults : []
}
