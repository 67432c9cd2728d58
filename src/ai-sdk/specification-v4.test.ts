import type {
  LanguageModelV3Content,
  LanguageModelV3Message,
  LanguageModelV3StreamPart,
  LanguageModelV3ToolResultPart,
} from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { testDialect, testReader, usage } from '../../test/support/ai-sdk/model.ts'
import { type PromptOptions, writeTextPrompt } from './prompt/prompt.ts'
import { ReplyParts } from './reply/parts.ts'
import { readWhole } from './reply/whole.ts'

// Parts that models of specification v4 (AI SDK 7) send in addition to those of v3. Its types are not installed,
// because it needs Node 22.
const thoughtFile = { type: 'reasoning-file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } }
const custom = { type: 'custom', kind: 'some.thing' }
const ofV3 = <Part>(value: unknown): Part => value as Part

describe('a reply of a model of specification v4', () => {
  const content = [{ type: 'text', text: 'a' }, thoughtFile, custom, { type: 'text', text: 'b' }]

  it('keeps content that v3 does not know, in its place', () => {
    const reply = { content: ofV3<LanguageModelV3Content[]>(content), usage, warnings: [] }
    const read = readWhole({ ...reply, finishReason: { unified: 'stop', raw: 'stop' } }, testReader())
    expect(read.content).toEqual(content)
  })

  it('is cut where the provider says that it was interrupted', () => {
    const parts = new ReplyParts(testReader())
    const push = (part: unknown) => parts.push(ofV3<LanguageModelV3StreamPart>(part))
    const call = '<TOOL_CALL>{"name": "note", "input": {"text": "a'
    push({ type: 'text-start', id: '0' })
    const begun = push({ type: 'text-delta', id: '0', delta: call })
    const end = push({ type: 'finish', finishReason: { unified: 'interrupted', raw: undefined }, usage })
    expect([...begun, ...end].map(({ type }) => type)).not.toContain('tool-call')
    expect(end.at(-1)).toMatchObject({
      finishReason: { unified: 'interrupted' },
      providerMetadata: { anycall: { incomplete: [{ name: 'note', json: '{"text":"a' }] } },
    })
  })
})

describe('a prompt for a model of specification v4', () => {
  const options: PromptOptions = {
    dialect: testDialect(),
    promptContext: { trigger: '' },
    tools: [{ name: 'look', description: '', schema: {} }],
    instructions: '',
    resultMedia: 'note',
  }
  const image = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } }
  const inline = { type: 'file', mediaType: 'text/plain', data: { type: 'text', text: 'inline text' } }
  const output = ofV3<LanguageModelV3ToolResultPart['output']>({ type: 'content', value: [inline, image] })
  const result: LanguageModelV3Message = {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'look', output }],
  }

  it('has the texts of files in results, and says what was left out', () => {
    const { prompt, leftOut } = writeTextPrompt([result], options)
    expect(JSON.stringify(prompt)).toContain('inline text')
    expect(JSON.stringify(prompt)).toContain('[image (image/png): left out]')
    expect(leftOut).toEqual(['image (image/png) in a result of look'])
  })

  it('has the files themselves where they are to be sent, in the form in which they came', () => {
    const { prompt } = writeTextPrompt([result], { ...options, resultMedia: 'send' })
    expect(prompt.at(-1)?.content).toContainEqual(image)
  })

  it('keeps what only the provider understands', () => {
    const message = ofV3<LanguageModelV3Message>({ role: 'assistant', content: [thoughtFile, custom] })
    expect(writeTextPrompt([message], options).prompt).toEqual([message])
  })
})
