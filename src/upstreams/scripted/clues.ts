import { isJsonObject, type JsonValue } from '../../conversation/index.ts'
import { nameParts } from './words.ts'

/** A value that the text gives, and where it stands. */
export interface Clue {
  text: string
  start: number
  end: number
}

export type ClueKind = 'code' | 'quoted' | 'url' | 'path' | 'email' | 'date' | 'number' | 'name'

/** A value given under a name: `city=Paris`, `city: "Paris"`, `{"city": "Paris"}`. */
export interface Pair {
  key: string
  /** Text as it stands, or a JSON value where the text gives JSON. */
  value: { type: 'text'; text: string } | { type: 'json'; json: JsonValue }
  start: number
}

/** All values found in one text. */
export interface Clues {
  text: string
  /** The text with quotations and JSON blanked out, of the same length, so that their words are not read as words. */
  masked: string
  kinds: Readonly<Record<ClueKind, readonly Clue[]>>
  pairs: readonly Pair[]
}

const quotations =
  /```[^\n`]*\n([^`]*)```|`([^`\n]+)`|"([^"\n]+)"|“([^”\n]+)”|(?<![\p{L}\p{N}])'([^'\n]+)'(?![\p{L}\p{N}])/dgu
/** A neutralised mark of a dialect: no mark any more, and no words of the user's either. */
const neutralised = /<\u2060[^<>\n]{0,512}>?/g
/** What stands in masked text for what was blanked out. */
export const blank = '\u0000'

/** Finds the values that `text` gives; `tools` are the names of the tools: a name of a tool is no value. */
export function findClues(text: string, tools: readonly string[]): Clues {
  const toolNames = new Set(tools.map((name) => name.toLowerCase()))
  const kinds: Record<ClueKind, Clue[]> = {
    code: [],
    quoted: [],
    url: [],
    path: [],
    email: [],
    date: [],
    number: [],
    name: [],
  }
  const pairs: Pair[] = []
  const mask = new Mask(text)
  for (const { json, start, end } of findJsonObjects(text)) {
    for (const [key, value] of Object.entries(json)) {
      if (value !== undefined) pairs.push({ key, value: { type: 'json', json: value }, start })
    }
    mask.cover(start, end)
  }
  for (const match of text.matchAll(neutralised)) mask.cover(match.index, match.index + match[0].length)
  for (const match of mask.text.matchAll(quotations)) {
    const [from, to] = match.indices?.slice(1).find((group) => group !== undefined) ?? [0, 0]
    const clue = {
      text: text.slice(from, to).replace(/\n$/, ''),
      start: match.index,
      end: match.index + match[0].length,
    }
    if (toolNames.has(clue.text.toLowerCase())) continue
    if (match[0].startsWith('`')) kinds.code.push(clue)
    kinds.quoted.push(clue)
    const kind = classifyToken(clue.text)
    if (kind !== undefined) kinds[kind].push(clue)
  }
  pairs.push(...findPairs(mask.text, kinds.quoted))
  for (const clue of kinds.quoted) mask.cover(clue.start, clue.end)
  const masked = mask.text
  for (const match of masked.matchAll(/[^\s"'`<>()[\]{},;\u0000]+/g)) {
    const token = match[0].replace(/[.:!?]+$/, '')
    const kind = classifyToken(token)
    if (kind === undefined) continue
    kinds[kind].push({ text: token, start: match.index, end: match.index + token.length })
    mask.cover(match.index, match.index + token.length)
  }
  for (const kind of ['url', 'path', 'email', 'date'] as const) kinds[kind].sort((a, b) => a.start - b.start)
  for (const match of mask.text.matchAll(/(?<![\p{L}\p{N}_.])(?:(?<!\S)-)?\d+(?:\.\d+)?/gu)) {
    kinds.number.push({ text: match[0], start: match.index, end: match.index + match[0].length })
  }
  kinds.name.push(...findNames(mask.text, new Set([...toolNames, ...tools.flatMap(nameParts)])))
  return { text, masked, kinds, pairs }
}

/** Text in which spans are blanked out one by one, in any order. */
class Mask {
  readonly #units: string[]

  constructor(text: string) {
    this.#units = text.split('')
  }

  cover(start: number, end: number): void {
    this.#units.fill(blank, start, end)
  }

  get text(): string {
    return this.#units.join('')
  }
}

function classifyToken(token: string): 'url' | 'path' | 'email' | 'date' | undefined {
  if (token.length > 2048 || /\s/.test(token)) return undefined
  if (/^https?:\/\/./i.test(token)) return 'url'
  if (/^\d{4}-\d\d-\d\d(?:T|$)/.test(token)) return 'date'
  if (/^[^@/:]+@[^@/:]+\.[a-z]+$/i.test(token)) return 'email'
  if (/^(?:~|\.{1,2})?\/[^/]/.test(token) || /^[A-Za-z]:\\./.test(token)) return 'path'
  return /^[^:=]*[\p{L}\p{N}_-]\.[A-Za-z][A-Za-z0-9]{0,4}$/u.test(token) && !/\.(?:com|org|net)$/i.test(token)
    ? 'path'
    : undefined
}

/** JSON objects written in the text: a few at most, each search bounded by the text's end. */
function findJsonObjects(text: string): { json: Record<string, JsonValue | undefined>; start: number; end: number }[] {
  const found: { json: Record<string, JsonValue | undefined>; start: number; end: number }[] = []
  let at = 0
  for (let tries = 0; tries < 4; tries++) {
    const start = text.indexOf('{', at)
    if (start < 0) break
    const end = findBalancedEnd(text, start)
    at = start + 1
    try {
      const json: unknown = JSON.parse(text.slice(start, end))
      if (!isJsonObject(json)) continue
      found.push({ json, start, end })
      at = end
    } catch {
      // Braces of something else.
    }
  }
  return found
}

function findBalancedEnd(text: string, start: number): number {
  let depth = 0
  for (const match of text.slice(start).matchAll(/[{}[\]]|"(?:[^"\\]|\\.)*"/gs)) {
    if (match[0] === '{' || match[0] === '[') depth++
    else if (match[0] === '}' || match[0] === ']') depth--
    if (depth === 0) return start + match.index + 1
  }
  return text.length
}

