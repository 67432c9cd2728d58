import type { ModelText } from '../../../grammar/index.ts'
import type { Reader } from '../../format/dialect.ts'

const opening = /(`{3,64}|~{3,64}(?!~))[^\n`]{0,64}\n\s{0,64}/y
const closing = /\s{0,64}(`{3,}|~{3,})[ \t]*(?=\r?\n|$)/y
const closingBegun = /\s{0,64}(?:(?:`+|~+)[ \t]*\r?)?$/y

/** A line that opens a fence around calls: it goes with them. */
export interface CallFence {
  /** The run of characters that opens the fence. */
  run: string
  /** The length of the line, with the white space after it. */
  length: number
}

/** The line at a place that opens a fence. */
export function callFenceAt(source: ModelText, at: number): CallFence | undefined {
  const match = source.match(opening, at)
  return match?.[1] === undefined ? undefined : { run: match[1], length: match[0].length }
}

/** The length of the line after calls that closes the fence around them; 0 if there is none. */
export function callFenceEnd(source: ModelText, run: string): number | 'more' {
  if (!source.isFinal && source.matches(closingBegun)) return 'more'
  const match = source.match(closing)
  return match?.[1]?.startsWith(run) ? match[0].length : 0
}

/** True when a text holds calls and nothing else, as `reader` reads it: complete ones, except the last of a text that was cut. */
export function holdsCallsAlone(reader: Reader, text: string, isCut: boolean): boolean {
  const events = [...reader.push(text), ...reader.end(isCut ? 'length' : 'stop')]
  const isText = events.some((event) => event.type === 'text' && event.text.trim() !== '')
  return !isText && events.some(({ type }) => type === 'call-end' || (isCut && type === 'call-start'))
}
