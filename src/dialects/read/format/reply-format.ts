import { RecentMap } from '../../../conversation/index.ts'
import {
  anySources,
  LazyRegExp,
  type ModelText,
  type PatternLike,
  pattern,
  patternOf,
  patternTerminal,
  Scanner,
  type Sought,
  soughtPattern,
  sourceGroups,
  type Terminal,
  turnStarts,
  wholeSource,
} from '../../../grammar/index.ts'
import type { Steps } from '../../../json/index.ts'
import type { AnswerTags, Block, FormatData } from '../../format/format.ts'
import { type ReasoningForm, thinkTags } from '../../format/reasoning-forms.ts'
import { ReasoningClosers } from '../examples/reasoning-closers.ts'
import { type ReadableBlock, readableBlockOf, startLength } from './readable-block.ts'
import { ReasoningMarks } from './reasoning-marks.ts'

/** The parts of a format that a reader needs. */
export type ReadableFormat = Pick<
  FormatData,
  'blocks' | 'reasoning' | 'reasoningClosers' | 'markers' | 'begunMarkers' | 'userMessages' | 'answers' | 'namedCalls'
>

/** The parts that a scanner finds in addition to reasoning and markers. */
export interface ScannerParts {
  calls: boolean
  closers: boolean
  fences: boolean
  /** False if forms that usually count at the beginning of a line only count anywhere. */
  lines: boolean
}

/** The parts that are found in nearly all replies. */
const commonParts: ScannerParts = { calls: true, closers: false, fences: false, lines: true }

/** A line that opens a fence, with the white space after it. A longer run is not a fence. */
const fenceLine: Sought = {
  sources: {
    whole: '(?:`{3,64}|~{3,64}(?!~))[^\\n`]{0,64}\\n\\s{0,64}',
    begun: '(?:`{1,2}|~{1,2}|(?:`{3,64}|~{3,64}(?!~))[^\\n`]{0,64}(?:\\n\\s{0,63})?)$',
  },
  firstChars: ['`', '~'],
  atLine: true,
}

/** The beginning of a turn: a model that repeats it does so at the beginning of its reply. */
const turnStart = patternTerminal(turnStarts)

const compiled = new WeakMap<readonly Block[], ReplyFormat>()

/** A format as its readers need it: it is compiled once. */
export class ReplyFormat {
  readonly blocks: readonly ReadableBlock[]
  readonly reasoning: ReasoningMarks
  readonly markers: readonly Terminal[]
  /** The markers at the beginning of a reply only, besides those of turns. */
  readonly begunMarkers: readonly Terminal[]
  readonly answers: readonly AnswerTags[]
  readonly #scanners = new Map<string, Scanner>()
  readonly #extended = new WeakMap<readonly Block[], ReplyFormat>()
  readonly #byStart = new RecentMap<string, readonly ReadableBlock[]>()
  readonly #closers = new Map<ReasoningForm | undefined, ReasoningClosers>()
  /** The characters whose expressions may not be made yet. */
  #unprepared: Set<string> | undefined
  /** The number of expressions that were let go when `#unprepared` was made. */
  #letGo = 0

  /** Matches the beginning of any marker around text. */
  readonly #anyMarker: LazyRegExp
  readonly #userMessages: readonly { open: RegExp; close: RegExp }[]
  readonly #base: ReplyFormat | undefined

  private constructor(data: ReadableFormat, base?: ReplyFormat) {
    this.blocks = data.blocks.map(readableBlockOf)
    this.reasoning = base?.reasoning ?? marksOfReasoning(data)
    this.markers = base?.markers ?? terminalsOf(data.markers)
    this.#anyMarker = base ? base.#anyMarker : expressionOf(this.markers)
    this.begunMarkers = base?.begunMarkers ?? terminalsOf(data.begunMarkers)
    this.answers = base?.answers ?? data.answers ?? []
    this.#userMessages = base
      ? base.#userMessages
      : (data.userMessages ?? []).map(({ open, close }) => ({ open: wholeMarker(open), close: wholeMarker(close) }))
    this.#base = base
  }

  /** True if `of` returns the format without work. */
  static isCompiled(data: ReadableFormat): boolean {
    return compiled.has(data.blocks)
  }

  static of(data: ReadableFormat): ReplyFormat {
    let format = compiled.get(data.blocks)
    if (!format) {
      format = new ReplyFormat(data)
      compiled.set(data.blocks, format)
    }
    return format
  }

  /** The format with blocks of a request's own, which are tried after its own. */
  with(blocks: readonly Block[]): ReplyFormat {
    if (blocks.length === 0) return this
    let format = this.#extended.get(blocks)
    if (!format) {
      format = new ReplyFormat({ blocks }, this)
      this.#extended.set(blocks, format)
    }
    return format
  }

