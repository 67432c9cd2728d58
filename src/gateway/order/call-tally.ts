import type { ReplyEvent, Tool } from '../../conversation/index.ts'
import { CallCheck } from '../reply/check-call.ts'

/** Notices of calls that did not become calls of the reply. */
const rejected: ReadonlySet<string> = new Set([
  'unknown-tool',
  'ambiguous-tool',
  'call-sent-back',
  'required-call-missing',
])
/** Notices of calls that may have begun. */
const broken: ReadonlySet<string> = new Set(['broken-call', 'incomplete-call'])

/** Longer arguments are not judged: parsing them takes milliseconds. */
const mostJudged = 256 * 1024

/**
 * Counts the calls of one reply, and the wrong ones: a tool that is not offered, arguments against its schema, a broken call, a reply that was
 * sent back, a required call that did not come. Repaired calls are right. A call that the token limit cut is not counted.
 */
export class CallTally {
  readonly #tools: readonly Tool[]
  readonly #check = new CallCheck()
  /** The open calls by their index. */
  readonly #open = new Map<number, { name: string; json: string }>()
  #complete = 0
  #invalid = 0
  #incomplete = 0
  #rejected = 0
  #broken = 0
  #isCut = false

  constructor(tools: readonly Tool[]) {
    this.#tools = tools
  }

  saw(events: readonly ReplyEvent[]): void {
    for (const event of events) {
      if (event.type === 'call-start') this.#open.set(event.index, { name: event.name, json: '' })
      else if (event.type === 'call-arguments') this.#append(event.index, event.json)
      else if (event.type === 'call-end') this.#end(event.index, event.complete)
      else if (event.type === 'finish') this.#isCut = event.reason === 'length'
      else if (event.type === 'notice' && rejected.has(event.notice.code)) this.#rejected++
      else if (event.type === 'notice' && broken.has(event.notice.code)) this.#broken++
    }
  }

  get counts(): { calls: number; errors: number } {
    // A call that began and broke has both an end and a notice.
    const unfinished = this.#isCut ? 0 : Math.max(this.#incomplete, this.#broken)
    const errors = this.#invalid + this.#rejected + unfinished
    return { calls: this.#complete - this.#invalid + errors, errors }
  }

  #append(index: number, json: string): void {
    const call = this.#open.get(index)
    if (call && call.json.length <= mostJudged) call.json += json
  }

  #end(index: number, isComplete: boolean): void {
    const call = this.#open.get(index)
    this.#open.delete(index)
    if (!isComplete) this.#incomplete++
    else {
      this.#complete++
      if (call && !this.#isValid(call)) this.#invalid++
    }
  }

  #isValid({ name, json }: { name: string; json: string }): boolean {
    const tool = this.#tools.find((one) => one.name === name)
    return !tool || json.length > mostJudged || this.#check.judge(tool, json).type !== 'invalid'
  }
}
