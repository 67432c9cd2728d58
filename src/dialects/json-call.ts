import { JsonReader, repairs } from '../json/index.ts'
import type { CallReader, CallSink, CallStatus, CallSyntax } from './call-reader.ts'
import { Envelope } from './envelope.ts'
import type { ModelText } from './model-text.ts'
import { closingTag, openingTag, type Tag } from './tags.ts'

/** Calls written as one JSON object between tags: `<CALL>{"name": "f", "input": {…}}</CALL>`. */
export interface JsonFormat {
  /** The tag around the object. */
  tag: string
}

export function jsonSyntax(format: JsonFormat): CallSyntax {
  const open = openingTag(format.tag)
  const close = closingTag(format.tag)
  return {
    opener: open.literal,
    closer: close.literal,
    marks: [open.literal, close.literal],
    createCallReader: (source, sink) => new JsonCallReader(open, close, source, sink),
  }
}

const blanks = /\s*/y
/** Brackets too many at the end are the commonest slip in nested JSON; this many are looked at with each piece. */
const longestSurplus = 64
const surplus = new RegExp(`[\\s}\\]]{0,${longestSurplus}}`, 'y')

class JsonCallReader implements CallReader {
  readonly #open: Tag
  readonly #close: Tag
  readonly #source: ModelText
  readonly #sink: CallSink
  readonly #envelope: Envelope
  readonly #json: JsonReader
  #state: 'open' | 'start' | 'object' | 'end' = 'open'

  constructor(open: Tag, close: Tag, source: ModelText, sink: CallSink) {
    this.#open = open
    this.#close = close
    this.#source = source
    this.#sink = sink
    this.#envelope = new Envelope(sink, () => this.#json.offset)
    this.#json = new JsonReader(this.#envelope)
  }

  read(): CallStatus {
    for (;;) {
      const status = this.#step()
      if (status !== 'on') return status
    }
  }

  #step(): CallStatus | 'on' {
    switch (this.#state) {
      case 'open':
        return this.#readOpen()
      case 'start':
        return this.#readStart()
      case 'object':
        return this.#readObject()
      case 'end':
        return this.#readEnd()
    }
  }

  #readOpen(): CallStatus | 'on' {
    const tag = this.#source.tagAt(this.#open)
    if (tag === 'begun') return 'more'
    if (!tag) return 'no-call'
    this.#source.take(this.#source.place + tag[0].length, 'marker')
    this.#state = 'start'
    return 'on'
  }

  #readStart(): CallStatus | 'on' {
    const source = this.#source
    source.take(source.place + source.length(blanks), 'marker')
    if (source.isAtEnd && !source.isFinal) return 'more'
    // Without an object right behind it, the tag was only talked about.
    if (source.text[source.place] !== '{') return 'no-call'
    this.#state = 'object'
    return 'on'
  }

  #readObject(): CallStatus | 'on' {
    const source = this.#source
    source.take(this.#json.read(source.text, source.place, source.isFinal, source.offsetOf(0)), 'argument')
    switch (this.#json.status) {
      case 'done':
        this.#state = 'end'
        return 'on'
      case 'more':
        if (!source.isFinal) return 'more'
        // The model stopped here, which proves the end as long as it did not mean to go on.
        return source.isCut || this.#json.isAfterComma ? 'broken' : this.#closeObject()
      case 'stopped': {
        // A closing tag proves the object's end, although brackets are missing; so does the next call.
        const [close, open] = [this.#close, this.#open].map((tag) => source.tagAt(tag))
        if (close === 'begun' || open === 'begun') return 'more'
        return close || (open && !this.#json.isAfterComma) ? this.#closeObject() : 'broken'
      }
    }
  }

  #closeObject(): CallStatus | 'on' {
    if (!this.#json.close(this.#source.place)) return 'broken'
    this.#state = 'end'
    return 'on'
  }

  #readEnd(): CallStatus | 'on' {
    const source = this.#source
    const length = source.length(surplus)
    const at = source.place + length
    if (at === source.text.length && !source.isFinal && length < longestSurplus) return 'more'
    const close = source.tagAt(this.#close, at)
    if (close === 'begun') return 'more'
    const brackets = source.text.slice(source.place, at).trimEnd()
    if (/[}\]]/.test(brackets)) {
      this.#sink.notice('repaired', `Repaired in the call: ${repairs['surplus-closer']}.`, source.offset)
      source.take(source.place + brackets.length, 'marker')
    }
    if (close) source.take(at + close[0].length, 'marker')
    else this.#sink.notice('repaired', `The closing tag ${this.#close.literal}> was left out.`, source.offset)
    return this.#envelope.finish() ? 'complete' : 'broken'
  }
}
