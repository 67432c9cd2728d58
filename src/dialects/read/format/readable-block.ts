import { memoize } from '../../../conversation/index.ts'
import { anySources, compile, LazyRegExp, type Program, type Sought, sourceGroups } from '../../../grammar/index.ts'
import type { Block } from '../../format/format.ts'

/** The first characters by which blocks are chosen before their expressions search the text. */
export const startLength = 8

/** A block of calls, compiled. */
export class ReadableBlock {
  readonly program: Program
  readonly place: Block['place']
  readonly isWhole: boolean
  readonly endsReasoning: boolean
  readonly readFrom: Block['readFrom']
  /** Sticky: its beginning, or text at the end that may become one. */
  readonly opener: LazyRegExp
  readonly begun: LazyRegExp
  #prefixes: readonly string[] | undefined

  constructor({ tree, place, isWhole = false, endsReasoning = place === 'anywhere', readFrom }: Block) {
    const program = compile(tree)
    const sources = () => anySources(sourceGroups(program.first.map(({ beginning }) => beginning)))
    this.program = program
    this.place = place
    this.isWhole = isWhole
    this.endsReasoning = endsReasoning
    this.readFrom = readFrom
    this.opener = new LazyRegExp(() => sources().whole, 'iy')
    this.begun = new LazyRegExp(() => sources().begun, 'iy')
  }

  /** The literals, in lower case, with one of which the block begins, as far as its beginnings are literal. */
  get prefixes(): readonly string[] {
    this.#prefixes ??= this.program.first.map(({ beginning }) => literalPrefix(beginning.sources.whole).toLowerCase())
    return this.#prefixes
  }

  /** True if the block begins, or may begin, at a place. */
  isAt(text: string, at: number): boolean {
    return this.opener.testAt(text, at) || this.begun.testAt(text, at)
  }

  /** True if the block begins, or may begin, with these characters. */
  beginsWith(start: string): boolean {
    if (!this.mayBeginWith((chars) => chars.includes(start[0] ?? ''))) return false
    const lowerCase = start.toLowerCase()
    const isPrefix = (prefix: string) => lowerCase.startsWith(prefix) || prefix.startsWith(lowerCase)
    return this.prefixes.some(isPrefix) && this.isAt(start, 0)
  }

  /** True if one of its first characters passes the test, or if it may begin with any. */
  mayBeginWith(test: (chars: readonly string[]) => boolean): boolean {
    return this.program.first.some(({ beginning: { firstChars } }) => firstChars === undefined || test(firstChars))
  }

  /** The length of the marker that opens the block at a place; 0 if there is none. */
  openerLength(text: string, at: number): number {
    return this.opener.execAt(text, at)?.[0].length ?? 0
  }

  /**
   * Returns the searches for the block. `lines`: those that may occur in prose count at the beginning of a line only.
   */
  sought(lines: boolean): Sought[] {
    const atLine = this.place === 'head' || (lines && this.place === 'line')
    return this.program.first.map(({ beginning }) => ({ ...beginning, atLine }))
  }
}

/** Returns the block, compiled once. */
export const readableBlockOf: (block: Block) => ReadableBlock = memoize((block) => new ReadableBlock(block))

/** True if a marker opens these blocks at `at`. A bracket alone also opens many other texts. */
export function areMarkedAt(blocks: readonly ReadableBlock[], text: string, at: number): boolean {
  return blocks.some((block) => /\p{L}/u.test(text.slice(at, at + block.openerLength(text, at))))
}

const literalChar = /\\[^\w\s]|[^\\.*+?^${}()|[\]]/y
const plainGroup = /\(\?:([\w:-]+)\)(?![{*+?])/y

/** The literal, of at most `startLength` characters, that an expression begins with, as far as its source shows one. */
function literalPrefix(source: string): string {
  let prefix = ''
  let at = 0
  while (at < source.length && prefix.length < startLength) {
    plainGroup.lastIndex = at
    const group = plainGroup.exec(source)
    literalChar.lastIndex = at
    const found = group ?? literalChar.exec(source)
    // A quantifier is about the character before it.
    if (!found || /[{*+?]/.test(source[at + found[0].length] ?? '')) break
    prefix += group ? (group[1] ?? '') : found[0].slice(-1)
    at += found[0].length
  }
  return prefix.slice(0, startLength)
}
