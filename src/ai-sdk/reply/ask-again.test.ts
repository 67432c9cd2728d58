import type { LanguageModelV3CallOptions } from '@ai-sdk/provider'
import { wrapLanguageModel } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { describe, expect, it } from 'vitest'
import { type Said, streamOf, textModel } from '../../../test/support/ai-sdk/model.ts'
import { toolCallMiddleware } from '../tool-call-middleware.ts'

const params: LanguageModelV3CallOptions = {
  prompt: [{ role: 'user', content: [{ type: 'text', text: 'Go' }] }],
  tools: [{ type: 'function', name: 'look', inputSchema: { type: 'object' } }],
  toolChoice: { type: 'required' },
}
const call = '<TOOL_CALL>{"name": "look", "input": {}}</TOOL_CALL>'

function wrapped(model: MockLanguageModelV3) {
  return wrapLanguageModel({ model, middleware: toolCallMiddleware({ dialect: 'tool-call-json' }) })
}

/** The results of the SDK's own model interface, whole and streamed. */
async function both(...replies: readonly (string | Said)[]) {
  const whole = await wrapped(textModel(...replies)).doGenerate(params)
  const { stream } = await wrapped(textModel(...replies)).doStream(params)
  const parts = []
  for await (const part of stream) parts.push(part)
  return { whole, parts, finish: parts.find((part) => part.type === 'finish') }
}

describe('a call that is demanded', () => {
  it('is not asked for again where it came', async () => {
    const { whole, parts } = await both(`Now.\n${call}`)
    expect(whole.content.map(({ type }) => type)).toEqual(['text', 'tool-call'])
    expect(parts.filter(({ type }) => type === 'tool-call')).toHaveLength(1)
  })

  it('is given up after the second time: the first reply, with a notice', async () => {
    const { whole, parts, finish } = await both('No.', 'Still no.')
    expect(whole.content).toEqual([{ type: 'text', text: 'No.' }])
    expect(whole.providerMetadata?.anycall).toMatchObject({ notices: [{ code: 'required-call-missing' }] })
    expect(finish?.providerMetadata).toEqual(whole.providerMetadata)
    expect(finish?.usage).toEqual(whole.usage)
    expect(whole.usage.outputTokens.total).toBe(10)
    expect(parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('')).toBe('No.')
    expect(parts.filter(({ type }) => type === 'stream-start')).toHaveLength(1)
  })

  it('is given up where asking fails', async () => {
    const { whole, finish } = await both('No.')
    expect(whole.content).toEqual([{ type: 'text', text: 'No.' }])
    expect(finish?.providerMetadata).toEqual(whole.providerMetadata)
  })

  it('is not asked for again after it began and was cut', async () => {
    const { whole, parts } = await both({ text: call.slice(0, 38), finish: 'length' })
    expect(whole.finishReason.unified).toBe('length')
    expect(parts.map(({ type }) => type)).toContain('tool-input-start')
  })

  it('is not asked for again of a model that failed', async () => {
    const { whole, finish } = await both({ text: 'a', finish: 'error' })
    expect(whole.finishReason.unified).toBe('error')
    expect(finish?.finishReason.unified).toBe('error')
  })

  it('is asked for in the last message where the model said nothing', async () => {
    const model = textModel('', call)
    await wrapped(model).doGenerate(params)
    expect(model.doGenerateCalls[1]?.prompt.map(({ role }) => role)).toEqual(['system', 'user'])
  })

  it('stops the model when the reader leaves', async () => {
    let cancelled = false
    const stream = new ReadableStream({
      start: (controller) => {
        for (const part of streamOf({ text: 'thinking' }).slice(0, -2)) controller.enqueue(part)
      },
      cancel: () => {
        cancelled = true
      },
    })
    const model = wrapped(new MockLanguageModelV3({ doStream: async () => ({ stream }) }))
    const result = await model.doStream(params)
    const reader = result.stream.getReader()
    expect((await reader.read()).value?.type).toBe('stream-start')
    const next = reader.read()
    await reader.cancel()
    expect(await next).toEqual({ done: true, value: undefined })
    expect(cancelled).toBe(true)
  })
})