  /**
   * Returns a scanner for parts of text: reasoning, markers and, if requested, calls, their closing markers and fences.
   */
  scanner(parts: ScannerParts): Scanner {
    const { calls, closers, fences, lines } = parts
    const key = `text ${calls} ${closers} ${fences} ${lines}`
    // The expressions for all else are large and made already: they are not made once more, together with the closing markers.
    if (closers && !this.#base) {
      return this.#remember(key, this.scanner({ ...parts, closers: false }), () => this.#closersOfBlocks())
    }
    return this.#remember(key, this.#base?.scanner(parts), () => [
      ...(this.#base ? [] : this.#soughtAround()),
      ...(calls ? this.blocks.flatMap((block) => block.sought(lines)) : []),
      ...(closers ? this.#closersOfBlocks() : []),
      ...(fences && !this.#base ? [fenceLine] : []),
    ])
  }

  /**
   * Returns a scanner for the ends of reasoning of one form, or of any form without one; and for calls: all, or those
   * that end reasoning.
   */
  reasoningEnds(form: ReasoningForm | undefined, calls: boolean): Scanner {
    return this.#remember(`${form?.open} ${calls}`, this.#base?.reasoningEnds(form, calls), () => [
      ...(this.#base ? [] : [...this.reasoning.closers(form).map(soughtLiteral), ...this.markers.map(soughtTerminal)]),
      ...this.blocks
        .filter(({ endsReasoning, place }) => endsReasoning || (calls && place !== 'head'))
        .flatMap((block) => block.sought(false)),
    ])
  }

