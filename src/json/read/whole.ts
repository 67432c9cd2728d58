import type { JsonStyle } from '../style.ts'
import { compact, type JsonSpacing, JsonText } from '../text.ts'
import { JsonReader } from './reader.ts'

/** A whole text read as one JSON value, with repairs; undefined when it is not one, or when more follows it. */
export function repairJson(text: string, spacing: JsonSpacing = compact, style: JsonStyle = {}): string | undefined {
  return readWhole(text, spacing, style)?.json
}

/** The same, with a flag for repairs: deviations that the style allows need no repair. */
export function readWhole(
  text: string,
  spacing: JsonSpacing,
  style: JsonStyle,
): { json: string; isRepaired: boolean } | undefined {
  let json = ''
  let isRepaired = false
  const sink = new JsonText((piece) => {
    json += piece
  }, spacing)
  const noteRepair = (): void => {
    isRepaired = true
  }
  sink.repaired = noteRepair
  const reader = new JsonReader(sink, style)
  const end = reader.read(text, 0, true)
  return reader.status === 'done' && text.slice(end).trim() === '' ? { json, isRepaired } : undefined
}
