import { describe, expect, it } from 'vitest'
import { collectReply, type ReplyEvent, type ToolDefinition } from '../conversation/index.ts'
import { createReader } from './create-reader.ts'
import { parseToolCalls } from './parse-tool-calls.ts'

const schema = { type: 'object', properties: { n: { type: 'integer' } } }
const text = '<tool_call>{"name": "f", "arguments": {"n": "1"}}</tool_call>'

describe('the tools of a reader', () => {
  it.each<[form: string, tool: ToolDefinition]>([
    ['anycall', { name: 'f', description: '', schema }],
    ['OpenAI', { type: 'function', function: { name: 'f', parameters: schema } }],
    ['Anthropic', { name: 'f', input_schema: schema }],
    ['MCP', { name: 'f', inputSchema: schema }],
  ])('are taken in the form of %s, and type what is read', (_, tool) => {
    expect(parseToolCalls(text, { tools: [tool] }).calls.map(({ json }) => json)).toEqual(['{"n":1}'])
  })

  it('are taken as names', () => {
    expect(parseToolCalls(text, { tools: ['f'] }).calls).toHaveLength(1)
  })

  it.each<[what: string, options: unknown, message: RegExp]>([
    ['no options', undefined, /the tools are nothing; give a list of tools/],
    ['no tools', {}, /the tools are nothing; give a list of tools/],
    ['a number among them', { tools: [1] }, /tools\[0\] is a number; a tool is a name, /],
    ['a schema that is text', { tools: [{ name: 'f', schema: 'x' }] }, /has a string as its "schema"/],
  ])('that are wrong are said to be: %s', (_, options, message) => {
    expect(() => parseToolCalls(text, options as { tools: [] })).toThrow(message)
    expect(() => createReader(options as { tools: [] })).toThrow(message)
  })
})

describe('a reader', () => {
  it('that was ended takes no more text, and says so', () => {
    const reader = createReader({ tools: ['f'] })
    reader.push('a')
    reader.end()
    expect(() => reader.push('b')).toThrow(/the reader was ended/)
  })

  it('takes text and nothing else', () => {
    const reader = createReader({ tools: ['f'] })
    expect(() => reader.push(undefined as unknown as string)).toThrow(/expected a piece of text, got undefined/)
    expect([...reader.push('a'), ...reader.end()][0]).toEqual({ type: 'text', text: 'a' })
  })

  it('takes an id that comes after the arguments where calls are given out whole', () => {
    const call = (n: number, id: string) => `{"name": "f", "arguments": {"n": ${n}}, "id": "${id}"}`
    const text = `[TOOL_CALLS][${call(1, 'abcdefghi')}, ${call(2, 'abcdefghi')}, ${call(3, 'not an id')}, ${call(4, 'jklmnopqr')}]`
    const idsOf = (options: { delivery: 'live' | 'whole'; modelIds?: boolean }, pieces: readonly string[]) => {
      let made = 0
      const tools = [{ name: 'f', schema }]
      const reader = createReader({ tools, dialect: 'mistral', newCallId: () => `new_${made++}`, ...options })
      const events = [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()]
      return events.flatMap((event) => (event.type === 'call-start' ? [event.id] : []))
    }
    for (const pieces of [[text], [...text]]) {
      expect(idsOf({ delivery: 'whole' }, pieces)).toEqual(['abcdefghi', 'new_0', 'new_1', 'jklmnopqr'])
      // The start of a call was emitted before its id came.
      expect(idsOf({ delivery: 'live' }, pieces)).toEqual(['new_0', 'new_1', 'new_2', 'new_3'])
      expect(idsOf({ delivery: 'whole', modelIds: false }, pieces)).toEqual(['new_0', 'new_1', 'new_2', 'new_3'])
    }
  })

  it('is a stream whose events are collected as batches are', async () => {
    const pieces = () => {
      const left = [text.slice(0, 30), text.slice(30)]
      return new ReadableStream<string>({
        pull: (controller) => {
          const piece = left.shift()
          if (piece === undefined) controller.close()
          else controller.enqueue(piece)
        },
      })
    }
    const options = { tools: [{ name: 'f', schema }], newCallId: () => 'id' }
    const streamed = await collectReply(pieces().pipeThrough(createReader(options).stream()))
    const reader = createReader(options)
    const batches: ReplyEvent[][] = [reader.push(text), reader.end()]
    async function* inBatches() {
      yield* batches
    }
    async function* oneByOne() {
      yield* batches.flat()
    }
    expect(streamed.parts).toEqual([{ type: 'call', id: 'id', name: 'f', arguments: '{"n":1}', complete: true }])
    expect(await collectReply(inBatches())).toEqual(streamed)
    expect(await collectReply(oneByOne())).toEqual(streamed)
  })
})