  /** The marks of reasoning, and of all else around text. */
  #soughtAround(): Sought[] {
    return [
      ...this.reasoning.inText.map(soughtLiteral),
      ...this.markers.map(soughtTerminal),
      // Prose is full of the words' first letters.
      ...[...this.reasoning.words.map(soughtLiteral), ...[turnStart, ...this.begunMarkers].map(soughtTerminal)].map(
        (one) => ({ ...one, atLine: true }),
      ),
      ...this.answers.flatMap(({ open, close }) => [open, close].map(soughtLiteral)),
    ]
  }

  #closersOfBlocks(): Sought[] {
    return this.blocks.flatMap(({ program }) => program.closers.map(soughtTerminal))
  }

  /** The characters that may begin a call, and whose expressions may not be made yet. */
  get unprepared(): ReadonlySet<string> {
    const { letGo } = LazyRegExp
    if (!this.#unprepared || this.#letGo !== letGo) {
      this.#unprepared = new Set(this.#common.chars)
      this.#letGo = letGo
    }
    return this.#unprepared
  }

  /** Notes that the expressions for this character are made. */
  prepared(char: string): void {
    this.#unprepared?.delete(char)
  }

  /** The scanner for the text of nearly all replies. */
  get #common(): Scanner {
    return this.scanner(commonParts)
  }

  /** Makes what the expressions for this character are made of, in steps. */
  *prepare(char: string): Steps<void> {
    if (this.#base) yield* this.#base.prepare(char)
    yield* this.#common.prepare(char)
    if (!this.#base) yield* this.scanner({ ...commonParts, closers: true }).prepare(char)
  }

  /**
   * Yields the expressions that are used for text in which these characters occur: those that find the beginning of a
   * call, and those that tell which call it is.
   */
  *expressionsFor(text: string): Generator<LazyRegExp, void, undefined> {
    if (this.#base) yield* this.#base.expressionsFor(text)
    yield* this.#common.expressionsFor(text)
    // They are sought after a broken call. Those of a request's own blocks are few.
    if (!this.#base) yield* this.scanner({ ...commonParts, closers: true }).expressionsFor(text)
    for (const block of this.blocks) {
      if (block.mayBeginWith((chars) => chars.some((char) => text.includes(char)))) yield* [block.opener, block.begun]
    }
  }

  /** The closing markers of reasoning of one form, or of any form without one. */
  closersOf(form: ReasoningForm | undefined): ReasoningClosers {
    // A request's own blocks have no markers that calls alone have.
    if (this.#base) return this.#base.closersOf(form)
    let closers = this.#closers.get(form)
    if (!closers) {
      closers = new ReasoningClosers(this.reasoning.closers(form), (marker) => this.callMarkerLength(marker, 0) > 0)
      this.#closers.set(form, closers)
    }
    return closers
  }

  /** The blocks that begin, or may begin, at a place. */
  blocksAt(text: string, at: number): ReadableBlock[] {
    const start = text.slice(at, at + startLength)
    const blocks = this.#startingWith(start)
    // A shorter start is all of the text.
    const own = start.length < startLength ? blocks : blocks.filter((block) => block.isAt(text, at))
    return this.#base ? [...this.#base.blocksAt(text, at), ...own] : [...own]
  }

  /** The markers that close what a marker opens at a place that only calls have: a call, or a section as well if `sections`. */
  closersAt(text: string, at: number, sections: boolean): Terminal[] {
    return this.blocksAt(text, at).flatMap(({ place, program: { closers, sectionClosers } }) =>
      place === 'anywhere' ? closers.filter((closer) => sections || !sectionClosers.includes(closer)) : [],
    )
  }

  /** The blocks that begin, or may begin, with these characters. */
  #startingWith(start: string): readonly ReadableBlock[] {
    let blocks = this.#byStart.get(start)
    if (!blocks) {
      blocks = this.blocks.filter((block) => block.beginsWith(start))
      this.#byStart.set(start, blocks)
    }
    return blocks
  }

  /** True if a block of calls begins at `at`; `begun` if that needs more text. */
  beginsBlockAt(text: string, at: number, isFinal: boolean): boolean | 'begun' {
    if (at === text.length) return isFinal ? false : 'begun'
    const blocks = this.blocksAt(text, at).filter(({ place }) => place !== 'head')
    return !isFinal && blocks.some(({ begun }) => begun.testAt(text, at)) ? 'begun' : blocks.length > 0
  }

  /** The length of a marker at `at` that only calls have and that begins a block; 0 if there is none. */
  callMarkerLength(text: string, at: number): number {
    const blocks = this.blocksAt(text, at).filter(({ place }) => place === 'anywhere')
    return blocks.reduce((longest, block) => Math.max(longest, block.openerLength(text, at)), 0)
  }

  /** True if a marker that only calls have begins between two offsets; `begun` if that needs more text. */
  beginsMarkerWithin(text: string, from: number, to: number, isFinal: boolean): boolean | 'begun' {
    let isBegun = false
    for (let at = from; at < to; at++) {
      if (this.callMarkerLength(text, at) > 0) return true
      const blocks = isFinal ? [] : this.blocksAt(text, at)
      isBegun ||= blocks.some(({ place, begun }) => place === 'anywhere' && begun.testAt(text, at))
    }
    return isBegun && 'begun'
  }

  /** The length of a marker at `at` that closes a call; `begun` if more text may complete one, 0 if there is none. */
  closerLength(source: ModelText, at: number): number | 'begun' {
    const base = this.#base?.closerLength(source, at) ?? 0
    if (base !== 0) return base
    const found = this.blocks.flatMap(({ program }) => program.closers.map((one) => source.terminalAt(one, at)))
    if (found.includes('begun') && !source.isFinal) return 'begun'
    // A bracket alone closes much else.
    const whole = found.flatMap((match) =>
      match && match !== 'begun' && /\p{L}/u.test(match[0]) ? [match[0].length] : [],
    )
    return Math.max(0, ...whole)
  }

  /** Matches the closing marker of the message that a marker opens, if the message is addressed to the user. */
  closerOfUserMessage(marker: string): RegExp | undefined {
    return this.#userMessages.find(({ open }) => open.test(marker))?.close
  }

  /** The length of what begins a turn at a place, if it was found there: all of it is in hand. */
  turnStartLength({ text }: ModelText, at: number): number | undefined {
    return turnStart.whole.execAt(text, at)?.[0].length
  }

  /** The length of the marker around text at a place. */
  markerLength(source: ModelText, at: number): number | undefined {
    // Most other parts of a reply begin with none.
    return source.matches(this.#anyMarker, at) ? lengthOfAny(this.markers, source, at) : undefined
  }

  /** The length of the marker at a place that counts at the beginning of a reply only. */
  begunMarkerLength(source: ModelText, at: number): number | undefined {
    return lengthOfAny(this.begunMarkers, source, at)
  }

  #remember(key: string, base: Scanner | undefined, make: () => Sought[]): Scanner {
    let scanner = this.#scanners.get(key)
    if (!scanner) {
      scanner = base ? base.with({ sought: make() }) : new Scanner(make())
      this.#scanners.set(key, scanner)
    }
    return scanner
  }
}

function marksOfReasoning({ reasoning = [], reasoningClosers }: ReadableFormat): ReasoningMarks {
  return new ReasoningMarks([...new Set([...thinkTags, ...reasoning])], reasoningClosers)
}

function lengthOfAny(markers: readonly Terminal[], source: ModelText, at: number): number | undefined {
  for (const marker of markers) {
    const match = source.terminalAt(marker, at)
    if (match && match !== 'begun') return match[0].length
  }
  return undefined
}

function expressionOf(markers: readonly Terminal[]): LazyRegExp {
  return new LazyRegExp(() => anySources(sourceGroups(markers.map(({ opener }) => opener))).whole, 'iy')
}

function terminalsOf(markers: readonly PatternLike[] = []): Terminal[] {
  return markers.map((marker) => patternTerminal(patternOf(marker)))
}

/** An expression for a text that is the marker and nothing else. */
function wholeMarker(marker: PatternLike): RegExp {
  return new RegExp(`^\\s*${wholeSource(patternOf(marker))}\\s*$`, 'i')
}

function soughtLiteral(text: string): Sought {
  return soughtPattern(pattern.literal(text))
}

function soughtTerminal({ beginning }: Terminal): Sought {
  return beginning
}
