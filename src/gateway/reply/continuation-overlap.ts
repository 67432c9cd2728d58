import { type Reader, reasoningForms, thinkTags } from '../../dialects/index.ts'

/** Characters of a continuation that are examined before any of it counts. */
export const lookahead = 200

/** A reply that the token limit cut in the middle of a call. */
export interface CutReply {
  text: string
  /** The offset in `text` at which the cut call starts. */
  openCallAt: number
  /** Creates a reader for such a reply that emits its calls as they come. */
  newReader(): Reader
}

/** The number of characters to leave out; `more` if that needs more text; `starts-anew` if the text does not continue the reply. */
export type Overlap = number | 'more' | 'starts-anew'

/**
 * Finds the end of the text that a continuation repeats. Models that are asked to continue often reason first and
 * repeat something: the word that was cut, the call, or the whole reply. A text that begins with something else, or
 * writes another call, starts anew. The result is the same for any longer text with the same beginning
 * (docs/decisions/0012).
 */
export function findOverlap(cut: CutReply, text: string, isOver: boolean): Overlap {
  const unknown = isOver ? 'starts-anew' : 'more'
  const start = endOfReasoning(text)
  if (start === undefined || (text.length < start + lookahead && !isOver)) return unknown
  const repeated = repeatedLength(cut, text.slice(start), isOver)
  if (repeated === 'more') return repeated
  const end = start + repeated
  if (text.length < end + lookahead && !isOver) return 'more'
  const rest = text.slice(end, end + lookahead)
  return rest === '' || startsAnew(cut, rest) ? 'starts-anew' : end
}

/** All forms in which models think; a longer marker comes first. */
const forms = [...Object.values(reasoningForms), ...thinkTags]
  .filter(({ kind }) => kind !== 'header')
  .sort((a, b) => b.open.length - a.open.length)

/** The end of reasoning that begins a text, and of the white space after it; undefined if the reasoning is not over. */
function endOfReasoning(text: string): number | undefined {
  const head = text.length - text.trimStart().length
  const form = forms.find(({ open }) => text.startsWith(open, head))
  if (!form) return 0
  const ends = form.close.flatMap((close) => {
    const at = text.indexOf(close, head + form.open.length)
    return at < 0 ? [] : [at + close.length]
  })
  if (ends.length === 0) return undefined
  const end = Math.min(...ends)
  return end + (text.slice(end).length - text.slice(end).trimStart().length)
}

/** The length of the text that repeats the reply's end, with the white space before it. */
function repeatedLength(cut: CutReply, text: string, isOver: boolean): number | 'more' {
  const trimmed = text.trimStart()
  const space = text.length - trimmed.length
  const repeated = repetitionAt(cut, text, isOver)
  if (repeated !== 0 || space === 0) return repeated
  const afterSpace = repetitionAt(cut, trimmed, isOver)
  return afterSpace === 'more' || afterSpace === 0 ? afterSpace : space + afterSpace
}

/** No repetition is shorter. */
const shortest = 3

/** The length of the longest end of the reply that the text repeats at its beginning. */
function repetitionAt(cut: CutReply, text: string, isOver: boolean): number | 'more' {
  if (text.length < shortest) return 0
  const before = cut.text
  const starts = startsOf(cut)
  const head = text.slice(0, shortest)
  for (let at = before.indexOf(head); at >= 0; at = before.indexOf(head, at + 1)) {
    const length = before.length - at
    if (text.length < length) {
      if (!isOver && before.startsWith(text, at)) return 'more'
    } else if (text.startsWith(before.slice(at)) && (starts.includes(at) || isRepetition(before, at))) {
      return length
    }
  }
  return 0
}

/** The offsets from which models start anew: the reply, the call, and the line before it, which is a trigger or a fence. */
function startsOf({ text, openCallAt }: CutReply): number[] {
  return [0, text.lastIndexOf('\n', openCallAt - 2) + 1, openCallAt]
}

/** After a whole word or a bracket a shorter text may as well be meant twice: a table has equal rows. */
const shortestAfterWord = 40

/** True if a text that begins with the end of the reply, from `at` on, repeats it; false if the text may contain it twice. */
function isRepetition(text: string, at: number): boolean {
  const end = text.slice(at)
  const comesTwice = text.endsWith(end, at) || (end + end).indexOf(end, 1) < end.length
  if (comesTwice || !/\p{L}/u.test(end) || !beginsWordOrString(text, at)) return false
  const isCutInWord = isWord(text.at(-1)) && !/\\[a-z]$/.test(text)
  return end.length >= (isCutInWord ? shortest : shortestAfterWord)
}

/**
 * True if a word or a string begins there: models repeat from such a place on. Half an indentation or half a marker
 * begins the next part.
 */
function beginsWordOrString(text: string, at: number): boolean {
  const char = text[at]
  return char === '"' || char === "'" || (isWord(char) && !isWord(text[at - 1]))
}

function isWord(char = ''): boolean {
  return /[\p{L}\p{N}_]/u.test(char)
}

/** True if a text, after what it repeats, starts something new instead of continuing the reply. */
function startsAnew(cut: CutReply, text: string): boolean {
  const { isRepaired, json } = readOn(cut, text)
  if (isRepaired) return true
  // A string without quotes takes any text, also a fence around the rest and the start of a call.
  return json.includes(asJson(text)) && (isNewFence(cut, text) || repeatsStart(cut, text))
}

const fence = /^\s*(?:`{3,}|~{3,}(?!~))[^\n`]*\n/

/** True for a text that begins with a fence after a call that has none. */
function isNewFence({ text: before, openCallAt }: CutReply, text: string): boolean {
  return fence.test(text) && !/^[ \t]*(?:`{3}|~{3})/m.test(before.slice(openCallAt))
}

/** The number of characters that distinguish the start of a call or a reply from other text. */
const headLength = 8

function repeatsStart(cut: CutReply, text: string): boolean {
  const head = headOf(text)
  return head.length === headLength && startsOf(cut).some((at) => cut.text.startsWith(head, at))
}

function headOf(text: string): string {
  return text.trimStart().slice(0, headLength)
}

/** The first eight characters of `text`, escaped as in a JSON string. */
function asJson(text: string): string {
  return JSON.stringify(headOf(text)).slice(1, -1)
}

/**
 * Reads the text as the rest of the open call. Returns the arguments in it, and a flag for repairs or an unreadable
 * end, as of prose in place of JSON. Repairs after the last argument do not count, because only the end of the call is
 * faulty; nor does a repair that the reply needed before.
 */
function readOn({ text: before, newReader }: CutReply, text: string): { isRepaired: boolean; json: string } {
  const reader = newReader()
  const known = new Set<string>()
  for (const event of reader.push(before)) if (event.type === 'notice') known.add(event.notice.message)
  let json = ''
  let isRepaired = false
  for (const event of reader.push(text)) {
    if (event.type === 'call-end') return { isRepaired: !event.complete, json }
    if (event.type === 'call-arguments') {
      json += event.json
      if (isRepaired && /[^\s"\]}]/.test(event.json)) return { isRepaired, json }
    } else if (event.type === 'notice' && event.notice.code !== 'retyped' && !known.has(event.notice.message)) {
      // A repair at the reply's end is certain only now that the string continues after it.
      const [, end = before.length] = event.notice.span ?? []
      isRepaired ||= end >= before.length
    }
  }
  return { isRepaired, json }
}
