import { failed } from '../parse/error.ts'
import { whitespaceClass } from '../parse/whitespace.ts'
import type { Budget } from './budget.ts'
import { splitAt } from './search.ts'

const space = new RegExp(`[${whitespaceClass}]`)

/** Python's `split` and `rsplit` at a separator, at most `limit` times. */
export function split(text: string, separator: string, limit: number, fromEnd: boolean, budget: Budget): string[] {
  if (separator === '') throw failed('empty separator')
  const parts = splitAt(text, separator, budget)
  if (parts.length - 1 <= limit) return parts
  if (fromEnd) {
    const cut = parts.length - limit
    return [parts.slice(0, cut).join(separator), ...parts.slice(cut)]
  }
  return [...parts.slice(0, limit), parts.slice(limit).join(separator)]
}

/** Without a separator Python splits at runs of white space, and gives no empty parts; what is left after the last split keeps its other end as it is. */
export function splitWords(text: string, limit: number, fromEnd: boolean): string[] {
  return fromEnd ? wordsFromEnd(text, limit) : words(text, limit)
}

function words(text: string, limit: number): string[] {
  const found: string[] = []
  for (let at = 0; ; ) {
    while (at < text.length && space.test(text[at] ?? '')) at++
    if (at >= text.length) return found
    if (found.length >= limit) return [...found, text.slice(at)]
    const start = at
    while (at < text.length && !space.test(text[at] ?? '')) at++
    found.push(text.slice(start, at))
  }
}

function wordsFromEnd(text: string, limit: number): string[] {
  const found: string[] = []
  for (let end = text.length; ; ) {
    while (end > 0 && space.test(text[end - 1] ?? '')) end--
    if (end === 0) return found.reverse()
    if (found.length >= limit) return [...found, text.slice(0, end)].reverse()
    const last = end
    while (end > 0 && !space.test(text[end - 1] ?? '')) end--
    found.push(text.slice(end, last))
  }
}

const lineEnd = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/g

/** Python's `splitlines`, which knows more ends of lines than most. */
export function splitLines(text: string, keepEnds = false): string[] {
  const lines: string[] = []
  let start = 0
  for (const { 0: end, index } of text.matchAll(lineEnd)) {
    lines.push(text.slice(start, keepEnds ? index + end.length : index))
    start = index + end.length
  }
  if (start < text.length) lines.push(text.slice(start))
  return lines
}
