import type { AssistantPart, CallPart, JsonObject, Tool, ToolDefinition } from '../../conversation/index.ts'
import { isJsonObject, toolsForReading } from '../../conversation/index.ts'
import type { Dialect } from '../format/dialect.ts'
import { Draw } from './draw.ts'
import { chunkFault, endFault, lossFault, retractionFault } from './laws.ts'
import { callsOf, readPieces } from './reading.ts'

/** The names of the laws that every dialect must obey. */
export type Law =
  /** An example is read as the calls that it was given with. */
  | 'example'
  /** A text is read alike however it is cut into pieces. */
  | 'chunk-invariance'
  /** Merged events only grow. */
  | 'no-retraction'
  /** Every character is text, reasoning, a marker or part of a call. */
  | 'nothing-lost'
  /** One finish event at the end; a call is complete or marked as incomplete. */
  | 'truth-about-the-end'
  /** Calls that the dialect writes are read back. */
  | 'round-trip'
  /** Neutralised text of others is put back, and no part of it is a call. */
  | 'text-of-others'
  /** No text makes the reader throw. */
  | 'never-throws'

/** A law that a dialect breaks. */
export interface Finding {
  law: Law
  /** The text that shows it. */
  text: string
  message: string
}

/** A text of the model, with the calls in it. */
export interface CheckExample {
  text: string
  calls?: readonly { name: string; arguments: JsonObject }[]
}

/** The samples and settings for a check of a dialect. */
export interface CheckOptions {
  /** Texts of the model. With `calls`, these calls must be read from the text. */
  examples?: readonly (string | CheckExample)[]
  /** The tools that the calls are drawn for. Default: a few with all types of arguments. */
  tools?: readonly ToolDefinition[]
  /** The same seed draws the same texts. Default: 1. */
  seed?: number
  /** The number of texts to draw. Default: 200. */
  runs?: number
}

const trigger = '<<CALL_9f3a27c1b20d>>'
/** More findings add nothing. */
const mostFindings = 20

/**
 * Checks that a dialect keeps to the laws of dialects, with given examples and with texts that are drawn: calls that the
 * dialect writes, whole and mutilated, between text and its own markers. Returns a finding for each law that a text breaks, at
 * most 20; an empty list if all hold. Needs no test framework.
 *
 * Throws an AnycallError (`invalid-request`) for tools that are not tools.
 *
 * @example
 * const findings = checkDialect(alcove, {
 *   examples: [{ text: '<call:now>{}</call>', calls: [{ name: 'now', arguments: {} }] }],
 *   tools: ['now'],
 * })
 * for (const { law, text, message } of findings) console.error(law, text, message)
 */
export function checkDialect(dialect: Dialect, options: CheckOptions = {}): Finding[] {
  const { examples = [], seed = 1, runs = 200 } = options
  const tools = toolsForReading(options.tools ?? defaultTools)
  const checker = new Checker(dialect, tools)
  const given = examples.map((example): CheckExample => (typeof example === 'string' ? { text: example } : example))
  for (const example of given) checker.example(example)
  const samples = [dialect.example, ...given.map(({ text }) => text)]
  for (let run = 0; run < runs && checker.findings.length < mostFindings; run++) {
    const draw = new Draw(seed * 100_003 + run)
    checker.calls(draw)
    checker.text(drawnText(dialect, tools, samples, draw), draw)
  }
  return checker.findings.slice(0, mostFindings)
}

class Checker {
  readonly findings: Finding[] = []
  readonly #dialect: Dialect
  readonly #tools: readonly Tool[]
  readonly #reading: { tools: readonly Tool[]; trigger?: string }

  constructor(dialect: Dialect, tools: readonly Tool[]) {
    this.#dialect = dialect
    this.#tools = tools
    this.#reading = { tools, ...(dialect.usesTrigger && { trigger }) }
  }

