import {
  ArgumentWriter,
  JsonReader,
  type JsonSink,
  JsonText,
  mendJson,
  type Repair,
  repairs,
  Shape,
  unescapeJson,
} from '../json/index.ts'
import type { CallReader, CallSink, CallStatus, CallSyntax } from './call-reader.ts'
import type { ModelText } from './model-text.ts'

/** Calls written as one JSON object between tags: `<CALL>{"name": "f", "input": {…}}</CALL>`. */
export interface JsonFormat {
  /** The tag around the object. */
  tag: string
}

/** Under which keys models put the tool's name and the arguments, whatever they were told. */
const nameKeys: ReadonlySet<string> = new Set(['name', 'tool', 'tool_name', 'function'])
const argumentKeys: ReadonlySet<string> = new Set(['input', 'arguments', 'args', 'parameters', 'params'])

/** What may stand in the opening tag behind its name: models invent attributes. */
const longestAttributes = 200

export function jsonSyntax(format: JsonFormat): CallSyntax {
  const tag = format.tag
  const patterns: Patterns = {
    open: new RegExp(`<${tag}(?=[\\s>])[^<>]{0,${longestAttributes}}>`, 'iy'),
    close: new RegExp(`</${tag}\\s*>`, 'iy'),
    opener: `<${tag}`.toLowerCase(),
    closer: `</${tag}`.toLowerCase(),
  }
  return {
    opener: patterns.opener,
    marks: [patterns.opener, patterns.closer],
    createCallReader: (sink) => new JsonCallReader(patterns, sink),
  }
}

interface Patterns {
  open: RegExp
  close: RegExp
  opener: string
  closer: string
}

const blanks = /\s*/y
/** Brackets too many at the end are the commonest slip in nested JSON. */
const surplus = /[\s}\]]{0,64}/y

class JsonCallReader implements CallReader {
  readonly #patterns: Patterns
  readonly #envelope: Envelope
  readonly #json: JsonReader
  readonly #sink: CallSink
  #state: 'open' | 'start' | 'object' | 'end' = 'open'

  constructor(patterns: Patterns, sink: CallSink) {
    this.#patterns = patterns
    this.#sink = sink
    this.#envelope = new Envelope(sink)
    this.#json = new JsonReader(this.#envelope)
  }

  read(source: ModelText): CallStatus {
    for (;;) {
      const status = this.#step(source)
      if (status !== 'on') return status
    }
  }

  #step(source: ModelText): CallStatus | 'on' {
    switch (this.#state) {
      case 'open': {
        const tag = source.match(this.#patterns.open)
        if (!tag) return this.#isTagBegun(source) ? 'more' : 'broken'
        source.take(source.place + tag[0].length, 'marker')
        this.#state = 'start'
        return 'on'
      }
      case 'start':
        source.take(source.place + (source.match(blanks)?.[0].length ?? 0), 'marker')
        if (source.place === source.text.length) return source.isFinal ? 'broken' : 'more'
        // Without an object right behind it, the tag was only talked about.
        if (source.text[source.place] !== '{') return 'broken'
        this.#state = 'object'
        return 'on'
      case 'object':
        return this.#readObject(source)
      case 'end':
        return this.#readEnd(source)
    }
  }

  #readObject(source: ModelText): CallStatus | 'on' {
    source.take(this.#json.read(source.text, source.place, source.isFinal), 'argument')
    if (this.#envelope.isBroken) return 'broken'
    if (this.#json.status === 'stopped') {
      if (source.mayBegin([`${this.#patterns.closer}>`])) {
        // The reader stopped at what may be the closing tag; wait for it to be whole.
        return this.#closesAt(source) ? this.#closeObject(source) : 'more'
      }
      return this.#closesAt(source) ? this.#closeObject(source) : 'broken'
    }
    if (this.#json.status === 'more') {
      if (!source.isFinal) return 'more'
      return source.isCut ? 'broken' : this.#closeObject(source)
    }
    this.#state = 'end'
    return 'on'
  }

  /** The object's end is proven by what follows it, although brackets are missing. */
  #closeObject(source: ModelText): CallStatus | 'on' {
    if (!this.#json.close(source.place) || this.#envelope.isBroken) return 'broken'
    this.#state = 'end'
    return 'on'
  }

  #readEnd(source: ModelText): CallStatus | 'on' {
    const brackets = source.match(surplus)?.[0] ?? ''
    const at = source.place + brackets.length
    const close = source.match(this.#patterns.close, at)
    if (!close && at === source.text.length && !source.isFinal && brackets.length < 64) return 'more'
    if (!close && source.mayBegin([`${this.#patterns.closer} `], at)) return 'more'
    if (/[}\]]/.test(brackets)) {
      this.#sink.notice('repaired', `Repaired in the call: ${repairs['surplus-closer']}.`, source.place)
      source.take(source.place + brackets.trimEnd().length, 'marker')
    }
    if (close) source.take(at + close[0].length, 'marker')
    else this.#sink.notice('repaired', `The closing tag ${this.#patterns.closer}> was left out.`, source.place)
    return this.#envelope.finish() ? 'complete' : 'broken'
  }

  #closesAt(source: ModelText): boolean {
    return source.match(this.#patterns.close) !== null
  }

  #isTagBegun(source: ModelText): boolean {
    const rest = source.text.slice(source.place)
    return !source.isFinal && rest.length < longestAttributes && !/[<>]/.test(rest.slice(1))
  }
}

