import type { Reader } from '../../dialects/index.ts'
import { reasoningForms, thinkTags } from '../../dialects/index.ts'

/** So many characters of a continuation are looked at before any of it counts. */
export const lookedAt = 200

/** What was written before the token limit cut it, in the middle of a call. */
export interface Written {
  text: string
  /** Where in it the call begins. */
  openCallAt: number
  /** Makes a reader for such a reply, which gives its calls as they come. */
  newReader(): Reader
}

/** How much of a continuation is to be left out; `more` text is needed to say so; or it `begins-anew`, and does not fit. */
export type Seam = number | 'more' | 'begins-anew'

/**
 * Where a continuation goes on with what was written. A model that is asked to go on often thinks first, and repeats
 * something: the word that was cut, the call, or all of its reply; that is left out. One that says something before it
 * goes on, or that writes another call than the one that was cut, does not go on at all. What more text would say of the
 * same continuation is the same, in whatever pieces it comes.
 */
export function seamOf(written: Written, text: string, isOver: boolean): Seam {
  const unsaid = isOver ? 'begins-anew' : 'more'
  const begin = endOfReasoning(text)
  if (begin === undefined || (text.length < begin + lookedAt && !isOver)) return unsaid
  const overlap = overlapOf(written, text.slice(begin), isOver)
  if (overlap === 'more') return overlap
  const seam = begin + overlap
  if (text.length < seam + lookedAt && !isOver) return 'more'
  const rest = text.slice(seam, seam + lookedAt)
  return rest === '' || beginsAnew(written, rest) ? 'begins-anew' : seam
}

/** In any of the forms in which models think; a longer marker first. */
const forms = [...Object.values(reasoningForms), ...thinkTags].sort((a, b) => b.open.length - a.open.length)

/** Where reasoning at the head of a text ends, with the white space behind it; undefined where it goes on. */
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

/** The length of what a text repeats of the end of what was written, with white space before it. */
function overlapOf(written: Written, text: string, isOver: boolean): number | 'more' {
  const trimmed = text.trimStart()
  const space = text.length - trimmed.length
  const overlap = repetitionOf(written, text, isOver)
  if (overlap !== 0 || space === 0) return overlap
  const behindSpace = repetitionOf(written, trimmed, isOver)
  return behindSpace === 'more' || behindSpace === 0 ? behindSpace : space + behindSpace
}

/** No repetition is shorter. */
const shortest = 3

/** The longest end of what was written with which a text begins, if it is there because the model repeats itself. */
function repetitionOf(written: Written, text: string, isOver: boolean): number | 'more' {
  if (text.length < shortest) return 0
  const before = written.text
  const beginnings = beginningsOf(written)
  const head = text.slice(0, shortest)
  for (let at = before.indexOf(head); at >= 0; at = before.indexOf(head, at + 1)) {
    const length = before.length - at
    if (text.length < length) {
      if (!isOver && before.startsWith(text, at)) return 'more'
    } else if (text.startsWith(before.slice(at)) && (beginnings.includes(at) || isRepetition(before, at))) {
      return length
    }
  }
  return 0
}

/** Where a model that begins anew begins: with its reply, with the call, or with the line before it, a trigger or a fence. */
function beginningsOf({ text, openCallAt }: Written): number[] {
  return [0, text.lastIndexOf('\n', openCallAt - 2) + 1, openCallAt]
}

/** Behind a whole word or a bracket, what is shorter may as well come twice: a table has rows that are alike. */
const shortestBehindWord = 40

/** Whether what a text goes on with, which is the end of it from `at` on, repeats that, and does not come twice. */
function isRepetition(text: string, at: number): boolean {
  const end = text.slice(at)
  const comesTwice = text.endsWith(end, at) || (end + end).indexOf(end, 1) < end.length
  if (comesTwice || !/\p{L}/u.test(end) || !beginsWordOrString(text, at)) return false
  const isCutInWord = isWord(text.at(-1)) && !/\\[a-z]$/.test(text)
  return end.length >= (isCutInWord ? shortest : shortestBehindWord)
}

/** Models begin again with those; with half an indentation or half a marker what follows it begins, if it is alike. */
function beginsWordOrString(text: string, at: number): boolean {
  const char = text[at]
  return char === '"' || char === "'" || (isWord(char) && !isWord(text[at - 1]))
}

function isWord(char = ''): boolean {
  return /[\p{L}\p{N}_]/u.test(char)
}

const fence = /^\s*(?:`{3,}|~{3,}(?!~))[^\n`]*\n/
const preamble =
  /^\s*(?:Sure|Certainly|Of course|Okay|OK|Understood|Got it|Here|Continuing|Sorry|Apologies|I apologi[sz]e|I'll|I will|Let me)\b[^\n]*[:.!\u2026]\s*\n/

/** Whether a text does not go on with what was written, of which it repeats no end. */
function beginsAnew(written: Written, text: string): boolean {
  const { isMended, json } = readOn(written, text)
  if (isMended) return true
  // Strings without quotes take anything: not what looks like no part of them.
  return (
    json.includes(asJson(text)) && (preamble.test(text) || isNewFence(written, text) || repeatsBeginning(written, text))
  )
}

/** A fence is a text's own where it has others. */
function isNewFence({ text: before, openCallAt }: Written, text: string): boolean {
  return fence.test(text) && !/^[ \t]*(?:`{3}|~{3})/m.test(before.slice(openCallAt))
}

/** So much of a beginning is told from other text. */
const tellingLength = 8

function repeatsBeginning(written: Written, text: string): boolean {
  const head = headOf(text)
  return head.length === tellingLength && beginningsOf(written).some((at) => written.text.startsWith(head, at))
}

function headOf(text: string): string {
  return text.trimStart().slice(0, tellingLength)
}

/** The beginning of a text as it stands in arguments of which it is the value of a string. */
function asJson(text: string): string {
  return JSON.stringify(headOf(text)).slice(1, -1)
}

/**
 * What becomes of the call that is open when the text goes on with it: its further arguments, and whether it has to be
 * mended, as prose in the place of JSON has to be. That its end is not quite right says nothing, nor does what this model
 * does anyway.
 */
function readOn({ text: before, newReader }: Written, text: string): { isMended: boolean; json: string } {
  const reader = newReader()
  const faults = new Set<string>()
  for (const event of reader.push(before)) if (event.type === 'notice') faults.add(event.notice.message)
  let json = ''
  for (const event of reader.push(text)) {
    if (event.type === 'call-end') break
    if (event.type === 'call-arguments') json += event.json
    if (event.type !== 'notice' || event.notice.code === 'retyped' || event.notice.about === 'closer') continue
    if (!faults.has(event.notice.message)) return { isMended: true, json }
  }
  return { isMended: false, json }
}
