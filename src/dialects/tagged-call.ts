import type { JsonObject } from '../conversation/index.ts'
import { ArgumentWriter, JsonReader, repairs, Shape } from '../json/index.ts'
import type { CallReader, CallSink, CallStatus, CallSyntax } from './call-reader.ts'
import type { ModelText } from './model-text.ts'
import { TaggedValue } from './tagged-value.ts'

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

/** An opening tag longer than this is none. */
const longestTag = 600

export function taggedSyntax(format: TaggedFormat): CallSyntax {
  const tags = {
    callOpen: openTag(format.call),
    callClose: new RegExp(`</${format.call}\\s*>`, 'iy'),
    callNext: new RegExp(`<${format.call}(?=[\\s>/])`, 'iy'),
    parameterOpen: openTag(format.parameter),
    /** What may end a value: the argument's own closing tag, or, where that was forgotten, the call's. */
    valueEnd: new RegExp(`</(?:${format.parameter}|(${format.call}))(?![\\w-])`, 'gi'),
    literals: {
      callOpen: `<${format.call}`,
      callClose: `</${format.call}`,
      parameterOpen: `<${format.parameter}`,
      parameterClose: `</${format.parameter}`,
    },
  }
  const { callOpen, callClose, parameterOpen, parameterClose } = tags.literals
  return {
    opener: callOpen,
    marks: [callOpen, callClose, parameterOpen, parameterClose],
    createCallReader: (sink) => new TaggedCallReader(format, tags, sink),
  }
}

function openTag(name: string): RegExp {
  return new RegExp(`<${name}(?=[\\s>/])([^<>]{0,${longestTag}})>`, 'iy')
}

interface Tags {
  callOpen: RegExp
  callClose: RegExp
  callNext: RegExp
  parameterOpen: RegExp
  valueEnd: RegExp
  literals: { callOpen: string; callClose: string; parameterOpen: string; parameterClose: string }
}

const blanks = /\s*/y
const tagEnd = /\s{0,20}>/y

class TaggedCallReader implements CallReader {
  readonly #format: TaggedFormat
  readonly #tags: Tags
  readonly #sink: CallSink
  #state: 'open' | 'body' | 'value' | 'json' = 'open'
  #writer: ArgumentWriter | undefined
  #value: TaggedValue | undefined
  #valueBegun = false
  #json: JsonReader | undefined
  #required: readonly string[] = []
  readonly #keys = new Set<string>()
  #at = 0

  constructor(format: TaggedFormat, tags: Tags, sink: CallSink) {
    this.#format = format
    this.#tags = tags
    this.#sink = sink
  }

  read(source: ModelText): CallStatus {
    for (;;) {
      this.#at = source.place
      const status = this.#step(source)
      if (status !== 'on') return status
    }
  }

