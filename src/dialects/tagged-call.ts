import { ArgumentWriter, JsonReader, repairs, Shape } from '../json/index.ts'
import type { CallReader, CallSink, CallStatus, CallSyntax } from './call-reader.ts'
import type { ModelText } from './model-text.ts'
import { TaggedValue } from './tagged-value.ts'
import { attributeReader, closingTag, isSelfClosing, openingTag } from './tags.ts'
import { findValueEnd, type ValueTags } from './value-end.ts'

/** Calls written as `<call name="f"><parameter name="k">value</parameter></call>`. */
export interface TaggedFormat {
  /** The call's tag. */
  call: string
  /** The attribute of it that names the tool. */
  callName: string
  /** The tag of one argument. */
  parameter: string
  /** The attribute of it that names the argument. */
  parameterName: string
}

export function taggedSyntax(format: TaggedFormat): CallSyntax {
  const parts: Parts = {
    callOpen: openingTag(format.call),
    callClose: closingTag(format.call),
    parameterOpen: openingTag(format.parameter),
    parameterClose: closingTag(format.parameter),
    closer: new RegExp(`</(?:${format.parameter}|${format.call})(?![\\w-])`, 'gi'),
    nameOf: attributeReader(format.callName),
    keyOf: attributeReader(format.parameterName),
  }
  const tags = [parts.callOpen, parts.callClose, parts.parameterOpen, parts.parameterClose]
  return {
    opener: parts.callOpen.literal,
    closer: parts.callClose.literal,
    marks: tags.map((tag) => tag.literal),
    createCallReader: (source, sink) => new TaggedCallReader(parts, source, sink),
  }
}

interface Parts extends ValueTags {
  nameOf: (attributes: string) => string | undefined
  keyOf: (attributes: string) => string | undefined
}

const blanks = /\s*/y

class TaggedCallReader implements CallReader {
  readonly #parts: Parts
  readonly #source: ModelText
  readonly #sink: CallSink
  #state: 'open' | 'body' | 'value' | 'json' = 'open'
  /** A stand-in until the tool is known. */
  #writer: ArgumentWriter
  #required: readonly unknown[] = []
  #value: TaggedValue | undefined
  #valueBegun = false
  #json: JsonReader | undefined
  /** The place, in all of the model's text, of the argument that is being read. */
  #offset = 0

