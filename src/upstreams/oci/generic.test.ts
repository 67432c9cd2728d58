import { describe, expect, it } from 'vitest'
import { collect, contextOf, ociForTest } from '../../../test/support/upstreams/oci.ts'
import {
  asks,
  calls,
  chatRequestOf,
  gets,
  streamed,
  text,
  toolsRequest,
  weather,
} from '../../../test/support/upstreams/oci-requests.ts'
import type { Turn } from '../../conversation/index.ts'

describe('a conversation with tools in the Generic format, where the configuration asks for it', () => {
  const model = 'meta.llama-3.3-70b-instruct'

  it('has tools, calls and results', async () => {
    const more = { toolChoice: { type: 'named', name: 'clock' }, parallelCalls: false } as const
    expect(await chatRequestOf(toolsRequest([asks, calls, gets], model, more))).toEqual({
      apiFormat: 'GENERIC',
      messages: [
        { role: 'SYSTEM', content: [text('Be brief.')] },
        { role: 'USER', content: [text('weather?')] },
        {
          role: 'ASSISTANT',
          content: [text('')],
          toolCalls: [
            { id: 'c1', type: 'FUNCTION', name: 'get-weather', arguments: '{"city":"Paris"}' },
            { id: 'c2', type: 'FUNCTION', name: 'clock', arguments: '{}' },
          ],
        },
        { role: 'TOOL', toolCallId: 'c1', content: [text('15°C')] },
        { role: 'TOOL', toolCallId: 'c2', content: [text('Error: stopped')] },
      ],
      tools: [
        { type: 'FUNCTION', name: 'get-weather', description: 'The weather', parameters: weather },
        { type: 'FUNCTION', name: 'clock', parameters: { type: 'object', properties: {} } },
      ],
      toolChoice: { type: 'FUNCTION', name: 'clock' },
      isParallelToolCalls: false,
      ...streamed,
    })
  })

  it('has the arguments of a call that broke off as an object', async () => {
    const cut: Turn = {
      role: 'assistant',
      parts: [{ type: 'call', id: 'c1', name: 'clock', arguments: '{"zone":"U' }],
    }
    expect(await chatRequestOf(toolsRequest([asks, cut, gets], model))).toMatchObject({
      messages: [{}, {}, { toolCalls: [{ id: 'c1', arguments: '{"arguments":"{\\"zone\\":\\"U"}' }] }, {}, {}],
    })
  })

  it('gets calls in pieces', async () => {
    const made = [
      { name: 'get-weather', parameters: { city: 'Paris', days: 3 } },
      { name: 'clock', parameters: {} },
    ]
    const { upstream } = await ociForTest([{ type: 'reply', pieces: [], calls: made }])
    const events = await collect(upstream.generate(toolsRequest([asks], model), contextOf()))
    const pieces = events.flatMap((event) => (event.type === 'call' ? [event] : []))
    expect(pieces.filter(({ name }) => name !== undefined)).toMatchObject([
      { index: 0, id: 'call_0', name: 'get-weather' },
      { index: 1, id: 'call_1', name: 'clock' },
    ])
    const json = (call: number): string => pieces.map((piece) => (piece.index === call ? piece.arguments : '')).join('')
    expect([json(0), json(1)]).toEqual(['{"city":"Paris","days":3}', '{}'])
  })
})