function findPairs(text: string, quoted: readonly Clue[]): Pair[] {
  const quotedAt = new Map(quoted.map((clue) => [clue.start, clue]))
  const pairs: Pair[] = []
  for (const match of text.matchAll(
    /(?<![\p{L}\p{N}_-])([\p{L}_][\p{L}\p{N}_-]{0,63})[`"']?(\s?=\s?|:\s?)(?=[^\s=:/])/gu,
  )) {
    const [whole, key = '', sign = ''] = match
    const at = match.index + whole.length
    const quotation = quotedAt.get(at)
    // After `=` comes one word, after `:` a phrase, as people write them.
    const end = sign.includes('=') ? /[\s,;)`"']|[.!?](?:\s|$)|$/ : /[,;)\n`"']|\s(?:and|then)\s|[.!?](?:\s|$)|$/
    const value = quotation?.text ?? text.slice(at, at + text.slice(at, at + 2048).search(end)).trim()
    if (value !== '') pairs.push({ key, value: { type: 'text', text: value }, start: match.index })
  }
  return pairs
}

/** Capitalised words that begin a sentence without being a name. */
const starters: ReadonlySet<string> = new Set(
  (
    'a add also always an and ask at before both but calculate call can check compare compute convert could create delete do draw each either ' +
    'execute explain fetch find first for from generate get give go hello hey hi how i if in invoke is it just lets let list look make never no note now ' +
    'ok okay on once open output please print put read remove reply return run save say search second send set show so start ' +
    'stop summarise summarize tell thank thanks that the then there these this to translate try update use using we what when where which who why will with write yes you your ' +
    'api celsius fahrenheit html http id json sql url xml'
  ).split(' '),
)

/** Small words within a name. */
const joiners: ReadonlySet<string> = new Set('da de del do la le los of'.split(' '))

/** Runs of capitalised words: `Paris`, `New York`, `Rio de Janeiro`. */
function findNames(text: string, ignored: ReadonlySet<string>): Clue[] {
  const names: Clue[] = []
  let open: Clue | undefined
  let wordEnd = 0
  for (const match of text.matchAll(/[\p{L}\p{M}\p{N}_'’-]+/gu)) {
    const word = match[0].replace(/['’]s?$/, '')
    const lower = word.toLowerCase()
    const capital = /^\p{Lu}/u.test(word) && !starters.has(lower) && !ignored.has(lower)
    if (open !== undefined && text.slice(wordEnd, match.index) !== ' ') open = undefined
    wordEnd = match.index + word.length
    if (!capital) {
      if (!joiners.has(word)) open = undefined
    } else if (open === undefined) {
      open = { text: word, start: match.index, end: wordEnd }
      names.push(open)
    } else {
      open.end = wordEnd
      open.text = text.slice(open.start, wordEnd)
    }
  }
  return names
}