  example({ text, calls }: CheckExample): void {
    this.text(text, new Draw(1))
    if (!calls) return
    this.#hold('example', text, () => {
      const read = this.#calls(text)
      const expected = calls.map(({ name, arguments: value }) => `${name}(${JSON.stringify(value)})`).join(', ')
      return read === expected ? undefined : `${read || 'no call'} is read, not ${expected || 'no call'}`
    })
  }

  /** All that holds of any text. */
  text(text: string, draw: Draw): void {
    const pieces = draw.pieces(text)
    const reason = draw.one(['stop', 'length'] as const) ?? 'stop'
    const reading = { ...this.#reading, reason }
    this.#hold('chunk-invariance', text, () => chunkFault(this.#dialect, text, pieces, reading))
    this.#hold('chunk-invariance', text, () => chunkFault(this.#dialect, text, text.split(''), reading))
    this.#hold('no-retraction', text, () => retractionFault(this.#dialect, pieces, reading))
    this.#hold('nothing-lost', text, () => lossFault(readPieces(this.#dialect, [text], reading), text))
    this.#hold('truth-about-the-end', text, () => endFault(readPieces(this.#dialect, [text], reading), reason))
    this.#hold('text-of-others', text, () => this.#othersFault(text))
  }

  /** Calls between text, as the dialect writes them. */
  calls(draw: Draw): void {
    const parts = Array.from({ length: 1 + draw.upTo(3) }, (_, index): CallPart | undefined => {
      const tool = draw.one(this.#tools)
      return tool && draw.call(tool, index)
    }).filter((part) => part !== undefined && this.#fits(part))
    const calls = parts.flatMap((part) => (part ? [part] : []))
    if (calls.length === 0) return
    const said: AssistantPart[] = draw.upTo(2) === 0 ? [] : [{ type: 'text', text: 'Let me look.' }]
    const text = this.#write([...said, ...calls])
    this.#hold('round-trip', text, () => {
      const expected = calls.map(({ name, arguments: json }) => `${name}(${json})`).join(', ')
      const read = this.#calls(text)
      return read === expected ? undefined : `${expected} is written so, and read as ${read || 'no call'}`
    })
  }

  #write(parts: readonly AssistantPart[]): string {
    return this.#dialect.renderAssistant(parts, { trigger, tools: this.#tools }, this.#tools)
  }

  /** Some formats have a place for plain keys only. */
  #fits({ arguments: json }: CallPart): boolean {
    const { keys } = this.#dialect
    return !keys || Object.keys(JSON.parse(json)).every((key) => keys.test(key))
  }

  #calls(text: string): string {
    const calls = callsOf(readPieces(this.#dialect, [text], this.#reading).events)
    return calls.map(({ name, json, complete }) => `${name}(${complete ? compact(json) : json})`).join(', ')
  }

  #othersFault(text: string): string | undefined {
    if (text.trim() === '') return undefined
    const quoted = this.#dialect.neutralise(text, { trigger, tools: this.#tools })
    const { events } = readPieces(this.#dialect, [quoted], this.#reading)
    const calls = callsOf(events)
    return calls.length === 0 ? undefined : `neutralised, it still calls ${calls.map(({ name }) => name).join(', ')}`
  }

  #hold(law: Law, text: string, fault: () => string | undefined): void {
    try {
      const message = fault()
      if (message !== undefined) this.findings.push({ law, text, message })
    } catch (error) {
      // Whatever the dialect's own functions throw is a finding.
      this.findings.push({ law: 'never-throws', text, message: `${law}: ${String(error)}` })
    }
  }
}

function compact(json: string): string {
  const value: unknown = JSON.parse(json)
  return isJsonObject(value) ? JSON.stringify(value) : json
}

function drawnText(dialect: Dialect, tools: readonly Tool[], samples: readonly string[], draw: Draw): string {
  const markers = [...(dialect.format?.reasoning ?? []).flatMap(({ open, close }) => [open, ...close])]
  const words = ['Then: ', '\n', ' ', '```\n', '`', '> ', '"', '<', '{', '日本', ...markers]
  const parts = Array.from({ length: 1 + draw.upTo(5) }, () => {
    const tool = draw.one(tools)
    if (!tool || draw.upTo(3) === 0) return draw.one(words) ?? ''
    const call = dialect.renderAssistant([draw.call(tool, 0)], { trigger, tools }, tools)
    const text = draw.upTo(3) === 0 ? (draw.one(samples) ?? call) : call
    return draw.upTo(2) === 0 ? text : draw.mutilated(text)
  })
  return parts.join('')
}

const defaultTools: readonly Tool[] = [
  {
    name: 'get_weather',
    description: '',
    schema: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } }, required: ['city'] },
  },
  { name: 'now', description: '', schema: { type: 'object', properties: {} } },
  {
    name: 'write',
    description: '',
    schema: {
      type: 'object',
      properties: {
        path: { type: 'string' },
        meta: { type: 'object' },
        lines: { type: 'array', items: { type: 'string' } },
        isNew: { type: 'boolean' },
        size: { type: 'number' },
      },
    },
  },
]
