import { LazyRegExp } from '../../regex/lazy-reg-exp.ts'
import type { ModelText } from '../../scan/model-text.ts'
import { Scanner } from '../../scan/scanner.ts'
import type { Sought } from '../../scan/sought.ts'
import type { Sources } from '../../scan/sources.ts'
import type { Terminal } from '../../scan/terminal.ts'
import { appendTail } from '../../scan/text-tail.ts'
import type { Value } from '../../tree/expression.ts'
import { lookAlike } from '../../tree/look-alikes.ts'
import { gapAt, mayFollow } from './after-value.ts'
import type { ValueEnd } from './value-end.ts'

/** Takes the text of a value in pieces. */
export interface ValueText {
  push(piece: string): void
  end(): void
}

/** The target of a value and of reports about it. */
export interface ValueTarget {
  /** Opens the value at `offset`. `isVerbatim` is true if its text contains no entities. */
  open(isVerbatim: boolean, offset: number): ValueText
  /** The closing marker was left out. */
  unclosed(offset: number): void
  /** True for the key of an argument that the tool takes and that has not come. */
  expects(key: string): boolean
}

/**
 * Opens and closes a CDATA section, with the brackets and letters that models use by mistake in their tags too
 * (DeepSeek V4).
 */
const cdataOpener = cdataSource([
  '[<\uff1c\u3008]',
  '[!\uff01\u3001]',
  '\\[',
  '[\u200b\ufeff]?',
  ...[...'CDATA'].map(lookAlike),
  '\\[',
])
const cdataCloser = cdataSource(['\\]', '\\]', '[>\uff1e\u3009]'])
const closerLength = ']]>'.length
/** White space, and a CDATA section that begins after it. */
const cdataAhead = new LazyRegExp(`\\s{0,64}${cdataOpener.whole}`, 'iy')
const cdataBegun = new LazyRegExp(`\\s{0,64}(?:$|${cdataOpener.begun})`, 'iy')
const openerAhead = new LazyRegExp(cdataOpener.whole, 'iy')
const openerBegun = new LazyRegExp(`$|${cdataOpener.begun}`, 'iy')
const anyCdata = new Scanner([
  { sources: cdataCloser, firstChars: [']'] },
  { sources: cdataOpener, firstChars: ['<', '\uff1c', '\u3008'] },
])
/** Closing tags that may end a reply after a section without an end, with their maximum length. */
const closersOnly = /(?:<\/[^<>]{1,80}>\s{0,32}){0,4}(?:<\/?[^<>]{0,80})?$/y
const longestClosers = 400
/** No name of a format's tag is longer. */
const longestTagName = 64
/** The number of characters of a value that are kept, to see the text before a tag in it. */
const longestTail = 256
const lineFeed = 0x0a
const carriageReturn = 0x0d
/** The opening of a call and its name: the argument after them belongs to that call, which is text inside the value. */
const callHead = /<([^<>]{0,128})>[^<>]{0,128}$/
const callWord = /^\S*(?:call|invoke|function)/i

/** Searches for the marks that are significant in a value. */
interface Marks {
  scanner: Scanner
  /** Matches the opening of an element that is named like the value's own. */
  opening: LazyRegExp | undefined
  /** The same for the parts around the value, each with the end that closes such a part. */
  outer: ReadonlyMap<ValueEnd, LazyRegExp>
}
const marksOf = new WeakMap<readonly ValueEnd[], Marks>()

/** The end of a value: the text up to `at` closes it, or `isLeftOut` if its closing marker is missing. */
interface ValueClose {
  at: number
  isLeftOut: boolean
}

/**
 * Reads the text of one argument between its markers. A closing marker inside the value is data: the real one is
 * followed by text that can follow an argument. A CDATA section ends only at its own end.
 */
export class TaggedText {
  readonly #format: Value
  readonly #ends: readonly ValueEnd[]
  readonly #marks: Marks
  /**
   * True if models may write the closing marker twice. If elements of the same name can be nested, the second one
   * closes the outer element.
   */
  readonly #mayDouble: boolean
  /** The number of open elements in the value that are named like its own. */
  #open = 0
  /** The same for the parts around the value: a call that is quoted in it has them as well. */
  readonly #openOuter = new Map<ValueEnd, number>()
  readonly #target: ValueTarget
  #value: ValueText | undefined
  #state: 'begin' | 'text' | 'cdata' | 'done' = 'begin'
  /** The place, in all of the text, of a line that begins with the value. */
  #line: number | undefined
  /** The end of the value so far: the part that was taken is no longer in hand. */
  #tail = ''
  /** The marker before the value has its vendor's prefix, so that tags without it which are opened here are data. */
  readonly #isMarked: boolean
  #hasPlain = false
  /** True if the value contains the beginning of a call with its arguments: the closers of those are data. */
  #hasCall = false
  /** CDATA sections that are open inside of this one, as text. */
  #depth = 0

