import type { ArgumentWriter } from '../json/index.ts'
import { EntityDecoder } from './entities.ts'
import type { Value } from './expression.ts'
import type { ModelText } from './model-text.ts'
import type { ValueEnd } from './program.ts'
import { Scanner } from './scanner.ts'
import { TaggedValue } from './tagged-value.ts'

/** Where a value goes, and what is told of it. */
export interface ValueTarget {
  writer: ArgumentWriter
  problem(message: string, offset: number): void
}

const cdataOpener = '<![CDATA['
const cdataCloser = ']]>'
/** White space, and a CDATA section that begins behind it. */
const cdataAhead = /\s{0,64}<!\[CDATA\[/y
const cdataBegun = /\s{0,64}(?:$|<(?:$|!(?:$|\[(?:$|C(?:$|D(?:$|A(?:$|T(?:$|A$))))))))/y
const anyCdata = new Scanner([
  { whole: '\\]\\]>', begun: '\\](?:$|\\]$)', firstChars: [']'] },
  { whole: '<!\\[CDATA\\[', begun: '<(?:$|!(?:$|\\[(?:$|C(?:$|D(?:$|A(?:$|T(?:$|A$)))))))', firstChars: ['<'] },
])
/** White space behind a closing tag that is long enough to prove that it closes. */
const longestGap = 200
const gap = new RegExp(`\\s{0,${longestGap}}`, 'y')
const scanners = new WeakMap<readonly ValueEnd[], Scanner>()

/**
 * The text of one argument between its markers, from behind the opening one to behind the closing one. A closing marker
 * inside the value is data: the one that ends it is followed by what can follow an argument. In a CDATA section only
 * its own end counts.
 */
export class TaggedText {
  readonly #format: Value
  readonly #ends: readonly ValueEnd[]
  readonly #scanner: Scanner
  readonly #type: string | undefined
  readonly #target: ValueTarget
  readonly #entities: EntityDecoder | undefined
  #value: TaggedValue | undefined
  #state: 'begin' | 'text' | 'cdata' | 'behind-cdata' | 'done' = 'begin'
  /** CDATA sections that are open inside of this one, as text. */
  #depth = 0

  /** `type` is what the opening marker says of the value's type. */
  constructor(format: Value, ends: readonly ValueEnd[], type: string | undefined, target: ValueTarget) {
    this.#format = format
    this.#ends = ends
    this.#type = type
    this.#target = target
    this.#entities = format.entities ? new EntityDecoder() : undefined
    let scanner = scanners.get(ends)
    if (!scanner) {
      scanner = new Scanner(ends.map(({ terminal }) => ({ ...terminal.opener, firstChars: terminal.firstChars })))
      scanners.set(ends, scanner)
    }
    this.#scanner = scanner
  }

  /** The value of a tag that closed itself. */
  endEmpty(): void {
    this.#state = 'done'
    this.#create(0).end()
  }

  read(source: ModelText): 'more' | 'done' {
    for (;;) {
      const from = source.place
      const before = this.#state
      switch (this.#state) {
        case 'begin':
          this.#begin(source)
          break
        case 'text':
          this.#readText(source)
          break
        case 'cdata':
          this.#readCdata(source)
          break
        case 'behind-cdata':
          this.#readBehind(source)
          break
        case 'done':
          return 'done'
      }
      if (this.#state === before && source.place === from) return 'more'
    }
  }

  #create(offset: number): TaggedValue {
    this.#value ??= new TaggedValue(this.#target.writer, this.#type, (message) => this.#target.problem(message, offset))
    return this.#value
  }

  #push(text: string): void {
    this.#value?.push(this.#entities ? this.#entities.push(text) : text)
  }

  #end(): void {
    if (this.#entities) this.#value?.push(this.#entities.end())
    this.#value?.end()
    this.#state = 'done'
  }

  /** One line break behind the opening marker is the marker's. */
  #begin(source: ModelText): void {
    const { text, place, isFinal } = source
    if (!isFinal && source.match(cdataBegun)) return
    const cdata = source.match(cdataAhead)
    if (cdata) {
      source.take(place + cdata[0].length, 'marker')
      this.#state = 'cdata'
    } else {
      if (place === text.length) return
      if (this.#format.trim === 'line') source.take(place + source.length(/\r?\n/y), 'marker')
      this.#state = 'text'
    }
    this.#create(source.offset)
  }

  #readText(source: ModelText): void {
    let from = source.place
    for (;;) {
      const found = this.#scanner.find(source.text, from, source.isFinal)
      if (!found) {
        this.#take(source, source.text.length, false)
        return
      }
      const end = found.type === 'found' ? this.#endAt(source, found.index) : undefined
      if (found.type === 'held' || end === 'undecided') {
        this.#take(source, found.index, true)
        return
      }
      if (end !== undefined) {
        this.#take(source, found.index, true)
        source.take(end, 'marker')
        this.#end()
        return
      }
      from = found.index + 1
    }
  }

  /** The place behind the value where a closing marker stands that ends it. */
  #endAt(source: ModelText, at: number): number | 'undecided' | undefined {
    for (const { terminal, follow, isOwn } of this.#ends) {
      const match = source.terminalAt(terminal, at)
      if (match === 'begun') return 'undecided'
      if (!match) continue
      const behind = at + match[0].length
      const follows = this.#mayFollow(source, behind, isOwn ? [...follow, terminal] : follow)
      if (follows === 'begun') return 'undecided'
      if (follows) return isOwn ? behind : at
    }
    return undefined
  }

  /** Whether one of the terminals stands at `at`, behind white space, or nothing does. */
  #mayFollow(source: ModelText, at: number, follow: ValueEnd['follow']): boolean | 'begun' {
    const length = source.length(gap, at)
    const place = at + length
    if (length === longestGap) return true
    if (place === source.text.length) return source.isFinal ? true : 'begun'
    const found = follow.map((terminal) => source.terminalAt(terminal, place))
    if (found.some((match) => match && match !== 'begun')) return true
    return found.includes('begun') ? 'begun' : false
  }

  /** Takes the value's text up to `end`, but for a line break there: it is the closing marker's, if one comes. */
  #take(source: ModelText, end: number, isClosed: boolean): void {
    let limit = end
    if (this.#format.trim === 'line') {
      const tail = source.text.slice(Math.max(source.place, end - 2), end)
      const isOver = isClosed && this.#isClosing(source, end)
      const lineBreak = (isOver ? /\r?\n$/ : source.isFinal ? /$/ : /\r?\n?$/).exec(tail)
      limit -= lineBreak?.[0].length ?? 0
    }
    this.#push(source.take(limit, 'argument'))
  }

  /** True when at `end` stands what ends the value, or may. */
  #isClosing(source: ModelText, end: number): boolean {
    return end < source.text.length
  }

  #readCdata(source: ModelText): void {
    const found = anyCdata.find(source.text, source.place, source.isFinal)
    const limit = found ? found.index : source.text.length
    this.#value?.push(source.take(limit, 'argument'))
    if (found?.type !== 'found') return
    if (source.text.startsWith(cdataOpener, limit)) {
      this.#depth++
      this.#value?.push(source.take(limit + cdataOpener.length, 'argument'))
      return
    }
    const behind = limit + cdataCloser.length
    const rest = source.text.slice(behind, behind + cdataOpener.length)
    if (!source.isFinal && rest.length < cdataOpener.length && cdataOpener.startsWith(rest)) return
    // A section that was split because its text holds the closer: `]]]]><![CDATA[>`.
    if (rest === cdataOpener) {
      source.take(behind + cdataOpener.length, 'marker')
      return
    }
    const end = this.#depth > 0 ? undefined : this.#endAt(source, behind + source.length(gap, behind))
    const isOpen = behind + source.length(gap, behind) === source.text.length
    if (this.#depth === 0 && !source.isFinal && (isOpen || end === 'undecided')) return
    if (end === undefined && !(isOpen && source.isFinal && this.#depth === 0)) {
      this.#depth = Math.max(0, this.#depth - 1)
      this.#value?.push(source.take(behind, 'argument'))
      return
    }
    source.take(typeof end === 'number' ? end : source.text.length, 'marker')
    if (typeof end === 'number') this.#end()
  }

  #readBehind(_source: ModelText): void {
    this.#state = 'done'
  }
}
