import { type CallPart, ReplyCollector, type Tool } from '../../conversation/index.ts'
import type { Expression } from '../../grammar/index.ts'
import type { FormatData } from '../format/format.ts'
import { Marks } from '../marks/marks.ts'
import { writeInFormat } from '../prompt/format-writer.ts'
import { createFormatReader } from '../read/format-reader.ts'
import { alternativesOf } from './alternatives.ts'
import type { DefinitionProblem } from './problems.ts'

/** Calls that every definition must be able to write and read: short and long values, no arguments, several calls. */
const tool: Tool = {
  name: 'get_weather',
  description: '',
  schema: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } } },
}
const now: Tool = { name: 'now', description: '', schema: { type: 'object', properties: {} } }
const tools: readonly Tool[] = [tool, now]

function call(name: string, json: string): CallPart {
  return { type: 'call', id: 'call_1', name, arguments: json }
}

const weather = call('get_weather', '{"city":"Paris","days":3}')
const samples: readonly (readonly CallPart[])[] = [
  [weather],
  [call('get_weather', '{"city":"two\\nlines, \\"quotes\\" and <tags>"}')],
  [call('now', '{}')],
  [weather, call('now', '{}'), weather],
]

/** The example of a definition that gives none: one call. */
export const exampleCall: CallPart = weather

const trigger = '<<CALL_0123456789ab>>'

/** Bounds the work for a definition with very many alternatives. */
const mostAlternatives = 60

/**
 * Returns the calls of a format that are not read as they were written. The first form must write and read every sample. The
 * other forms, and the alternatives in all of them, must not be read as something else: calls that a form
 * reads back alone must also be read back when the format has all its forms.
 */
export function checkReading(format: FormatData, usesTrigger: boolean, paths: readonly string[]): DefinitionProblem[] {
  const [first] = paths
  for (const calls of samples) {
    const text = write(format, calls, usesTrigger)
    const read = readCalls(format, text, usesTrigger)
    // Alternatives of a tree that cannot read its own output are not checked.
    if (!isSame(read, calls)) return [notReadBack(first ?? 'calls', text, calls, read)]
  }
  const forms = format.blocks.map((form, index) => ({ form, tree: form.tree, part: paths[index] ?? 'calls' }))
  const alternatives = forms.flatMap(({ form, part }) =>
    alternativesOf(form.tree, part).map((one) => ({ ...one, form })),
  )
  return [...forms.slice(1), ...alternatives].slice(0, mostAlternatives).flatMap(({ part, tree, form }) => {
    const alone: FormatData = { ...format, blocks: [{ ...form, tree }] }
    return checkAlternative(format, alone, usesTrigger, part)
  })
}

/** The samples that distinguish alternatives: one call, and several. */
const distinguishingSamples = samples.filter((_, index) => index !== 1 && index !== 2)

function checkAlternative(
  format: FormatData,
  alone: FormatData,
  usesTrigger: boolean,
  part: string,
): DefinitionProblem[] {
  for (const calls of distinguishingSamples) {
    const text = write(alone, calls, usesTrigger)
    const read = readCalls(format, text, usesTrigger)
    if (isSame(read, calls)) continue
    // An alternative that does not read these calls back alone is not meant for them.
    if (isSame(readCalls(alone, text, usesTrigger), calls)) return [ambiguous(part, text, calls, read)]
  }
  return []
}

/** Nothing is neutralised in the samples. */
const noMarks = new Marks([])

function write(format: FormatData, calls: readonly CallPart[], usesTrigger: boolean): string {
  const text = writeInFormat(format, calls, tools)
  return usesTrigger ? `${trigger}\n${text}` : text
}

interface ReadCall {
  name: string
  json: string
}

function readCalls(format: FormatData, text: string, usesTrigger: boolean): ReadCall[] {
  const policy = { tools, toolChoice: { type: 'auto' as const }, parallelCalls: true }
  const reader = createFormatReader(format, noMarks, { ...policy, ...(usesTrigger && { trigger }) })
  const collector = new ReplyCollector()
  collector.push([...reader.push(text), ...reader.end('stop')])
  return collector.parts.flatMap((part) =>
    part.type === 'call' && part.complete ? [{ name: part.name, json: part.arguments }] : [],
  )
}

function isSame(read: readonly ReadCall[], written: readonly CallPart[]): boolean {
  return textOf(read) === textOf(written.map(({ name, arguments: json }) => ({ name, json })))
}

function textOf(calls: readonly ReadCall[]): string {
  return calls.map(({ name, json }) => `${name}(${compact(json)})`).join(', ') || 'no call'
}

/** The white space between the members of an object differs from writer to writer. */
function compact(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json))
  } catch (error) {
    if (error instanceof SyntaxError) return json
    throw error
  }
}

function written(calls: readonly CallPart[]): string {
  return textOf(calls.map(({ name, arguments: json }) => ({ name, json })))
}

function notReadBack(
  part: string,
  text: string,
  calls: readonly CallPart[],
  read: readonly ReadCall[],
): DefinitionProblem {
  const outcome = `${written(calls)} is written as ${JSON.stringify(text)}, which is read as ${textOf(read)}`
  const advice =
    text === ''
      ? 'a call without arguments has no form: use repeat(…) for arguments, where oneOrMore(…) needs one.'
      : 'check where a value ends, what stands between calls (separator), and that each call has an end.'
  return { code: 'not-read-back', part, message: `${outcome}; ${advice}` }
}

function ambiguous(
  part: string,
  text: string,
  calls: readonly CallPart[],
  read: readonly ReadCall[],
): DefinitionProblem {
  const outcome = `with this part ${written(calls)} is ${JSON.stringify(text)}, which is read as ${textOf(read)}`
  const advice =
    'an alternative before it takes the beginning: put the longer one first, or begin the other with pattern.notAhead(…).'
  return { code: 'ambiguous', part, message: `${outcome}; ${advice}` }
}

/** Returns true for a tree of plain data, as far as its type shows it. */
export function isTree(value: unknown): value is Expression {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}