  /** The value as an attribute of its tag, which counts if nothing is between the tags. */
  readonly #attribute: string | undefined
  #hasText = false

  constructor(
    format: Value,
    ends: readonly ValueEnd[],
    target: ValueTarget,
    { isMarked = false, attribute }: { isMarked?: boolean; attribute?: string | undefined } = {},
  ) {
    this.#isMarked = isMarked
    this.#attribute = attribute
    this.#format = format
    this.#ends = ends
    this.#mayDouble = format.encoding !== 'markup'
    this.#target = target
    const marks = marksOf.get(ends) ?? findMarks(ends, this.#mayDouble)
    marksOf.set(ends, marks)
    this.#marks = marks
  }

  /** Ends it if nothing more comes: its tag closed itself, or the text has ended. */
  endEmpty(): void {
    this.#create(0)
    this.#end()
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
        case 'done':
          return 'done'
      }
      if (this.#state === before && source.place === from) return 'more'
    }
  }

  #create(offset: number): ValueText {
    // A CDATA section is text without entities.
    this.#value ??= this.#target.open(this.#state === 'cdata', offset)
    return this.#value
  }

  #end(): void {
    if (!this.#hasText && this.#attribute !== undefined) this.#value?.push(this.#attribute)
    this.#value?.end()
    this.#state = 'done'
  }

  #push(text: string): void {
    this.#hasText ||= text !== ''
    this.#value?.push(text)
  }

  /** Consumes one line break after the opening marker, which belongs to the marker. */
  #begin(source: ModelText): void {
    const { text, place, isFinal } = source
    if (!isFinal && source.matches(cdataBegun)) return
    const cdata = source.match(cdataAhead)
    if (cdata) {
      source.take(place + cdata[0].length, 'marker')
      this.#state = 'cdata'
    } else {
      if (place === text.length) return
      const lineBreak = this.#format.trim === 'line' ? source.length(/\r?\n/y) : 0
      source.take(place + lineBreak, 'marker')
      if (lineBreak > 0) this.#line = source.offset
      this.#state = 'text'
    }
    this.#create(source.offset)
  }

  #readText(source: ModelText): void {
    let from = source.place
    for (;;) {
      const found = this.#marks.scanner.find(source.text, from, source.isFinal && !source.isCut)
      if (!found) {
        this.#take(source, source.text.length, false)
        this.#dropRest(source)
        return
      }
      const end = found.type === 'found' ? this.#endAt(source, found.index) : undefined
      if (found.type === 'held' || end === 'undecided') {
        this.#take(source, found.index, true)
        this.#dropRest(source)
        return
      }
      if (end !== undefined) {
        // If the format allows inline values, a value that began inline and has its own closing marker ends inline: its
        // last line break belongs to it.
        const isInline = !this.#format.lines && this.#line === undefined && end.at > found.index
        this.#take(source, found.index, true, isInline)
        if (end.isLeftOut) this.#target.unclosed(source.offsetOf(found.index))
        source.take(end.at, 'marker')
        this.#end()
        return
      }
      this.#countOpen(source, found.index)
      this.#hasPlain ||= this.#isMarked && this.#opensPlain(source, found.index)
      from = found.index + 1
    }
  }

  /**
   * Counts the open elements that are named like the value's own: their closing tags are data, before the value's own
   * end.
   */
  #countOpen(source: ModelText, at: number): void {
    const [own] = this.#ends
    if (this.#opensLikeOwn(source, at)) this.#open++
    else if (this.#open > 0 && own && source.matches(own.terminal.whole, at)) this.#open--
    for (const [end, opening] of this.#marks.outer) {
      const open = this.#openOuter.get(end) ?? 0
      if (source.matches(opening, at)) this.#openOuter.set(end, open + 1)
      else if (open > 0 && source.matches(end.terminal.whole, at)) this.#openOuter.set(end, open - 1)
    }
  }

  /** True if an element opens that is named like the value's own, or in a quoted call an argument whose marker says no name. */
  #opensLikeOwn(source: ModelText, at: number): boolean {
    if (this.#marks.opening) return source.matches(this.#marks.opening, at)
    if (!this.#mayDouble || !this.#hasCall) return false
    return this.#ends.some(({ terminal, is }) => is === 'next' && source.matches(terminal.whole, at))
  }

  /** True if a tag opens that would be one of the format's if it had the prefix. */
  #opensPlain({ text }: ModelText, at: number): boolean {
    const tag = text.slice(at, at + longestTagName)
    return !tag.startsWith('</') && this.#ends.some(({ terminal }) => terminal.plain?.is.testAt(tag, 0))
  }

  /** At the end of a cut text, drops a possible beginning of a closing marker. */
  #dropRest(source: ModelText): void {
    if (source.isCut) source.take(source.text.length, 'marker')
  }

  /** True if a part is open in the value that is like one around it. */
  get #isInQuotedCall(): boolean {
    for (const open of this.#openOuter.values()) if (open > 0) return true
    return false
  }

  /** Returns the place after the value if a closing marker there ends it. */
  #endAt(source: ModelText, at: number): ValueClose | 'undecided' | undefined {
    for (const end of this.#ends) {
      const { terminal, follow, is } = end
      const match = source.terminalAt(terminal, at)
      if (match === 'begun') return 'undecided'
      if (!match || (this.#hasPlain && terminal.plain?.is.testAt(match[0], 0))) continue
      if (is === 'next') {
        this.#hasCall ||= this.#isInQuotedCall || callWord.test(callHead.exec(this.#before(source, at))?.[1] ?? '')
        // A special token is no part of a text.
        if (this.#hasCall || (this.#line !== undefined && !this.#isLineStart(source, at))) continue
        const key = terminal.read(match)?.key
        if (key === undefined || !this.#target.expects(key)) continue
        return { at, isLeftOut: true }
      }
      if ((this.#openOuter.get(end) ?? 0) > 0) continue
      const isOwn = is === 'own'
      const after = at + match[0].length
      if (isOwn && this.#hasCall && this.#open > 0) {
        const next = this.#nextArgument(source, after)
        const isEnd = next ?? this.#isLastCloser(source, at, terminal)
        if (isEnd === 'undecided') return isEnd
        if (!isEnd) return undefined
      }
      if (isOwn && (this.#format.mayEnd || this.#format.endsAlone)) return { at: after, isLeftOut: false }
      const isDoubled = isOwn && this.#mayDouble && this.#open === 0
      const follows = mayFollow(source, after, isDoubled ? [...follow, terminal] : follow, this.#ends)
      if (follows === 'begun') return 'undecided'
      if (follows) return { at: isOwn ? after : at, isLeftOut: false }
    }
    return undefined
  }

  /**
   * Finds the argument that follows. `expected` if the call takes it and does not have it yet: then the marker before it closes
   * this value, even if the value looks like a call whose argument is open.
   */
  #nextArgument(source: ModelText, after: number): 'expected' | 'undecided' | undefined {
    const place = after + gapAt(source, after)
    for (const { terminal, is } of this.#ends) {
      if (is !== 'next') continue
      const match = source.terminalAt(terminal, place)
      if (match === 'begun') return 'undecided'
      const key = match ? terminal.read(match)?.key : undefined
      if (key !== undefined && this.#target.expects(key)) return 'expected'
    }
    return undefined
  }

  /**
   * True if a closing marker is the last of its kind, and only closing tags follow it up to the end of the reply: a call that is quoted
   * in the value was left open, as nothing else would close the value.
   */
  #isLastCloser({ text, isFinal, isCut }: ModelText, at: number, own: Terminal): boolean | 'undecided' {
    closersOnly.lastIndex = at
    if (text.length - at > longestClosers || !closersOnly.test(text)) return false
    if (!isFinal) return 'undecided'
    for (let next = text.indexOf('</', at + 1); next >= 0; next = text.indexOf('</', next + 1))
      if (own.whole.testAt(text, next)) return false
    return !isCut
  }

  #isLineStart(source: ModelText, at: number): boolean {
    if (source.offsetOf(at) === this.#line) return true
    return (at > source.place ? source.text[at - 1] : this.#tail.at(-1)) === '\n'
  }

  /** Returns the part of the value before a place in the current text. */
  #before(source: ModelText, at: number): string {
    const inHand = source.text.slice(Math.max(source.place, at - longestTail), at)
    return this.#tail.slice(-longestTail) + inHand
  }

  /** Takes the value's text up to `end`, except a line break there, unless `keepsBreak`: it is the closing marker's, if one comes. */
  #take(source: ModelText, end: number, isClosed: boolean, keepsBreak: boolean = false): void {
    const isTrimmed = this.#format.trim === 'line' && end > source.place
    const limit = end - (isTrimmed ? this.#heldBreak(source, end, isClosed, keepsBreak) : 0)
    const taken = source.take(limit, 'argument')
    this.#tail = appendTail(this.#tail, taken, longestTail)
    this.#push(taken)
  }

  /** Returns the length of the line break before `end` that is not the value's, or may not be. */
  #heldBreak(source: ModelText, end: number, isClosed: boolean, keepsBreak: boolean): number {
    const { text, place } = source
    const last = text.charCodeAt(end - 1)
    if (last !== lineFeed && last !== carriageReturn) return 0
    const isOver = isClosed && this.#isClosing(source, end)
    // A cut may have come before the closing marker.
    const isEnd = source.isFinal && !source.isCut
    if (isOver ? keepsBreak || last === carriageReturn : isEnd) return 0
    return last === lineFeed && end - 2 >= place && text.charCodeAt(end - 2) === carriageReturn ? 2 : 1
  }

  /** Returns true if the text at `end` ends the value, or may end it. */
  #isClosing(source: ModelText, end: number): boolean {
    return end < source.text.length
  }

  /**
   * The offset of the value's own closing marker if only closing tags follow in the text read so far: if the reply ends
   * there, the section was never closed.
   */
  #closersFrom({ text, place }: ModelText): number | undefined {
    const [own] = this.#ends
    const from = Math.max(place, text.length - longestClosers)
    for (let at = text.indexOf('</', from); own && at >= 0; at = text.indexOf('</', at + 1)) {
      closersOnly.lastIndex = at
      if (!closersOnly.test(text)) continue
      return own.terminal.whole.testAt(text, at) || own.terminal.begun.testAt(text, at) ? at : undefined
    }
    return undefined
  }

  #readCdata(source: ModelText): void {
    const found = anyCdata.find(source.text, source.place, source.isFinal && !source.isCut)
    const closers =
      this.#depth === 0 && !source.isCut && found?.type !== 'found' ? this.#closersFrom(source) : undefined
    if (closers !== undefined) {
      this.#push(source.take(closers, 'argument'))
      if (!source.isFinal) return
      this.#target.unclosed(source.offset)
      this.#state = 'text'
      return
    }
    const limit = found ? found.index : source.text.length
    this.#push(source.take(limit, 'argument'))
    if (found?.type !== 'found') {
      this.#dropRest(source)
      return
    }
    const nested = source.match(openerAhead, limit)
    if (nested) {
      this.#depth++
      this.#push(source.take(limit + nested[0].length, 'argument'))
      return
    }
    const after = limit + closerLength
    if (!source.isFinal && source.matches(openerBegun, after)) return
    // A section that was split because its text holds the closer: `]]]]><![CDATA[>`.
    const further = source.match(openerAhead, after)
    if (further) {
      source.take(after + further[0].length, 'marker')
      return
    }
    const end = this.#depth > 0 ? undefined : this.#endAt(source, after + gapAt(source, after))
    const isOpen = after + gapAt(source, after) === source.text.length
    if (this.#depth === 0 && !source.isFinal && (isOpen || end === 'undecided')) return
    if (end === undefined && !(isOpen && source.isFinal && this.#depth === 0)) {
      this.#depth = Math.max(0, this.#depth - 1)
      this.#push(source.take(after, 'argument'))
      return
    }
    if (typeof end !== 'object') {
      source.take(source.text.length, 'marker')
      return
    }
    if (end.isLeftOut) this.#target.unclosed(source.offsetOf(end.at))
    source.take(end.at, 'marker')
    this.#end()
  }
}

/** The sources of a marker's parts one after another, and of a beginning of one at the end of a text. */
function cdataSource([first = '', ...parts]: readonly string[]): Sources {
  const begun = parts.slice(0, -1).reduceRight((rest, part) => `(?:$|${part}${rest})`, '$')
  return { whole: [first, ...parts].join(''), begun: `${first}${begun}` }
}

function findMarks(ends: readonly ValueEnd[], mayDouble: boolean): Marks {
  const closers = ends.map(({ terminal }) => terminal.opener)
  const plain = ends.flatMap(({ terminal }) => terminal.plain?.opener ?? [])
  const opening = mayDouble ? ends[0]?.terminal.opening : undefined
  const outer = ends.flatMap((end): [ValueEnd, Sought][] => {
    const sought = end.is === 'outer' ? (end.terminal.opening ?? end.opening) : undefined
    return sought ? [[end, sought]] : []
  })
  const openings = [...(opening ? [opening] : []), ...outer.map(([, sought]) => sought)]
  const scanner = new Scanner([...closers, ...plain, ...openings])
  return {
    scanner,
    opening: opening && expressionFor(opening),
    outer: new Map(outer.map(([end, sought]) => [end, expressionFor(sought)])),
  }
}

function expressionFor({ sources }: Sought): LazyRegExp {
  return new LazyRegExp(() => sources.whole, 'iy')
}
