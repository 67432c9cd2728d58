import { appendTail } from '../../grammar/index.ts'
import { LayerRestorer, MarkLayer } from './mark-layer.ts'
import { type BrokenMark, breakMark, joiner, longestBefore, type Mark } from './mark-pattern.ts'

export type { Mark, SplitMark } from './mark-pattern.ts'

/**
 * Keeps a dialect's marks out of text that is not the dialect's: after one character of a mark, usually its first, a
 * word joiner is inserted, one more than there already is. So it can be undone exactly, whatever the text contained,
 * and nothing is ever deleted. Marks that are broken after different characters are broken one kind after the other,
 * and restored in the reverse order, so that they do not interfere.
 */
export class Marks {
  readonly #marks: readonly Mark[]
  /** Made when a text first needs them: a conversation's own next to never do, and take as long as all else that a reader sets up (0.05 ms). */
  #madeLayers: readonly MarkLayer[] | undefined
  /** A conversation's own mark, in lower case, without which its layer has nothing to do. */
  readonly #own: string
  readonly #base: Marks | undefined

  constructor(marks: readonly Mark[], base?: Marks) {
    this.#marks = marks
    this.#own = base && typeof marks[0] === 'string' && marks.length === 1 ? ownPart(marks[0]) : ''
    this.#base = base
  }

  /** Returns these marks and those of one conversation. */
  with(marks: readonly Mark[]): Marks {
    return marks.length === 0 ? this : new Marks(marks, this)
  }

  /** Returns the text with all marks broken. */
  neutralise(text: string): string {
    const based = this.#base ? this.#base.neutralise(text) : text
    if (this.#own !== '' && !based.toLowerCase().includes(this.#own)) return based
    return this.#layers.reduce((broken, layer) => layer.neutralise(broken), based)
  }

  /** The text that was neutralised; undoes `neutralise`, and leaves any other text alone. */
  restore(text: string): string {
    if (!text.includes(joiner)) return text
    const restored = this.#layers.reduceRight((broken, layer) => layer.restore(broken), text)
    return this.#base ? this.#base.restore(restored) : restored
  }

  get #layers(): readonly MarkLayer[] {
    this.#madeLayers ??= layersOf(this.#marks)
    return this.#madeLayers
  }

  /** Its layers in the order in which they put text back. */
  get layers(): readonly MarkLayer[] {
    return [...[...this.#layers].reverse(), ...(this.#base?.layers ?? [])]
  }
}

function layersOf(marks: readonly Mark[]): MarkLayer[] {
  const byKey = new Map<string, BrokenMark[]>()
  for (const mark of withJoinedTags(marks).flatMap(breakMark)) {
    const same = byKey.get(mark.key)
    if (same) same.push(mark)
    else byKey.set(mark.key, [mark])
  }
  return [...byKey.values()].map((same) => new MarkLayer(same))
}

/**
 * Returns marks that are found in the same texts, with one tag for all that may have the same prefix. A prefix takes up to 50 characters of
 * the text after each `<`, which are then read once, and not once for each tag.
 */
function withJoinedTags(marks: readonly Mark[]): Mark[] {
  const joined: Mark[] = []
  const places = new Map<string, number>()
  for (const mark of marks) {
    const key = typeof mark === 'string' || mark.type !== 'tag' || mark.prefix === 'none' ? '' : mark.side + mark.prefix
    const place = places.get(key)
    const other = place === undefined ? undefined : joined[place]
    if (place === undefined || typeof mark === 'string' || typeof other !== 'object') {
      if (key !== '') places.set(key, joined.length)
      joined.push(mark)
    } else if (mark.type === 'tag' && other.type === 'tag') {
      joined[place] = { ...other, names: [...new Set([...other.names, ...mark.names])] }
    }
  }
  return joined
}

/**
 * The part of a mark that every text with the mark contains, with joiners or not: the part after its last `<`, if it
 * has one.
 */
function ownPart(mark: string): string {
  const bracket = mark.slice(0, -1).lastIndexOf('<')
  return bracket < 0 ? '' : mark.slice(bracket + 1, -1).toLowerCase()
}

/** Restores a text that comes in pieces. */
export class MarkRestorer {
  readonly #marks: Marks
  /** Created at the first joiner: without one there is nothing to restore, and most texts have none. */
  #layers: readonly LayerRestorer[] | undefined
  /** The tail of the text so far, until then. */
  #before = ''

  constructor(marks: Marks) {
    this.#marks = marks
  }

  push(piece: string): string {
    if (!this.#layers && !piece.includes(joiner)) {
      this.#before = appendTail(this.#before, piece, longestBefore + 1)
      return piece
    }
    const before = this.#before.slice(-longestBefore - 1)
    this.#layers ??= this.#marks.layers.map((layer) => new LayerRestorer(layer, before))
    let text = piece
    for (const layer of this.#layers) text = layer.push(text)
    return text
  }

  end(): string {
    let text = ''
    for (const layer of this.#layers ?? []) text = layer.push(text) + layer.end()
    this.#layers = undefined
    this.#before = ''
    return text
  }
}
