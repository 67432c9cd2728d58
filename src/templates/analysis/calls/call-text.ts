import type { IdPattern } from '../probes/ids.ts'
import { nonces, nth } from '../probes/nonces.ts'
import type { ProbeRenderer } from '../probes/probe-renderer.ts'
import { callPart, type ProbeCall, toolsFor, type ValueType } from '../probes/replies.ts'
import { slots } from '../probes/slots.ts'
import { sharedStart } from '../turn/segments.ts'
import type { Surroundings } from '../turn/surroundings.ts'
import { afterLead, type TurnMarkers, untilEnd } from '../turn/turn-markers.ts'

/**
 * The text of replies that contain only calls, as one template writes them: without the header, the marks of empty
 * text, and the end.
 */
export class CallText {
  readonly renderer: ProbeRenderer
  readonly #frame: TurnMarkers
  readonly #head: string
  readonly #contentClose: string
  /** Markers that may come before a call although they contain nothing: those of reasoning and of text. */
  readonly #empty: readonly string[]
  readonly #idOf: IdPattern | undefined
  readonly #known = new Map<string, string | undefined>()

  constructor(renderer: ProbeRenderer, { frame, reasoning, content }: Surroundings, idOf?: IdPattern) {
    this.renderer = renderer
    this.#frame = frame
    this.#head = content.head
    const { open = '', close = '' } = content.beforeCalls ?? {}
    const empty = [reasoning.open, reasoning.close, content.open, content.close, open, close]
    this.#empty = empty.filter((marker) => marker !== '')
    this.#contentClose = content.close
    this.#idOf = idOf
  }

  /** The end of a prompt before anything of the reply. */
  get header(): string {
    return this.#frame.header
  }

  /** With slots in place of the probes' names and ids; undefined if the template refuses, or shows no call. */
  of(calls: readonly ProbeCall[], type: ValueType = 'string'): string | undefined {
    const key = JSON.stringify([calls, type])
    if (!this.#known.has(key)) this.#known.set(key, this.#render(calls, type))
    return this.#known.get(key)
  }

  #render(calls: readonly ProbeCall[], type: ValueType): string | undefined {
    const parts = calls.map((call, index) => {
      const id = this.#idOf?.(nth(nonces.names, call.tool), index)
      return callPart(id === undefined ? call : { ...call, id }, index)
    })
    const text = this.renderer.reply(parts, { tools: toolsFor(type) })
    const written = text === undefined ? undefined : afterLead(text, this.#frame)
    return written === undefined ? undefined : this.#body(slotted(written))
  }

  #body(reply: string): string {
    let text = reply.slice(sharedStart(reply, this.#head).length)
    for (const marker of this.#empty) {
      if (text.trimStart().startsWith(marker)) text = text.trimStart().slice(marker.length)
    }
    return untilEnd(text, this.#frame, this.#contentClose).trimEnd()
  }
}

function slotted(text: string): string {
  let result = text
  for (const name of nonces.names) result = result.replaceAll(name, slots.name)
  for (const id of nonces.ids) result = result.replaceAll(id, slots.id)
  return result
}

const digits = /\d+/g

/**
 * The number of a call among the calls of a reply: if the literals of a first and a second call differ in one number,
 * by one, that number becomes a slot. Undefined if they differ in anything else.
 */
export function withIndex(first: string, second: string): string | undefined {
  if (first.replace(digits, '0') !== second.replace(digits, '0')) return undefined
  const [ones, twos] = [first.match(digits) ?? [], second.match(digits) ?? []]
  const differing = [...ones.keys()].filter((index) => ones[index] !== twos[index])
  const [at] = differing
  if (at === undefined) return first
  if (differing.length !== 1 || Number(twos[at]) !== Number(ones[at]) + 1) return undefined
  let count = 0
  return first.replace(digits, (found) => (count++ === at ? slots.index : found))
}
