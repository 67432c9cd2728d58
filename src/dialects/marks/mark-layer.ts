import { escapePattern, LazyRegExp } from '../../grammar/index.ts'
import { BegunMarks } from './begun-marks.ts'
import { type BrokenMark, joiner, type Sources, sourcesOf } from './mark-pattern.ts'

/** The marks that are broken after the same character, found together in one pass. */
export class MarkLayer {
  /** The number of characters up to the break that are examined, including the broken character. */
  readonly reach: number
  readonly #marks: readonly BrokenMark[]
  readonly #keys: ReadonlySet<string>
  #found: LazyRegExp | undefined
  #neutralised: LazyRegExp | undefined
  #begun: readonly BegunMarks[] | undefined

  constructor(marks: readonly BrokenMark[]) {
    this.#marks = marks
    const isWide = marks.some(({ at }) => at.length > 1 && at.startsWith('['))
    this.#keys = new Set(marks.flatMap(({ key }) => (isWide && key === '<' ? ['<', '\uff1c', '\u3008'] : [key])))
    this.reach = 1 + marks.reduce((longest, { before }) => Math.max(longest, before.length), 0)
  }

  neutralise(text: string): string {
    this.#found ??= new LazyRegExp(
      this.#alternatives(({ at, head, rests }) => `${at}${head(at)}(?=${joiner}*(?:${whole(rests)}))`),
      'gi',
    )
    return withJoiners(text, this.#found.compiled)
  }

  restore(text: string): string {
    this.#neutralised ??= new LazyRegExp(
      this.#alternatives(
        ({ at, before, rests }) => `${joiner}(?<=${before}${at}${joiner})(?=${joiner}*(?:${whole(rests)}))`,
      ),
      'gi',
    )
    return text.replace(this.#neutralised.compiled, '')
  }

  /**
   * The end of `text` that may be the beginning of a neutralised mark, from the joiners after its first character on:
   * the number of joiners, and the text after them. Undefined if there is none.
   */
  begunMark(text: string): { joiners: number; rest: string } | undefined {
    this.#begun ??= this.#groups().map(({ at, before, marks, rests }) => {
      const patterns = marks.map(({ rest }) => rest)
      return new BegunMarks(`${before}${at}`, patterns, rests)
    })
    for (let index = text.indexOf(joiner); index >= 0; index = text.indexOf(joiner, index + 1)) {
      for (const begun of this.#begun) {
        const joiners = begun.joinersAt(text, index)
        if (joiners > 0) return { joiners, rest: text.slice(index + joiners) }
      }
    }
    return undefined
  }

  /** One source for all marks with the same beginning. */
  #alternatives(sourceOf: (group: Group) => string): string {
    return this.#groups().map(sourceOf).join('|')
  }

  /** The marks with the same beginning, together. */
  #groups(): readonly Group[] {
    const groups = new Map<string, Group>()
    for (const mark of this.#marks) {
      const { at, before, rest } = mark
      const source = [...before].map((char) => `${escapePattern(char)}${joiner}*`).join('')
      const key = `${source}${at}`
      const group = groups.get(key) ?? {
        at,
        before: source,
        head: (char: string) => (source === '' ? '' : `(?<=${source}${char})`),
        marks: [],
        rests: [],
      }
      group.marks.push(mark)
      group.rests.push(sourcesOf(rest, this.#keys))
      groups.set(key, group)
    }
    return [...groups.values()]
  }
}

interface Group {
  at: string
  /** The source for the text before the break, whatever joiners it contains. */
  before: string
  /** A lookbehind for that text, placed after the character. */
  head(char: string): string
  marks: BrokenMark[]
  /** The sources for the rests of these marks, in their order. */
  rests: Sources[]
}

/** The number of parts that are joined at once. */
const partsAtOnce = 256

/**
 * Returns the text with a joiner after each match of an expression with the flag `g`, whose matches are not empty. The parts are joined in
 * groups: `replace` takes twice as long for a text of 270,000 marks, and one list of all parts three times.
 */
function withJoiners(text: string, expression: RegExp): string {
  let joined = ''
  let parts: string[] = []
  let end = 0
  expression.lastIndex = 0
  while (expression.test(text)) {
    parts.push(text.slice(end, expression.lastIndex))
    end = expression.lastIndex
    if (parts.length < partsAtOnce) continue
    joined += parts.join(joiner) + joiner
    parts = []
  }
  parts.push(text.slice(end))
  return joined + parts.join(joiner)
}

function whole(rests: readonly Sources[]): string {
  return rests.map((rest) => rest.whole).join('|')
}

/** More is never held back: no mark is this long, unless it has joiners without end in the middle. */
const longestHeld = 4096

/** Restores, for one layer, a text that comes in pieces. */
export class LayerRestorer {
  readonly #layer: MarkLayer
  /**
   * A possible beginning of a neutralised mark, with one joiner: the rest of its joiners have been returned already.
   */
  #held = ''
  /** The end of the emitted text, without its joiners: they change nothing before a break. */
  #before = ''

  /** `before` is the end of the text that was emitted already, in which no joiner was. */
  constructor(layer: MarkLayer, before: string) {
    this.#layer = layer
    this.#before = before.slice(-layer.reach)
  }

  push(piece: string): string {
    if (piece === '') return ''
    const { reach } = this.#layer
    if (this.#held === '' && !piece.includes(joiner)) {
      this.#before = (this.#before + piece).slice(-reach)
      return piece
    }
    const before = this.#before
    const text = before + this.#held + piece
    const found = this.#layer.begunMark(text)
    const begun = found && found.rest.length <= longestHeld ? found : undefined
    const given = begun ? text.slice(0, text.length - begun.rest.length - 1) : text
    this.#held = begun ? joiner + begun.rest : ''
    this.#before = given.replaceAll(joiner, '').slice(-reach)
    return this.#layer.restore(given).slice(before.length)
  }

  end(): string {
    // At the end of the text a mark is whole that more text might have undone.
    const before = this.#before
    const text = this.#held === '' ? '' : this.#layer.restore(before + this.#held).slice(before.length)
    this.#held = ''
    this.#before = ''
    return text
  }
}
