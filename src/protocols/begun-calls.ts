import type { ReplyCall, ReplyEvent, ReplyPart } from '../conversation/index.ts'

type CallStart = Extract<ReplyEvent, { type: 'call-start' }>

/**
 * Delays the start of each call until its arguments begin. Clients close the JSON of a call that broke off, and treat missing
 * JSON as an empty object: a call that is cut after its name or its first brace would become a call without arguments, which
 * some tools run. So a call starts with the text after that brace, and a call that breaks off before is text.
 */
export class BegunCalls {
  #start: CallStart | undefined
  /** The pieces of its arguments so far. */
  #json = ''
  /** Events of other calls in the meantime. */
  #after: ReplyEvent[] = []
  #hasText = false

  /** Returns the events that may be sent. */
  pass(events: readonly ReplyEvent[]): readonly ReplyEvent[] {
    const isPlain = !this.#start && !events.some(({ type }) => type === 'call-start')
    if (!isPlain) return events.flatMap((event) => this.#take(event))
    this.#hasText ||= events.some(isText)
    return events
  }

  #take(event: ReplyEvent): ReplyEvent[] {
    const start = this.#start
    if (event.type === 'call-start' && !start) {
      this.#start = event
      return []
    }
    if (!start || event.type === 'notice') {
      this.#hasText ||= isText(event)
      return [event]
    }
    if (event.type === 'text' || event.type === 'reasoning') return this.#release([...this.#begun(start), event])
    if (event.type === 'finish') return this.#release([this.#brokenOff(start), event])
    if (event.type === 'call-start' || event.index !== start.index) {
      this.#after.push(event)
      return []
    }
    if (event.type === 'call-end') {
      return this.#release(event.complete ? [...this.#begun(start), event] : [this.#brokenOff(start)])
    }
    this.#json += event.json
    return hasBegun(this.#json) ? this.#release(this.#begun(start)) : []
  }

  #begun(start: CallStart): ReplyEvent[] {
    return this.#json === '' ? [start] : [start, { type: 'call-arguments', index: start.index, json: this.#json }]
  }

  #brokenOff({ name }: CallStart): ReplyEvent {
    return { type: 'text', text: brokenOff(name, this.#hasText) }
  }

  /** Sends these events, and the ones that waited for them. */
  #release(events: ReplyEvent[]): ReplyEvent[] {
    const after = this.#after
    this.#start = undefined
    this.#json = ''
    this.#after = []
    this.#hasText ||= events.some(isText)
    return [...events, ...after.flatMap((event) => this.#take(event))]
  }
}

/** Returns the parts of a whole reply as its stream would give them. */
export function begunParts(parts: readonly ReplyPart[]): ReplyPart[] {
  let hasText = false
  return parts.map((part) => {
    const isBegun = part.type !== 'call' || part.complete || hasBegun(part.arguments)
    const given: ReplyPart = isBegun ? part : { type: 'text', text: brokenOff(part.name, hasText) }
    hasText ||= given.type === 'text' && given.text !== ''
    return given
  })
}

/** Returns a call that broke off as a text that describes it. */
export function callAsText({ name, arguments: json }: ReplyCall): string {
  return `[The call of the tool ${name} broke off and was not made. Its arguments so far: ${json}]`
}

/** Returns the parts of a reply as a history has them: nothing ran a call that broke off, so no result will answer it, and it is text. */
export function settledParts(parts: readonly ReplyPart[]): ReplyPart[] {
  return begunParts(parts).map((part) =>
    part.type === 'call' && !part.complete ? { type: 'text', text: callAsText(part) } : part,
  )
}

function hasBegun(json: string): boolean {
  return !/^\s*(?:\{\s*)?$/.test(json)
}

function isText(event: ReplyEvent): boolean {
  return event.type === 'text' && event.text !== ''
}

function brokenOff(name: string, isAfterText: boolean): string {
  return `${isAfterText ? '\n' : ''}[The call of the tool ${name} broke off before its arguments and was not made.]`
}
