import type { LanguageModelV3CallOptions } from '@ai-sdk/provider'
import { generateText, jsonSchema, Output, streamText, type ToolSet, tool, wrapLanguageModel } from 'ai'
import type { MockLanguageModelV3 } from 'ai/test'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { type Said, textModel } from '../../../test/support/ai-sdk/model.ts'
import type { ToolsMode } from '../options.ts'
import { toolCallMiddleware } from '../tool-call-middleware.ts'

const anne = { name: 'Anne', age: 3 }
const json = JSON.stringify(anne)
const prose = 'Anne is three years old.'
const cut = json.slice(0, 12)
const schema = z.object({ name: z.string(), age: z.number().int() })
globalThis.AI_SDK_LOG_WARNINGS = false
const tools: ToolSet = { look: tool({ inputSchema: jsonSchema<{ at?: string }>({ type: 'object' }) }) }

/** Replies of a model, one after the other; the value comes whole and streamed, or only whole. */
const writings: [how: string, says: (string | Said)[], isOnlyWhole?: true][] = [
  ['bare', [json]],
  ['in pieces', [{ text: json, size: 3 }]],
  ['in a fence', [`\`\`\`json\n${json}\n\`\`\``]],
  ['after words', [`Sure, here it is:\n\n${json}\n\nAnything else?`]],
  ['after reasoning', [`<think>Easy.</think>\n${json}`]],
  ['with wrong types', ['{"name": "Anne", "age": "3"}']],
  ['after a reply of words', [{ text: prose, size: 4 }, json]],
  ['after a reply that breaks off', [cut, json], true],
  ['after a value that does not fit', ['{"name": "Anne", "age": "three"}', json], true],
]

/** Ways to set up the middleware and the request. */
const ways: [mode: ToolsMode, hasTools: boolean][] = [
  ['describe', false],
  ['describe', true],
  ['assume', true],
  ['pass', false],
  ['pass', true],
]

function asked(model: MockLanguageModelV3, mode: ToolsMode, hasTools: boolean) {
  const middleware = toolCallMiddleware({ dialect: 'tool-call-json', tools: mode })
  return {
    model: wrapLanguageModel({ model, middleware }),
    prompt: 'Who is there?',
    output: Output.object({ schema }),
    tools: hasTools ? tools : {},
  }
}

/** The model's own interface: the SDK throws where there is no value. */
function wholeReply(model: MockLanguageModelV3, mode: ToolsMode, hasTools: boolean) {
  const params: LanguageModelV3CallOptions = {
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'Who is there?' }] }],
    responseFormat: {
      type: 'json',
      schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name', 'age'] },
    },
    ...(hasTools && { tools: [{ type: 'function', name: 'look', inputSchema: { type: 'object' } }] }),
  }
  return asked(model, mode, hasTools).model.doGenerate(params)
}

describe.each(ways)('a reply in JSON, mode %s, with tools: %s', (mode, hasTools) => {
  it.each(writings)('%s', async (_, says, isOnlyWhole) => {
    const whole = await generateText(asked(textModel(...says), mode, hasTools))
    expect(whole.output).toEqual(anne)
    expect(whole.usage.outputTokens).toBe(5 * says.length)
    const streamed = streamText({ ...asked(textModel(...says), mode, hasTools), onError: () => {} })
    const output = await streamed.output.then(
      (value) => value,
      () => 'none',
    )
    expect(output).toEqual(isOnlyWhole ? 'none' : anne)
  })

  it('has no value in words alone, and says so', async () => {
    const { content, providerMetadata } = await wholeReply(textModel(prose, prose), mode, hasTools)
    expect(content).toMatchObject([{ type: 'text', text: prose, providerMetadata: { anycall: { refusal: true } } }])
    expect(providerMetadata?.anycall).toMatchObject({
      notices: [{ code: 'response-missing' }, { code: 'response-sent-back' }],
    })
  })

  it('ends with the reason of a cut reply where its value breaks off twice', async () => {
    const { finishReason } = await wholeReply(textModel(cut, cut), mode, hasTools)
    expect(finishReason.unified).toBe('length')
  })

  it('is given as it was where asking again fails', async () => {
    const result = await wholeReply(textModel(prose), mode, hasTools)
    expect(result.content).toMatchObject([{ text: prose }])
    expect(result.providerMetadata?.anycall).toMatchObject({ notices: [{ code: 'response-missing' }] })
  })

  it('is asked for in the prompt, and by the option of the provider where no call may come', async () => {
    const model = textModel(json)
    await generateText(asked(model, mode, hasTools))
    const [call] = model.doGenerateCalls
    const isPassed = mode === 'pass'
    expect(JSON.stringify(call?.prompt).includes('JSON schema')).toBe(!isPassed)
    expect(call?.responseFormat?.type === 'json').toBe(isPassed || !hasTools)
  })
})

it('is not asked for beside a call that the provider read', async () => {
  const model = textModel({ text: '' })
  const generate = model.doGenerate
  model.doGenerate = async (options) => ({
    ...(await generate(options)),
    content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'look', input: '{}' }],
  })
  const { content, providerMetadata } = await wholeReply(model, 'pass', true)
  expect(content).toMatchObject([{ type: 'tool-call', toolName: 'look' }])
  expect(providerMetadata?.anycall).toBeUndefined()
})
