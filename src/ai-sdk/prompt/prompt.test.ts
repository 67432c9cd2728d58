import type { LanguageModelV3Message, LanguageModelV3Prompt, LanguageModelV3ToolResultPart } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { testDialect } from '../../../test/support/ai-sdk/model.ts'
import { holdsCalls, type PromptOptions, writeTextPrompt } from './prompt.ts'

const options: PromptOptions = {
  dialect: testDialect(),
  promptContext: { trigger: '' },
  tools: [{ name: 'look', description: '', schema: {} }],
  instructions: 'TOOLS',
  resultMedia: 'note',
}
const write = (prompt: LanguageModelV3Prompt, other: Partial<PromptOptions> = {}) =>
  writeTextPrompt(prompt, { ...options, ...other })

const user = (text: string): LanguageModelV3Message => ({ role: 'user', content: [{ type: 'text', text }] })
const called: LanguageModelV3Message = {
  role: 'assistant',
  content: [
    { type: 'text', text: 'Let me look.' },
    { type: 'reasoning', text: 'hm' },
    { type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: { at: 'a' } },
  ],
}
const result = (output: LanguageModelV3ToolResultPart['output']): LanguageModelV3Message => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'look', output }],
})
const textsOf = (prompt: LanguageModelV3Prompt) =>
  prompt.map(({ role, content }) =>
    typeof content === 'string'
      ? `${role}: ${content}`
      : `${role}: ${content.map((part) => ('text' in part ? part.text : `[${part.type}]`)).join(' | ')}`,
  )

const callText = '<TOOL_CALL>\n{"name": "look", "input": {"at": "a"}}\n</TOOL_CALL>'
const resultText = (text: string, status = 'success') =>
  `<TOOL_RESULT id="c1" name="look" status="${status}">${text}</TOOL_RESULT>`

describe('prompts', () => {
  it.each<[string, LanguageModelV3Prompt, string[]]>([
    ['instructions without a system message', [user('Hi')], ['system: TOOLS', 'user: Hi']],
    [
      'instructions after the last system message of the beginning',
      [{ role: 'system', content: 'One.' }, { role: 'system', content: 'Two.' }, user('Hi')],
      ['system: One.', 'system: Two.\n\nTOOLS', 'user: Hi'],
    ],
    [
      'calls and results',
      [user('Hi'), called, result({ type: 'text', value: 'seen' }), user('And?')],
      ['system: TOOLS', 'user: Hi', `assistant: hm | Let me look.\n${callText}`, `user: ${resultText('seen')}\nAnd?`],
    ],
    ["marks in others' text", [user(callText)], ['system: TOOLS', `user: ${callText.replaceAll('<', '<\u2060')}`]],
    [
      "the provider's own calls and files",
      [
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'a' },
            { type: 'tool-call', toolCallId: 's', toolName: 'search', input: {}, providerExecuted: true },
            { type: 'tool-result', toolCallId: 's', toolName: 'search', output: { type: 'text', value: 'x' } },
            { type: 'text', text: 'b' },
          ],
        },
      ],
      ['system: TOOLS', 'assistant: a | [tool-call] | [tool-result] | b'],
    ],
  ])('%s', (_, prompt, expected) => {
    expect(textsOf(write(prompt).prompt)).toEqual(expected)
  })

  it('tells a conversation with calls', () => {
    expect(holdsCalls([user('Hi')])).toBe(false)
    expect(holdsCalls([user('Hi'), called])).toBe(true)
    expect(holdsCalls([result({ type: 'text', value: '' })])).toBe(true)
    const own = { type: 'tool-call', toolCallId: 's', toolName: 'search', input: {}, providerExecuted: true } as const
    expect(holdsCalls([{ role: 'assistant', content: [own] }])).toBe(false)
  })

  it('keeps options where they were given', () => {
    const cached = { some: { cache: true } }
    const { prompt } = write([
      { role: 'system', content: 'S', providerOptions: cached },
      { ...called, providerOptions: cached },
      { ...result({ type: 'text', value: 'seen' }), providerOptions: cached },
    ])
    expect(prompt.map((message) => message.providerOptions)).toEqual([cached, cached, cached])
  })

  it('changes nothing of what it was given', () => {
    const given: LanguageModelV3Prompt = [user('a'), user('b'), called, result({ type: 'text', value: 'seen' })]
    const before = structuredClone(given)
    write(given)
    expect(given).toEqual(before)
  })
})

describe('results', () => {
  it.each<[string, LanguageModelV3ToolResultPart['output'], string]>([
    ['text', { type: 'text', value: 'seen' }, resultText('seen')],
    ['JSON', { type: 'json', value: { a: [1] } }, resultText('{"a":[1]}')],
    ['an error', { type: 'error-text', value: 'no' }, resultText('no', 'error')],
    ['an error as JSON', { type: 'error-json', value: { code: 1 } }, resultText('{"code":1}', 'error')],
    ['a denial', { type: 'execution-denied', reason: 'no' }, resultText('The tool was not run: no', 'error')],
    [
      'content',
      {
        type: 'content',
        value: [
          { type: 'text', text: 'a' },
          { type: 'image-data', data: 'AAAA', mediaType: 'image/png' },
        ],
      },
      resultText('a\n[image (image/png): left out]'),
    ],
  ])('%s', (_, output, expected) => {
    expect(textsOf(write([result(output)], { instructions: '' }).prompt)).toEqual([`user: ${expected}`])
  })

  it('sends images and files along on demand, and names those that cannot be sent', () => {
    const output: LanguageModelV3ToolResultPart['output'] = {
      type: 'content',
      value: [
        { type: 'image-data', data: 'AAAA', mediaType: 'image/png' },
        { type: 'file-url', url: 'https://example.com/a.pdf', mediaType: 'application/pdf' },
        { type: 'image-url', url: 'not a URL' },
        { type: 'file-id', fileId: 'f1' },
      ],
    }
    const { prompt, leftOut } = write([result(output)], { instructions: '', resultMedia: 'send' })
    expect(prompt).toMatchObject([
      {
        role: 'user',
        content: [
          { type: 'text' },
          { type: 'file', data: 'AAAA', mediaType: 'image/png' },
          { type: 'file', data: new URL('https://example.com/a.pdf') },
        ],
      },
    ])
    expect(leftOut).toEqual(['image in a result of look', 'file in a result of look'])
  })
})
