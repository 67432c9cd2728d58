import { expect, it } from 'vitest'
import { promptContext, readPieces } from '../../test/support/dialects/replies.ts'
import { callsOf } from './check/reading.ts'
import type { Dialect } from './format/dialect.ts'
import { dialects } from './registry.ts'

const text = { type: 'string' as const }
const tools = [
  {
    name: 'write_file',
    description: '',
    schema: { type: 'object' as const, properties: { path: text, content: text } },
  },
  { name: 'get_time', description: '', schema: { type: 'object' as const, properties: {} } },
  { name: 'get_weather', description: '', schema: { type: 'object' as const, properties: { city: text } } },
]

function written(dialect: Dialect, name: string, args: Record<string, string>): string {
  const call = { type: 'call' as const, id: 'call_1', name, arguments: JSON.stringify(args) }
  return dialect.renderAssistant([call], { ...promptContext, tools }, tools)
}

/** A text that dialects write between two markers as it is. */
const raw = 'q"<x>&q'
const marker = '(?:<[^<>]*>|\\S)'
const between = new RegExp(`(${marker})\\s*${raw}\\s*(${marker})`)

/** True unless strings begin and end with the same mark: one that holds a call ends at the first mark of the call's own strings. */
function writesRaw(dialect: Dialect): boolean {
  const [, before, after] = between.exec(written(dialect, 'write_file', { content: raw })) ?? []
  return before !== after
}

const all = [...dialects.values()].filter(writesRaw)

/** Texts that quote whole calls: with text around them, alone, in a line. */
function quoting(call: string): string[] {
  return [`One:\n${call}\nend`, call, `a\n${call}\nb\n${call}\nc`, `x ${call.replaceAll('\n', '')} y`]
}

it('dialects write strings as they are', () => {
  expect(all.length).toBeGreaterThan(10)
})

it.each(all.map((dialect) => [dialect.name, dialect] as const))(
  '%s: a string that quotes calls of the format is one argument',
  (_, dialect) => {
    const calls = [written(dialect, 'get_time', {}), written(dialect, 'get_weather', { city: 'Paris' })]
    for (const content of calls.flatMap(quoting)) {
      for (const args of [
        { path: 'a', content: 'HERE' },
        { content: 'HERE', path: 'a' },
      ]) {
        const reply = written(dialect, 'write_file', args).replace('HERE', () => content)
        for (const pieces of [[reply], [...reply]]) {
          const read = callsOf(readPieces(dialect, pieces, { tools }).events)
          expect([content, read.map(({ name, json }) => [name, JSON.parse(json)])]).toEqual([
            content,
            [['write_file', { path: 'a', content }]],
          ])
        }
      }
    }
  },
)
