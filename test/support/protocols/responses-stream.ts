import { expect } from 'vitest'
import { isJsonObject, type JsonObject } from '../../../src/conversation/index.ts'
import { eventMisfits } from './responses-schema.ts'

/** Reads the events of a stream, each checked against the schema, numbered from 0, and named as its data. */
export function readResponseEvents(text: string): JsonObject[] {
  expect(text.endsWith('\n\n')).toBe(true)
  const blocks = text.split('\n\n').filter((block) => block !== '' && !block.startsWith(':'))
  return blocks.map((block, at) => {
    // The text is read before its sender has escaped the line breaks of Unicode.
    const [, name, data = ''] = /^event: (\S+)\ndata: ([^\n]*)$/.exec(block) ?? []
    const event: unknown = JSON.parse(data)
    if (!isJsonObject(event)) throw new Error(`no event: ${block}`)
    expect(eventMisfits(event)).toEqual([])
    expect(event).toMatchObject({ type: name, sequence_number: at })
    return event
  })
}

/**
 * Returns the items that the deltas of a stream make, as a reader without the final response sees them. Fails if an
 * event names an item that is not open, or if the end of an item differs from its deltas.
 */
export function itemsOfDeltas(events: readonly JsonObject[]): JsonObject[] {
  const open = new Map<unknown, string>()
  const items: JsonObject[] = []
  for (const event of events) {
    const type = String(event.type)
    const at = event.output_index
    if (type === 'response.output_item.added') {
      expect(at).toBe(items.length + open.size)
      open.set(at, '')
    } else if (type.endsWith('.delta')) {
      expect(open.has(at)).toBe(true)
      expect(event.delta).not.toMatch(/\p{Surrogate}/u)
      open.set(at, open.get(at) + String(event.delta))
    } else if (/(?:text|arguments|input|refusal)\.done$/.test(type)) {
      expect(event.text ?? event.arguments ?? event.input ?? event.refusal).toBe(open.get(at))
    } else if (type === 'response.output_item.done' && isJsonObject(event.item)) {
      const written = textOfItem(event.item)
      if (written !== undefined) expect(written).toBe(open.get(at))
      open.delete(at)
      items[Number(at)] = event.item
    }
  }
  return items
}

/** Returns the text of an item that is written piece by piece. */
function textOfItem({ type, arguments: json, input, content, summary }: JsonObject): string | undefined {
  if (type === 'function_call') return String(json)
  if (type === 'custom_tool_call') return String(input)
  const parts = [content, summary].flatMap((list) => (Array.isArray(list) ? list : [])).filter(isJsonObject)
  return type === 'message' || type === 'reasoning'
    ? parts.map(({ text, refusal }) => text ?? refusal).join('')
    : undefined
}
