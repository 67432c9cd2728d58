import { expect } from 'vitest'
import { isJsonObject, type ReplyEvent, type Tool } from '../../../src/conversation/index.ts'
import type { Dialect } from '../../../src/dialects/format/dialect.ts'
import { type ReadingOptions, readPieces } from './replies.ts'

/** Reply events in a short form, for tables of tests. */
export type Short =
  | string
  | { think: string }
  | { call: string; json: string; incomplete?: true }
  | { notice: string; at: [number, number] }

/** Expects a text to read as given: at once, a character at a time, and in pieces of three. */
export function expectReading(
  dialect: Dialect,
  text: string,
  expected: readonly Short[],
  options: ReadingOptions,
): void {
  for (const size of [Math.max(1, text.length), 1, 3]) {
    const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
      text.slice(index * size, (index + 1) * size),
    )
    expect(shorten(readPieces(dialect, pieces, options).events)).toEqual(expected)
  }
}

function shorten(events: readonly ReplyEvent[]): Short[] {
  const short: Short[] = []
  const calls = new Map<number, { call: string; json: string; incomplete?: true }>()
  for (const event of events) {
    if (event.type === 'text') short.push(event.text)
    else if (event.type === 'reasoning') short.push({ think: event.text })
    else if (event.type === 'notice') short.push({ notice: event.notice.code, at: event.notice.span ?? [-1, -1] })
    else if (event.type === 'call-start') {
      const call = { call: event.name, json: '' }
      calls.set(event.index, call)
      short.push(call)
    } else if (event.type !== 'finish') {
      const call = calls.get(event.index)
      if (call && event.type === 'call-arguments') call.json += event.json
      if (call && event.type === 'call-end' && !event.complete) call.incomplete = true
    }
  }
  return short
}

/** A tool whose arguments have the types given: `{ city: 'string' }`; those with `!` are required. */
export function tool(name: string, types: Record<string, string | string[]> = {}): Tool {
  const keys = Object.keys(types)
  const properties = Object.fromEntries(keys.map((key) => [key.replace('!', ''), { type: types[key] ?? 'string' }]))
  const required = keys.filter((key) => key.endsWith('!')).map((key) => key.slice(0, -1))
  const schema: unknown = JSON.parse(JSON.stringify({ type: 'object', properties, required }))
  return { name, description: '', schema: isJsonObject(schema) ? schema : {} }
}