  #step(source: ModelText): CallStatus | 'on' {
    switch (this.#state) {
      case 'open':
        return this.#readOpen(source)
      case 'body':
        return this.#readBody(source)
      case 'value':
        return this.#readValue(source)
      case 'json':
        return this.#readJson(source)
    }
  }

  #readOpen(source: ModelText): CallStatus | 'on' {
    const tag = this.#readTag(source, this.#tags.callOpen)
    if (tag === 'more') return tag
    const name = tag && attribute(tag.attributes, this.#format.callName)
    if (!tag || name === undefined) return 'broken'
    const tool = this.#sink.name(name)
    this.#writer = new ArgumentWriter(tool ? Shape.of(tool.schema) : Shape.any, (json) => this.#sink.argument(json), {
      repaired: (repair, at) => this.#sink.notice('repaired', `Repaired in the arguments: ${repairs[repair]}.`, at),
      typed: (key, message) => this.#sink.notice('retyped', `Argument "${key}": ${message}.`, this.#at),
    })
    this.#required = requiredOf(tool?.schema)
    source.take(tag.end, 'marker')
    if (/\/\s*$/.test(tag.attributes)) return this.#complete()
    this.#state = 'body'
    return 'on'
  }

  #readBody(source: ModelText): CallStatus | 'on' {
    const { literals, callClose, callNext, parameterOpen } = this.#tags
    source.take(source.place + (source.match(blanks)?.[0].length ?? 0), 'marker')
    const close = source.match(callClose)
    if (close) {
      source.take(source.place + close[0].length, 'marker')
      return this.#complete()
    }
    if (source.place === source.text.length) return source.isFinal ? this.#endUnclosed(source.isCut) : 'more'
    const tag = this.#readTag(source, parameterOpen)
    if (tag === 'more') return tag
    const key = tag && attribute(tag.attributes, this.#format.parameterName)
    if (tag && key !== undefined) {
      source.take(tag.end, 'marker')
      this.#openValue(key)
      return 'on'
    }
    if (source.text[source.place] === '{' && this.#keys.size === 0 && this.#writer) {
      this.#json = new JsonReader(this.#writer)
      this.#state = 'json'
      return 'on'
    }
    if (source.match(callNext)) return this.#endUnclosed(false)
    if (source.mayBegin([`${literals.callClose} `, `${literals.parameterOpen} `, `${literals.callOpen} `]))
      return 'more'
    // Prose right behind the opening tag: the tag was only talked about.
    return this.#keys.size === 0 ? 'broken' : this.#endUnclosed(source.isFinal && source.isCut)
  }

  #openValue(key: string): void {
    const writer = this.#writer
    if (!writer) return
    if (this.#keys.size === 0) writer.openObject()
    if (this.#keys.has(key))
      this.#sink.notice('duplicate-argument', `Argument "${key}" came twice; the last counts.`, this.#at)
    this.#keys.add(key)
    writer.key(key)
    this.#value = new TaggedValue(writer, (problem) =>
      this.#sink.notice('retyped', `Argument "${key}": ${problem}.`, this.#at),
    )
    this.#valueBegun = false
    this.#state = 'value'
  }

  #readValue(source: ModelText): CallStatus | 'on' {
    if (!this.#valueBegun && !this.#beginValue(source)) return source.isFinal ? 'broken' : 'more'
    const end = this.#findValueEnd(source)
    if (!end) {
      const { parameterClose, callClose } = this.#tags.literals
      if (source.isFinal) {
        this.#value?.push(source.take(source.text.length, 'argument'))
        return 'broken'
      }
      this.#takeValue(source, source.held([`${parameterClose} `, `${callClose} `]))
      return 'more'
    }
    this.#takeValue(source, end.start)
    if (end.resume === undefined) return 'more'
    source.take(end.resume, 'marker')
    this.#value?.end()
    this.#state = 'body'
    return 'on'
  }

  /** One line break behind the opening tag is the tag's. */
  #beginValue(source: ModelText): boolean {
    const rest = source.text.length - source.place
    if (rest === 0 || (rest === 1 && source.text[source.place] === '\r' && !source.isFinal)) return false
    const lineBreak = source.match(/\r?\n/y)
    if (lineBreak) source.take(source.place + lineBreak[0].length, 'marker')
    this.#valueBegun = true
    return true
  }

  /**
   * Where the value ends. A closing tag inside a value is data: the one that ends it is followed by what can follow an
   * argument. `resume` is absent where what follows has not come yet.
   */
  #findValueEnd(source: ModelText): { start: number; resume?: number } | undefined {
    const { valueEnd, literals, parameterOpen, callClose, callNext } = this.#tags
    valueEnd.lastIndex = source.place
    for (let found = valueEnd.exec(source.text); found; found = valueEnd.exec(source.text)) {
      const tag = source.match(tagEnd, valueEnd.lastIndex)
      if (!tag) {
        const isOpen = /^\s{0,20}$/.test(source.text.slice(valueEnd.lastIndex))
        if (isOpen && !source.isFinal) return { start: found.index }
        continue
      }
      const behind = valueEnd.lastIndex + tag[0].length
      const next = behind + (source.match(blanks, behind)?.[0].length ?? 0)
      const isCallEnd = found[1] !== undefined
      if (next === source.text.length) {
        if (!source.isFinal) return { start: found.index }
        return { start: found.index, resume: isCallEnd ? found.index : behind }
      }
      const followers = isCallEnd ? [callNext] : [parameterOpen, callClose, callNext]
      if (followers.some((follower) => source.match(follower, next))) {
        return { start: found.index, resume: isCallEnd ? found.index : behind }
      }
      const names = isCallEnd ? [literals.callOpen] : [literals.parameterOpen, literals.callClose, literals.callOpen]
      if (this.#mayFollow(source, names, next)) return { start: found.index }
    }
    return undefined
  }

  /** Whether what stands at `at` may become one of the tags when more has come. */
  #mayFollow(source: ModelText, names: readonly string[], at: number): boolean {
    if (source.isFinal) return false
    if (
      source.mayBegin(
        names.map((name) => `${name} `),
        at,
      )
    )
      return true
    const rest = source.text.slice(at)
    return (
      rest.length < longestTag && !rest.includes('>', 1) && names.some((name) => rest.toLowerCase().startsWith(name))
    )
  }

  /** Takes the value's text up to `end`, but for a line break there: it is the closing tag's, if one comes. */
  #takeValue(source: ModelText, end: number): void {
    const tail = source.text.slice(Math.max(source.place, end - 2), end)
    this.#value?.push(source.take(end - (/\r?\n?$/.exec(tail)?.[0].length ?? 0), 'argument'))
  }

  #readJson(source: ModelText): CallStatus | 'on' {
    const json = this.#json
    if (!json) return 'broken'
    source.take(json.read(source.text, source.place, source.isFinal), 'argument')
    if (json.status === 'more') return source.isFinal ? 'broken' : 'more'
    if (json.status === 'stopped' && !(source.match(this.#tags.callClose) && json.close(source.place))) return 'broken'
    this.#required = []
    this.#keys.add('')
    this.#state = 'body'
    return 'on'
  }

  /** The call ends without its closing tag: it counts only when nothing that it needs is missing. */
  #endUnclosed(isCut: boolean): CallStatus {
    if (isCut || this.#required.some((key) => !this.#keys.has(key))) return 'broken'
    this.#sink.notice('repaired', `The closing tag </${this.#format.call}> was left out.`, this.#at)
    return this.#complete()
  }

  #complete(): CallStatus {
    this.#writer?.finish()
    return 'complete'
  }

  #readTag(source: ModelText, pattern: RegExp): { attributes: string; end: number } | 'more' | undefined {
    const tag = source.match(pattern)
    if (tag) return { attributes: tag[1] ?? '', end: source.place + tag[0].length }
    const name = pattern === this.#tags.callOpen ? this.#tags.literals.callOpen : this.#tags.literals.parameterOpen
    return this.#mayFollow(source, [name], source.place) && source.text[source.place] === '<' ? 'more' : undefined
  }
}

function attribute(attributes: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'/]+))`, 'i').exec(attributes)
  const value = (found?.[1] ?? found?.[2] ?? found?.[3])?.trim()
  return value === '' ? undefined : value
}

function requiredOf(schema: JsonObject | undefined): string[] {
  const required = schema?.required
  return Array.isArray(required) ? required.filter((key) => typeof key === 'string') : []
}
