import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { callsOf, message, promptContext, readPieces, textOf, tools } from '../../test/support/dialects/replies.ts'
import { lawRuns } from '../../test/support/draws.ts'
import { type Dialect, dialects, getDialect, parseToolCalls } from './index.ts'

/** The dialects whose chat template ends the prompt with the beginning of a marker, each with that text. */
const begun: [name: string, dialect: Dialect, by: string][] = Object.entries({
  'functionary-v3.2': '>>>',
  inkling: '<|message_model|>',
  harmony: '<|start|>assistant',
  'muse-glimmer': '<|start|>assistant',
  hyperclova: '<|im_start|>assistant',
  'solar-open': '<|begin|>assistant',
  'kimi-k3': '<|open|>message role="assistant"<|sep|>',
}).flatMap(([name, by]): [string, Dialect, string][] => {
  const dialect = getDialect(name)
  return dialect ? [[name, dialect, by]] : []
})

/** The events that are read of a text, without places in it. */
function readingOf(dialect: Dialect, pieces: readonly string[], offered: typeof tools = tools): unknown[] {
  const { events } = readPieces(dialect, pieces, { tools: offered })
  return events.map((event) => (event.type === 'notice' ? event.notice.code : event))
}

it('are those of all formats with forms that the prompt has begun', () => {
  const withForms = dialects.filter(({ format }) => format?.begunMarkers ?? format?.namedCalls?.begun)
  expect(begun.map(([name]) => name)).toEqual(expect.arrayContaining(withForms.map(({ name }) => name)))
  expect(begun).toHaveLength(7)
})

describe.each(begun)('%s', (_, dialect, by) => {
  /** The text with and without the beginning that the prompt writes, the latter also in single characters. */
  const expectAlike = (text: string, offered = tools) => {
    const whole = text.startsWith(by) ? text : by + text
    const rest = whole.slice(by.length)
    const expected = readingOf(dialect, [whole], offered)
    expect([rest, readingOf(dialect, [rest], offered)]).toEqual([rest, expected])
    expect([rest, readingOf(dialect, [...rest], offered)]).toEqual([rest, expected])
  }

  it('reads calls at the beginning of a reply without it as with it', () => {
    const property = fc.property(message(dialect), ({ parts, tools: offered }) => {
      // A bracket after a call may be one of its own.
      fc.pre(parts[0]?.type === 'call' && !parts.some((part) => part.type === 'text' && /^\s*[\]},;(]/.test(part.text)))
      expectAlike(dialect.renderAssistant(parts, promptContext, offered), offered)
    })
    fc.assert(property, { numRuns: 4 * lawRuns })
  })

  it('reads the text of a message without it as with it', () => {
    const markers = (dialect.format?.markers ?? []).filter(
      (one) => typeof one === 'string' && one !== by && one.startsWith(by),
    )
    for (const marker of markers) for (const text of ['Hello', ' Hello\nall\nso', '']) expectAlike(`${marker}${text}`)
  })
})

const weather = '{"city":"Paris"}'
it.each<[dialect: string, text: string, calls: number, left: string]>([
  ['functionary-v3.2', `get_weather\n${weather}`, 1, ''],
  ['functionary-v3.2', `\nget_weather\n${weather}\n>>>run\n{}`, 2, ''],
  ['functionary-v3.2', `all\nI look.\n>>>get_weather\n${weather}`, 1, 'I look.'],
  ['functionary-v3.2', 'all\nall\nof it', 0, 'all\nof it'],
  ['functionary-v3.2', 'all of it', 0, 'all of it'],
  ['functionary-v3.2', 'allocate\n{}', 0, 'allocate\n{}'],
  ['functionary-v3.2', 'small\nthings', 0, 'small\nthings'],
  ['functionary-v3.2', 'run', 0, 'run'],
  ['functionary-v3.2', 'run\nit', 0, 'run\nit'],
  ['functionary-v3.2', 'run {}', 0, 'run {}'],
  ['functionary-v3.2', 'list\n{}', 0, 'list\n{}'],
  ['functionary-v3.2', 'So:\nrun\n{}', 0, 'So:\nrun\n{}'],
  ['functionary-v3.2', '>>>all\nrun\n{}', 0, 'run\n{}'],
  ['functionary-v3.2', '```\nrun\n{}\n```', 0, '```\nrun\n{}\n```'],
  ['functionary-v3.2', '`run\n{}`', 0, '`run\n{}`'],
  ['functionary-v3.2', '<think>Hm.</think>run\n{}', 0, 'run\n{}'],
  ['universal', `get_weather\n${weather}`, 0, `get_weather\n${weather}`],
  ['universal', 'all\nHello', 0, 'all\nHello'],
  [
    'inkling',
    `get_weather<|content_invoke_tool_json|>{"name": "get_weather", "args": ${weather}}<|end_message|>`,
    1,
    '',
  ],
  ['inkling', '<|content_text|>Hello<|end_message|>', 0, 'Hello'],
  ['inkling', '<|content_thinking|>Hm.<|end_message|><|message_model|><|content_text|>Hello', 0, 'Hello'],
  [
    'inkling',
    `<|content_thinking|>Hm.<|end_message|><|message_model|>run<|content_invoke_tool_json|>{"name": "run", "args": {}}`,
    1,
    '',
  ],
])('%s: %j', (name, text, calls, left) => {
  const dialect = getDialect(name)
  if (!dialect) throw new Error(`there is no dialect ${name}`)
  for (const pieces of [[text], [...text]]) {
    const { events } = readPieces(dialect, pieces, { tools })
    expect({ calls: callsOf(events).length, left: textOf(events) }).toEqual({ calls, left })
  }
})

it('does not take a fence at the beginning of a reply for the call in it', () => {
  const text = '```\nrun\n{}\n```'
  const read = parseToolCalls(text, { tools, dialect: 'functionary-v3.2', accept: { fences: 'lenient' } })
  expect([read.calls, read.text]).toEqual([[], text])
})