  constructor(parts: Parts, source: ModelText, sink: CallSink) {
    this.#parts = parts
    this.#source = source
    this.#sink = sink
    this.#writer = this.#createWriter(Shape.any)
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
      case 'body':
        return this.#readBody()
      case 'value':
        return this.#readValue()
      case 'json':
        return this.#readJson()
    }
  }

  #createWriter(shape: Shape): ArgumentWriter {
    return new ArgumentWriter(shape, (json) => this.#sink.argument(json), {
      offset: () => this.#json?.offset ?? this.#offset,
      repaired: (repair, offset) =>
        this.#sink.notice('repaired', `Repaired in the arguments: ${repairs[repair]}.`, offset),
      typed: (key, message, offset) => this.#sink.notice('retyped', `Argument "${key}": ${message}.`, offset),
      repeated: (key, offset) =>
        this.#sink.notice('duplicate-argument', `Argument "${key}" came twice; the last counts.`, offset),
    })
  }

  #readOpen(): CallStatus | 'on' {
    const source = this.#source
    const tag = source.tagAt(this.#parts.callOpen)
    if (tag === 'begun') return 'more'
    const attributes = tag?.[1] ?? ''
    const name = this.#parts.nameOf(attributes)
    if (!tag || name === undefined) return 'no-call'
    const tool = this.#sink.name(name)
    if (tool) this.#writer = this.#createWriter(Shape.of(tool.schema))
    if (Array.isArray(tool?.schema.required)) this.#required = tool.schema.required
    source.take(source.place + tag[0].length, 'marker')
    if (isSelfClosing(attributes)) return this.#complete()
    this.#state = 'body'
    return 'on'
  }

  #readBody(): CallStatus | 'on' {
    const source = this.#source
    const { callOpen, callClose, parameterOpen } = this.#parts
    source.take(source.place + source.length(blanks), 'marker')
    if (source.isAtEnd) return source.isFinal ? this.#endUnclosed() : 'more'
    const [close, parameter, next] = [callClose, parameterOpen, callOpen].map((tag) => source.tagAt(tag))
    if (close && close !== 'begun') {
      source.take(source.place + close[0].length, 'marker')
      return this.#complete()
    }
    if (parameter && parameter !== 'begun' && !this.#json) {
      const key = this.#parts.keyOf(parameter[1] ?? '')
      if (key !== undefined) return this.#openValue(key, parameter)
    }
    if (close === 'begun' || parameter === 'begun' || next === 'begun') return 'more'
    if (source.text[source.place] === '{' && this.#isEmpty) {
      this.#json = new JsonReader(this.#writer)
      this.#state = 'json'
      return 'on'
    }
    // Prose right behind the opening tag is no call's body.
    return this.#isEmpty && !next ? 'broken' : this.#endUnclosed()
  }

  /** True while the call has no arguments yet. */
  get #isEmpty(): boolean {
    return this.#writer.keys.size === 0 && !this.#json
  }

  #openValue(key: string, tag: RegExpExecArray): 'on' {
    const source = this.#source
    this.#offset = source.offset
    source.take(source.place + tag[0].length, 'marker')
    if (this.#isEmpty) this.#writer.openObject()
    this.#writer.key(key)
    const offset = source.offset
    this.#value = new TaggedValue(this.#writer, (problem) =>
      this.#sink.notice('retyped', `Argument "${key}": ${problem}.`, offset),
    )
    if (isSelfClosing(tag[1] ?? '')) {
      this.#value.end()
      return 'on'
    }
    this.#valueBegun = false
    this.#state = 'value'
    return 'on'
  }

  #readValue(): CallStatus | 'on' {
    const source = this.#source
    if (!this.#valueBegun && !this.#beginValue()) return source.isFinal ? 'broken' : 'more'
    const end = findValueEnd(source, this.#parts)
    this.#takeValue(end.start, end.type !== 'none')
    if (end.type === 'none') return source.isFinal ? 'broken' : 'more'
    if (end.type === 'undecided') return 'more'
    source.take(end.resume, 'marker')
    this.#value?.end()
    this.#state = 'body'
    return 'on'
  }

  /** One line break behind the opening tag is the tag's. False when it may still come. */
  #beginValue(): boolean {
    const source = this.#source
    const rest = source.text.length - source.place
    if (rest === 0 || (rest === 1 && source.text[source.place] === '\r' && !source.isFinal)) return false
    source.take(source.place + source.length(/\r?\n/y), 'marker')
    this.#valueBegun = true
    return true
  }

  /** Takes the value's text up to `end`, but for a line break there: it is the closing tag's, if one comes. */
  #takeValue(end: number, isClosed: boolean): void {
    const source = this.#source
    const tail = source.text.slice(Math.max(source.place, end - 2), end)
    const lineBreak = (isClosed ? /\r?\n$/ : source.isFinal ? /$/ : /\r?\n?$/).exec(tail)
    this.#value?.push(source.take(end - (lineBreak?.[0].length ?? 0), 'argument'))
  }

  #readJson(): CallStatus | 'on' {
    const source = this.#source
    const json = this.#json
    if (!json) return 'broken'
    source.take(json.read(source.text, source.place, source.isFinal, source.offsetOf(0)), 'argument')
    if (json.status === 'more') return source.isFinal ? 'broken' : 'more'
    if (json.status === 'stopped') {
      const close = source.tagAt(this.#parts.callClose)
      if (close === 'begun') return 'more'
      if (!close || !json.close(source.place)) return 'broken'
    }
    this.#state = 'body'
    return 'on'
  }

  /** The call ends without its closing tag: it counts only when nothing that it needs is missing. */
  #endUnclosed(): CallStatus {
    const source = this.#source
    const isCut = source.isAtEnd && source.isCut
    const keys: ReadonlySet<unknown> = this.#writer.keys
    if (isCut || this.#required.some((key) => !keys.has(key))) return 'broken'
    const closer = `${this.#parts.callClose.literal}>`
    this.#sink.notice('repaired', `The closing tag ${closer} was left out.`, source.offset)
    return this.#complete()
  }

  #complete(): CallStatus {
    this.#writer.finish()
    return 'complete'
  }
}
