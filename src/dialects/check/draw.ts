import type { CallPart, JsonObject, JsonValue, Tool } from '../../conversation/index.ts'

/** Returns numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Draws from the same seed. */
export class Draw {
  readonly #random: () => number

  constructor(seed: number) {
    this.#random = randomOf(seed)
  }

  /** Returns a whole number from 0 to `below` - 1. */
  upTo(below: number): number {
    return Math.floor(this.#random() * below)
  }

  /** Returns one of some items; undefined if there are none. */
  one<Item>(items: readonly Item[]): Item | undefined {
    return items[this.upTo(items.length)]
  }

  /** Returns a text cut in pieces at some places. */
  pieces(text: string): string[] {
    const ends = Array.from({ length: this.upTo(8) }, () => this.upTo(text.length + 1)).sort((a, b) => a - b)
    return [...ends, text.length].map((end, index) => text.slice(ends[index - 1] ?? 0, end))
  }

  /** Returns a text with some characters taken away and others put in. */
  mutilated(text: string): string {
    const at = this.upTo(text.length + 1)
    const patch = this.one(['', '', '"', '}', '<', '\n', ',', ' x ', '\\', '>', '```\n']) ?? ''
    return text.slice(0, at) + patch + text.slice(at + this.upTo(12))
  }

  /** Returns a call of a tool, with values of the types that its schema names. */
  call(tool: Tool, index: number): CallPart {
    const { properties, required } = tool.schema
    const known = Object.entries(isObject(properties) ? properties : {})
    const names: readonly JsonValue[] = Array.isArray(required) ? required : []
    const members = known.filter(([key]) => names.includes(key) || this.upTo(3) > 0)
    const value = Object.fromEntries(members.map(([key, schema]) => [key, this.#value(isObject(schema) ? schema : {})]))
    return { type: 'call', id: `call_${index}`, name: tool.name, arguments: JSON.stringify(value) }
  }

  #value(schema: JsonObject): JsonValue {
    if (Array.isArray(schema.enum)) return this.one(schema.enum) ?? null
    switch (schema.type) {
      case 'integer':
        return this.upTo(1000) - 500
      case 'number':
        return this.upTo(1000) / 8
      case 'boolean':
        return this.upTo(2) === 1
      case 'array':
        return Array.from({ length: this.upTo(3) }, () => this.#value(isObject(schema.items) ? schema.items : {}))
      case 'object': {
        const properties = isObject(schema.properties) ? schema.properties : { a: {} }
        return Object.fromEntries(
          Object.entries(properties).map(([key, inner]) => [key, this.#value(isObject(inner) ? inner : {})]),
        )
      }
      default:
        return this.one(texts) ?? ''
    }
  }
}

/** Strings that writers and readers often get wrong. */
const texts = [
  'Paris',
  '',
  ' a ',
  'two\nlines',
  '"quoted"',
  "it's",
  'C:\\new',
  '<b>&amp;</b>',
  '日本 👍🏽',
  '{"a": 1}',
  '01',
  'true',
]

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
