import { describe, expect, test } from 'vitest'
import { coveringPairs } from '../../test/support/draws.ts'
import { dialectNames } from '../dialects/index.ts'
import { createNodeGateway, createNodeUpstreams, listen } from '../gateway/index.ts'
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
    services: {
      dialects: dialectNames,
      createUpstreams: createNodeUpstreams,
      createGateway: createNodeGateway,
      listen,
      readPage: async () => undefined,
    },
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
  'The model, which accepts only prompts, receives',
  'The model writes',
  'The client receives, while the model writes',
] as const

describe('anycall demo', () => {
  const namesOf = coveringPairs(['turns', 'words'] as const, dialectNames, { fewest: 1 })

  test.each(namesOf('turns'))('shows two turns of a round trip in %s', async (dialect) => {
    const { code, sections } = await runDemo('--dialect', dialect)
    expect(code).toBe(0)
    const [first, second] = sections
    expect(first?.get(sends)).toContain('"name": "get_weather"')
    expect(first?.get(prompt)).toContain('Get the current weather of a city.')
    expect(first?.get(writes)).toContain('Tokyo')
    expect(first?.get(gets)).toContain('"type":"tool_use"')
    expect(first?.get(gets)).toContain('"stop_reason":"tool_use"')
    expect(second?.get(sends)).toContain('"tool_result"')
    expect(callsIn(second?.get(sends) ?? '')).toEqual([
      { name: 'get_weather', input: { city: 'Paris' } },
      { name: 'get_weather', input: { city: 'Tokyo' } },
    ])
    // The prompt of the second turn begins with that of the first, and contains the model's reply.
    const begun = `${first?.get(prompt)?.trim() ?? '-'}\n\n[assistant]\n`
    const again = second?.get(prompt)?.trim() ?? ''
    expect(again.startsWith(begun)).toBe(true)
    expect(again.slice(begun.length)).toMatch(/^I will look up both\..*get_weather.*Paris.*get_weather.*Tokyo/s)
    expect(second?.get(prompt)).toContain('24 °C, clear sky')
    expect(second?.get(writes)).toContain('24 °C')
    expect(second?.get(gets)).toContain('"stop_reason":"end_turn"')
  })

  test.each(namesOf('words'))('%s keeps the words of the model to the letter', async (dialect) => {
    const { sections } = await runDemo('--dialect', dialect)
    const [first, second] = sections
    const begun = first?.get(prompt)?.trim() ?? '-'
    const written = first?.get(writes)?.trim() ?? '-'
    // Formats that write ids have the gateway's in the history.
    const ids = [...(second?.get(sends) ?? '').matchAll(/"id": "(toolu_\w+)"/g)].map(([, id = '']) => id)
    const shown = ids.reduce((text, id, index) => text.replaceAll(id, `${index}`), second?.get(prompt) ?? '')
    expect(shown.trim().startsWith(`${begun}\n\n[assistant]\n${written}`)).toBe(true)
  })
})

/** The calls in the history that the client sends. */
function callsIn(body: string): unknown[] {
  const { messages }: { messages: { content: string | { type: string; name?: string; input?: unknown }[] }[] } =
    JSON.parse(body.slice(0, body.lastIndexOf('}') + 1))
  return messages
    .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
    .filter(({ type }) => type === 'tool_use')
    .map(({ name, input }) => ({ name, input }))
}