type Slot = 'name' | 'arguments' | 'other'

/**
 * Takes the object around a call apart while it is read: the name goes to the sink, the arguments to a writer that
 * types them by the tool's schema. Arguments that come before the name are kept until it is known.
 */
class Envelope implements JsonSink {
  isBroken = false
  readonly #sink: CallSink
  #depth = 0
  #slot: Slot = 'other'
  /** The depth at which the keys of the call stand: 1, or 2 inside `"function": {…}`. */
  #level = 1
  #name = ''
  #named = false
  #writer: ArgumentWriter | undefined
  /** Arguments before the name, as JSON text. */
  #early: { json: string; text: JsonText } | undefined
  /** Arguments that are themselves written as a JSON string. */
  #encoded: string | undefined
  #hasArguments = false

  constructor(sink: CallSink) {
    this.#sink = sink
  }

  /** Ends the call; false when it has no name, or arguments that are no object. */
  finish(): boolean {
    if (this.isBroken || !this.#writer) return false
    this.#writer.finish()
    return true
  }

  openObject(): void {
    if (this.#isArguments) {
      this.#hasArguments ||= this.#depth === this.#level
      this.#target.openObject()
    } else if (this.#slot === 'name' && this.#depth === this.#level) {
      this.#level++
    }
    this.#depth++
  }

  closeObject(): void {
    this.#depth--
    if (this.#isArguments) this.#target.closeObject()
    if (this.#depth < this.#level) {
      this.#level = Math.max(1, this.#depth)
      this.#slot = 'other'
    }
    if (this.#depth === this.#level) this.#endArguments()
  }

  openArray(): void {
    if (this.#isArguments) {
      if (this.#depth === this.#level) this.isBroken = true
      else this.#target.openArray()
    }
    this.#depth++
  }

  closeArray(): void {
    this.#depth--
    if (this.#isArguments) this.#target.closeArray()
  }

  key(key: string): void {
    if (this.#depth > this.#level) {
      if (this.#isArguments) this.#target.key(key)
      return
    }
    if (argumentKeys.has(key) && !this.#hasArguments) this.#slot = 'arguments'
    else if (nameKeys.has(key) && !this.#named) this.#slot = 'name'
    else this.#slot = 'other'
  }

  openString(): void {
    if (!this.#isArguments) {
      if (this.#slot === 'name') this.#name = ''
      return
    }
    if (this.#depth === this.#level) this.#encoded = ''
    else this.#target.openString()
  }

  stringPiece(json: string): void {
    if (this.#isArguments) {
      if (this.#encoded === undefined) this.#target.stringPiece(json)
      else this.#encoded += json
    } else if (this.#slot === 'name' && this.#depth === this.#level) {
      this.#name += json
    }
  }

  closeString(): void {
    if (this.#isArguments) {
      if (this.#encoded === undefined) this.#target.closeString()
      else this.#decode(unescapeJson(this.#encoded))
    } else if (this.#slot === 'name' && this.#depth === this.#level) {
      this.#gotName(unescapeJson(this.#name).trim())
    }
  }

  literal(json: string): void {
    if (!this.#isArguments) return
    if (this.#depth > this.#level) this.#target.literal(json)
    else if (json !== 'null') this.isBroken = true
  }

  repaired(repair: Repair, at: number): void {
    this.#sink.notice('repaired', `Repaired in the call: ${repairs[repair]}.`, at)
  }

  get #isArguments(): boolean {
    return this.#slot === 'arguments' && !this.isBroken
  }

  get #target(): JsonSink {
    if (this.#writer) return this.#writer
    if (!this.#early) {
      const early = { json: '', text: new JsonText((json) => (early.json += json)) }
      this.#early = early
    }
    return this.#early.text
  }

  #gotName(name: string): void {
    if (name === '') return
    this.#named = true
    const tool = this.#sink.name(name)
    this.#writer = new ArgumentWriter(tool ? Shape.of(tool.schema) : Shape.any, (json) => this.#sink.argument(json), {
      repaired: () => {},
      typed: (key, message) => this.#sink.notice('retyped', `Argument "${key}": ${message}.`, 0),
    })
    if (this.#early) new JsonReader(this.#writer).read(this.#early.json, 0, true)
    this.#early = undefined
  }

  #endArguments(): void {
    if (this.#isArguments) this.#slot = 'other'
  }

  /** Arguments as a JSON string, perhaps of a JSON string: OpenAI's own form, and a common mistake. */
  #decode(text: string): void {
    this.#encoded = undefined
    this.#hasArguments = true
    const json = text.trim() === '' ? '{}' : mendJson(text)
    this.#slot = 'other'
    if (json?.startsWith('"')) {
      this.#slot = 'arguments'
      this.#decode(unescapeJson(json.slice(1, -1)))
      return
    }
    if (!json?.startsWith('{')) {
      this.isBroken = true
      return
    }
    if (this.#writer) new JsonReader(this.#writer).read(json, 0, true)
    else this.#early = { json, text: new JsonText(() => {}) }
  }
}
