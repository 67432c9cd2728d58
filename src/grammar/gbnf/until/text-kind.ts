import { literalWords } from '../../../json/index.ts'
import { CharSet } from '../../regex/chars.ts'

/**
 * Forms for which a text must not be mistaken: a CDATA section at its beginning, a JSON string that is the whole text
 * and, if a string is one of several types, a value of another type. In the latter case the text is no number, no word
 * such as `true` and no text in brackets, and it begins with no quote, space or tag.
 */
export type Mistaken = 'cdata' | 'quoted' | 'number' | 'word' | 'structure'

export const blankChars: readonly string[] = [...' \t\n\r\u000b\f\u00a0\u3000\u2028\u2029\ufeff']
const blanks = CharSet.of(blankChars.join(''))
/** If several types fit, text begins with none of these. */
const unsafeStarts = blanks.or(CharSet.of('"\'<\u201c\u201d\u2018\u2019\uff02&'))
export const safeStarts: CharSet = CharSet.all.without(unsafeStarts)

const cdata = '<![CDATA['
const words = [...literalWords.keys()]

/**
 * A number as JSON writes it: the states, the characters that lead from one to the next, and the states in which it may
 * end.
 */
const digits = '0123456789'
const numberKinds: Readonly<Record<string, { next: Readonly<Record<string, string>>; isWhole: boolean }>> = {
  'number-sign': { next: { '0': 'number-zero', [digits]: 'number-digits' }, isWhole: false },
  'number-zero': { next: { '.': 'number-point', eE: 'number-e' }, isWhole: true },
  'number-digits': { next: { [digits]: 'number-digits', '.': 'number-point', eE: 'number-e' }, isWhole: true },
  'number-point': { next: { [digits]: 'number-fraction' }, isWhole: false },
  'number-fraction': { next: { [digits]: 'number-fraction', eE: 'number-e' }, isWhole: true },
  'number-e': { next: { '+-': 'number-e-sign', [digits]: 'number-power' }, isWhole: false },
  'number-e-sign': { next: { [digits]: 'number-power' }, isWhole: false },
  'number-power': { next: { [digits]: 'number-power' }, isWhole: true },
}
const numberStarts: Readonly<Record<string, string>> = {
  '-': 'number-sign',
  '0': 'number-zero',
  [digits]: 'number-digits',
}

/**
 * The forms that the whole of a text may still take, as a state: in `first` and `before` it has only just begun, in
 * `text` it is only text, in `after` it follows a complete form that does not count.
 */
export class TextKinds {
  readonly #not: readonly Mistaken[]
  readonly start: string

  constructor(not: readonly Mistaken[]) {
    this.#not = not
    const isOneOfSeveral = not.some((one) => one === 'number' || one === 'word' || one === 'structure')
    this.start = isOneOfSeveral ? 'first' : not.length > 0 ? 'before' : 'text'
  }

  /** True if the text must not end in this state: it would be mistaken for another form. */
  isMistaken(kind: string): boolean {
    if (kind.startsWith('word-')) return words.includes(kind.slice('word-'.length))
    return kind === 'after' || kind === 'closed' || numberKinds[kind]?.isWhole === true
  }

  /** The characters that lead elsewhere than others do, beside white space. */
  charsAt(kind: string): string {
    if (kind === 'text') return ''
    if (kind === 'first') return `${digits}-[{${words.map((word) => word.charAt(0)).join('')}`
    if (kind.startsWith('cdata')) return cdata[kind.length - 'cdata'.length] ?? ''
    if (kind.startsWith('word-')) return nextLetters(kind.slice('word-'.length)).join('')
    if (kind === 'open' || kind === 'closed') return ']}'
    const number = numberKinds[kind]
    return number ? Object.keys(number.next).join('') : '"\\<'
  }

  /**
   * The state after one more character; undefined if the text would become a form that is excluded. `mayClose`: the
   * text may have ended before the character.
   */
  after(kind: string, char: string, mayClose: boolean): string | undefined {
    const isBlank = blanks.has(char)
    if (kind.startsWith('cdata')) {
      const read = kind.slice('cdata'.length) + char
      if (!cdata.startsWith(read)) return 'text'
      return read === cdata ? undefined : `cdata${read}`
    }
    if (kind.startsWith('word-') || kind.startsWith('number-')) {
      const next = kind.startsWith('word-') ? wordAfter(kind, char) : entryOf(numberKinds[kind]?.next ?? {}, char)
      if (next !== undefined) return next
      return this.isMistaken(kind) && (isBlank || mayClose) ? 'after' : 'text'
    }
    switch (kind) {
      case 'first':
        return this.#first(char)
      case 'before':
        if (isBlank) return kind
        if (char === '"' && this.#not.includes('quoted')) return 'inside'
        return char === '<' && this.#not.includes('cdata') ? 'cdata<' : 'text'
      case 'inside':
        return char === '\n' ? 'text' : char === '\\' ? 'escape' : char === '"' ? 'after' : kind
      case 'escape':
        return 'inside'
      case 'after':
        return isBlank || mayClose ? kind : 'text'
      case 'open':
      case 'closed':
        if (char === ']' || char === '}') return 'closed'
        return kind === 'closed' && (isBlank || mayClose) ? kind : 'open'
      default:
        return 'text'
    }
  }

  #first(char: string): string | undefined {
    if (unsafeStarts.has(char)) return undefined
    const number = this.#not.includes('number') ? entryOf(numberStarts, char) : undefined
    const word = this.#not.includes('word') ? wordAfter('word-', char) : undefined
    const structure = this.#not.includes('structure') && (char === '[' || char === '{') ? 'open' : undefined
    return number ?? word ?? structure ?? 'text'
  }
}

function wordAfter(kind: string, char: string): string | undefined {
  const read = kind.slice('word-'.length) + char
  return words.some((word) => word.startsWith(read)) ? `word-${read}` : undefined
}

function nextLetters(read: string): string[] {
  return words.flatMap((word) => (word.startsWith(read) ? [word.charAt(read.length)] : []))
}

/** The first entry whose key holds the character. */
function entryOf(entries: Readonly<Record<string, string>>, char: string): string | undefined {
  return Object.entries(entries).find(([chars]) => chars.includes(char))?.[1]
}
