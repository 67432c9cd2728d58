import { describe, expect, test } from 'vitest'
import { callsOf, promptContext, readPieces } from '../../test/support/dialects/replies.ts'
import { someOf } from '../../test/support/draws.ts'
import type { AssistantPart } from '../conversation/index.ts'
import { chunkFault } from './check/laws.ts'
import { type Dialect, dialects } from './index.ts'

// A string that lost its closing quote in a call that others follow: it must not swallow them, as the call that it then is would run.

const tools = [{ name: 'run', description: '', schema: { type: 'object', properties: { line: { type: 'string' } } } }]
const parts: AssistantPart[] = ['first', 'second'].map((line, index) => ({
  type: 'call',
  id: `call_${index}`,
  name: 'run',
  arguments: JSON.stringify({ line }),
}))
const wanted = ['first', 'second'].map((line) => ({ name: 'run', json: JSON.stringify({ line }), complete: true }))

const bracketKinds = ['all', 'all on a line', 'none'] as const

/**
 * The calls in a dialect, the first without its closing quote, and with `none` without brackets after it, or with them on a line of
 * their own. Undefined if strings have no
 * quotes or delimiters of their own, if no marker is between the calls, or if none closes a call without brackets.
 */
function unclosed(dialect: Dialect, brackets: (typeof bracketKinds)[number]): string | undefined {
  const text = dialect.renderAssistant(parts, promptContext, tools)
  const found = /(?<sign>"|<[^\w>]+>)first\k<sign>(?<closers>[}\])]*)(?<space>\s*)(?=[<[])/.exec(text)
  if (!found?.groups || (brackets === 'none' && text.endsWith('}'))) return undefined
  const { sign = '', closers = '', space = '' } = found.groups
  const rest = { all: closers, 'all on a line': `\n${closers}`, none: '' }[brackets]
  return `${text.slice(0, found.index)}${sign}first${rest}${space}${text.slice(found.index + found[0].length)}`
}

const cases = dialects.flatMap((dialect) =>
  bracketKinds.flatMap((brackets) => {
    const text = unclosed(dialect, brackets)
    return text === undefined ? [] : [{ dialect, brackets, text }]
  }),
)

test('many dialects have a marker between calls with quoted strings', () => {
  expect(new Set(cases.map(({ dialect }) => dialect)).size).toBeGreaterThan(5)
  expect(quotations.length).toBeGreaterThan(5)
})

describe.each(cases)('$dialect.name, with $brackets of the brackets: $text', ({ dialect, text }) => {
  test.each([text.length, 7, 1])('in pieces of %i', (size) => {
    const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
      text.slice(at * size, (at + 1) * size),
    )
    const options = { tools, ...(dialect.usesTrigger && promptContext) }
    expect(callsOf(readPieces(dialect, pieces, options).events)).toEqual(wanted)
  })

  test('a reply that ends anywhere in it is read alike however it is cut', () => {
    const options = { tools, ...(dialect.usesTrigger && promptContext) }
    for (const end of someOf(
      Array.from(text, (_, at) => at + 1),
      30,
    )) {
      const begun = text.slice(0, end)
      for (const reason of ['length', 'stop'] as const) {
        expect([begun, chunkFault(dialect, begun, [...begun], { ...options, reason })]).toEqual([begun, undefined])
      }
    }
  })
})

/** A call whose string quotes two calls, without a quote that ends the first string of each; undefined if strings are not written as JSON. */
function quoting(dialect: Dialect): { text: string; json: string } | undefined {
  const quoted = dialect.renderAssistant(parts, promptContext, tools).replaceAll('"first"', '"first')
  const json = JSON.stringify({ line: `${quoted}\n${quoted}` })
  const call: AssistantPart = { type: 'call', id: 'call_0', name: 'run', arguments: '{"line":"it"}' }
  const text = dialect.renderAssistant([call], promptContext, tools)
  // A dialect would break the markers in text that it writes.
  return text.includes('"it"')
    ? { text: text.replace('"it"', () => json.slice('{"line":'.length, -1)), json }
    : undefined
}

const quotations = dialects.flatMap((dialect) => {
  const found = quoting(dialect)
  return found ? [{ dialect, ...found }] : []
})

test.each(quotations)('$dialect.name: a string that quotes such calls keeps them', ({ dialect, text, json }) => {
  const options = { tools, ...(dialect.usesTrigger && promptContext) }
  for (const pieces of [[text], [...text]])
    expect(callsOf(readPieces(dialect, pieces, options).events)).toEqual([{ name: 'run', json, complete: true }])
})
