import type { Notice, ReplyEvent, Tool } from '../../conversation/index.ts'
import { CallCheck, mostAtOnce } from '../reply/check-call.ts'

/** The class of a call that is not valid, strictest first: a call with several faults counts as the first of them. */
export type CallFault = (typeof callFaults)[number]

export const callFaults = ['invalid_json', 'unknown_name', 'schema_mismatch'] as const

/** A call that has ended; `fault` is absent for one that is valid. */
export interface JudgedCall {
  fault?: CallFault
}

/** The calls of a reply that were not emitted, by the codes of their notices. */
const refused: Readonly<Record<string, CallFault>> = {
  'unknown-tool': 'unknown_name',
  'ambiguous-tool': 'unknown_name',
  'broken-call': 'invalid_json',
  'incomplete-call': 'invalid_json',
}

/** The notice codes of repairs in emitted calls. */
const repaired: Readonly<Record<string, CallFault>> = { repaired: 'invalid_json', retyped: 'schema_mismatch' }

/** Judges calls by the tools that a client offers. Arguments of more than a few hundred kilobytes are not judged. */
export class CallJudge {
  readonly #tools: readonly Tool[]
  readonly #check = new CallCheck()

  constructor(tools: readonly Tool[]) {
    this.#tools = tools
  }

  /** Returns the fault of a call as it is written; undefined for one that is valid or cannot be judged. */
  faultOf(name: string, json: string): CallFault | undefined {
    if (json.length > mostAtOnce) return undefined
    const tool = this.#tools.find((one) => one.name === name)
    if (!tool) return isJson(json) ? 'unknown_name' : 'invalid_json'
    const verdict = this.#check.judge(tool, json)
    if (verdict.type !== 'invalid') return undefined
    return verdict.cause === 'syntax' ? 'invalid_json' : 'schema_mismatch'
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

interface OpenCall {
  name: string
  json: string
  fault: CallFault | undefined
}

/**
 * Collects the calls of a reply from its events. `countsRepairs`: a call that had to be repaired counts as invalid. A call that
 * the token limit cut is counted neither as valid nor as invalid.
 */
export class ReplyCalls {
  readonly #judge: CallJudge
  readonly #countsRepairs: boolean
  readonly #judged: JudgedCall[] = []
  /** Calls that broke off: they were cut, or are invalid. */
  #broken = 0
  #open: OpenCall | undefined

  constructor(judge: CallJudge, { countsRepairs }: { countsRepairs: boolean }) {
    this.#judge = judge
    this.#countsRepairs = countsRepairs
  }

  push(events: readonly ReplyEvent[]): void {
    for (const event of events) {
      switch (event.type) {
        case 'call-start':
          this.#open = { name: event.name, json: '', fault: undefined }
          break
        case 'call-arguments':
          if (this.#open && this.#open.json.length <= mostAtOnce) this.#open.json += event.json
          break
        case 'call-end':
          this.#end(event.complete)
          break
        case 'notice':
          this.#noticed(event.notice)
      }
    }
  }

  /** Returns the calls once the reply has ended. */
  end(wasCut: boolean): readonly JudgedCall[] {
    if (!wasCut) for (; this.#broken > 0; this.#broken--) this.#judged.push({ fault: 'invalid_json' })
    return this.#judged
  }

  #end(complete: boolean): void {
    const open = this.#open
    this.#open = undefined
    if (!open) return
    if (!complete) {
      this.#broken++
      return
    }
    const fault = worse(open.fault, this.#judge.faultOf(open.name, open.json))
    this.#judged.push(fault ? { fault } : {})
  }

  #noticed({ code }: Notice): void {
    const open = this.#open
    if (open) {
      const fault = this.#countsRepairs && Object.hasOwn(repaired, code) ? repaired[code] : undefined
      open.fault = worse(open.fault, fault)
      return
    }
    if (!Object.hasOwn(refused, code)) return
    if (code === 'incomplete-call') this.#broken++
    else this.#judged.push({ fault: refused[code] ?? 'invalid_json' })
  }
}

/** The fault that comes first in the list of classes. */
function worse(one: CallFault | undefined, other: CallFault | undefined): CallFault | undefined {
  return callFaults.find((fault) => fault === one || fault === other)
}
