import type { JsonObject, JsonValue } from '../../conversation/index.ts'
import { mendJson, spaced } from '../../json/index.ts'
import type { PlannedCall } from './dialect-readings.ts'

/** Writes calls as an example shows them. */
export type CallForm = (calls: readonly PlannedCall[]) => string

const placeholders = { name: 'TOOL_NAME', key: 'ARGUMENT_NAME', value: 'VALUE' } as const
/** What is longer is no example of one call. */
const longestExample = 4096
/** Arguments as one JSON object, which is what most formats have. */
const objectExample = /\{\s*"ARGUMENT_NAME"\s*:\s*"VALUE"\s*\}/

/** An example in parts: the arguments stand between head and tail. */
interface Example {
  head: string
  tail: string
  writeArguments(values: JsonObject): string
}

/**
 * Reads the example of a call that a prompt shows, with placeholders for what is to be said. What parts two arguments and
 * how the types of values are told is guessed, as a model must that has seen the one example. Undefined where the
 * placeholders do not stand in it.
 */
export function readExample(example: string): CallForm | undefined {
  if (example.length > longestExample || !example.includes(placeholders.name)) return undefined
  const parts = readObject(example) ?? readListed(example) ?? readMarked(example)
  if (parts === undefined) return undefined
  const { head, tail, writeArguments } = parts
  const write = (call: PlannedCall, index: number): string => {
    const fill = (text: string): string =>
      text.replaceAll(placeholders.name, () => call.name).replace(/(?<=[">])ID(?=["<])/g, `${index}`)
    return fill(head) + writeArguments(call.arguments) + fill(tail)
  }
  // Where a form has a section for several calls, each call gets one of its own: the example shows no more than that.
  return (calls) => calls.map(write).join('\n')
}

function readObject(example: string): Example | undefined {
  const found = objectExample.exec(example)
  if (found === null) return undefined
  return {
    head: example.slice(0, found.index),
    tail: example.slice(found.index + found[0].length),
    writeArguments: spacedJson,
  }
}

/** Arguments in brackets: `f(ARGUMENT_NAME="VALUE")`, `f{ARGUMENT_NAME:<q>VALUE<q>}`. */
function readListed(example: string): Example | undefined {
  const found = /([({])ARGUMENT_NAME([=:])(.*?)VALUE\3([)}])/s.exec(example)
  if (found === null) return undefined
  const [, open = '', sign = '', quote = '', close = ''] = found
  const writeValue = (value: JsonValue | undefined): string => {
    if (typeof value !== 'string') return spacedJson(value)
    if (quote === '"') return JSON.stringify(value)
    // Within other quotes of one character, a language's own rules hold; a delimiter of several needs none.
    return quote.length === 1
      ? `${quote}${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll(quote, `\\${quote}`)}${quote}`
      : `${quote}${value}${quote}`
  }
  return {
    head: example.slice(0, found.index) + open,
    tail: close + example.slice(found.index + found[0].length),
    writeArguments: (values) =>
      Object.entries(values)
        .map(([key, value]) => `${key}${sign}${writeValue(value)}`)
        .join(', '),
  }
}

/** Arguments between marks: the stretch from the mark before the argument's name to the one behind its value repeats. */
function readMarked(example: string): Example | undefined {
  const key = example.indexOf(placeholders.key)
  const value = example.indexOf(placeholders.value)
  if (key < 0 || value < key) return undefined
  const start = example.lastIndexOf('<', key)
  const end = closeOf(example, Math.max(value, example.lastIndexOf(placeholders.key)))
  if (start < 0 || end < 0) return undefined
  const before = example.slice(0, start)
  const tail = example.slice(end)
  const separator = sharedEdge(before, tail)
  const stretch = example.slice(start, end)
  return {
    head: before.slice(0, before.length - separator.length),
    tail,
    writeArguments: (values) =>
      Object.entries(values)
        .map(([name, given]) => separator + writeMarked(stretch, name, given))
        .join(''),
  }
}

/** Where the mark ends that closes the value: marks may be made of two halves with a word between, as in `<a>word<b>`. */
function closeOf(example: string, from: number): number {
  let end = example.indexOf('>', from) + 1
  while (end > 0 && /\w/.test(example.charAt(end))) end = example.indexOf('>', end) + 1
  return end - 1 < 0 ? -1 : end
}

/** What ends the one text and begins the other: it stands between the arguments as well. */
function sharedEdge(before: string, behind: string): string {
  for (let length = Math.min(before.length, behind.length); length > 0; length--) {
    if (before.endsWith(behind.slice(0, length))) return behind.slice(0, length)
  }
  return ''
}

function writeMarked(stretch: string, name: string, value: JsonValue | undefined): string {
  const typed = typeof value === 'string' ? stretch : withType(stretch, value)
  const text = typeof value === 'string' ? value : spacedJson(value)
  const [first = '', ...rest] = typed.split(placeholders.value)
  const keyed = (part: string): string => part.replaceAll(placeholders.key, () => name)
  return keyed(first) + text + keyed(rest.join(placeholders.value))
}

/** Examples show a string; where they say so, another type must be said for another value. */
function withType(stretch: string, value: JsonValue | undefined): string {
  const type = value === null || value === undefined ? 'null' : Array.isArray(value) ? 'array' : typeof value
  return stretch
    .replace('string="true"', 'string="false"')
    .replace('type="raw"', 'type="json"')
    .replace(/(type["'>=]+)string\b/, `$1${type}`)
}

function spacedJson(value: JsonValue | undefined): string {
  const json = JSON.stringify(value ?? null)
  return mendJson(json, spaced) ?? json
}
