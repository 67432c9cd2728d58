import { describe, expect, test } from 'vitest'
import { dialectNames } from '../dialects/index.ts'
import { createGateway, createUpstreams, listen } from '../gateway/index.ts'
import { run } from './run.ts'

async function runDemo(...flags: string[]): Promise<{ code: number; sections: Map<string, string>[] }> {
  let out = ''
  const code = await run(['node', 'anycall', 'demo', ...flags], {
    io: {
      stdout: (text) => {
        out += text
      },
      stderr: () => {},
      env: {},
      fetch,
      signal: new AbortController().signal,
    },
    rooms: { dialects: dialectNames, createUpstreams, createGateway, listen },
  })
  const turns = out.split('The client runs the tools')
  return {
    code,
    sections: turns.map((turn) => {
      const parts = turn.split(/^=== (.*)$/m)
      return new Map(parts.slice(1).flatMap((part, index) => (index % 2 === 0 ? [[part, parts[index + 2] ?? '']] : [])))
    }),
  }
}

const [sends, prompt, writes, gets] = [
  'The client sends, POST /v1/messages',
  'The model, which takes only prompts, gets',
  'The model writes',
  'The client gets, while the model writes',
] as const

describe('anycall demo', () => {
  test.each(dialectNames)('shows two turns of a round trip in %s', async (dialect) => {
    const { code, sections } = await runDemo('--dialect', dialect)
    expect(code).toBe(0)
    const [first, second] = sections
    expect(first?.get(sends)).toContain('"name": "get_weather"')
    expect(first?.get(prompt)).toContain('Get the current weather of a city.')
    expect(first?.get(writes)).toContain('Tokyo')
    expect(first?.get(gets)).toContain('"type":"tool_use"')
    expect(first?.get(gets)).toContain('"stop_reason":"tool_use"')
    expect(second?.get(sends)).toContain('"tool_result"')
    // The prompt of the second turn begins with that of the first, and holds the model's own words.
    const begun = first?.get(prompt)?.trim() ?? '-'
    const written = first?.get(writes)?.trim() ?? '-'
    expect(second?.get(prompt)?.trim().startsWith(`${begun}\n\n[assistant]\n${written}`)).toBe(true)
    expect(second?.get(prompt)).toContain('24 °C, clear sky')
    expect(second?.get(writes)).toContain('24 °C')
    expect(second?.get(gets)).toContain('"stop_reason":"end_turn"')
  })
})
