import { describe, expect, test } from 'vitest'
import { safeLoadTemplate, safeRenderTemplate } from '../index.ts'

const text = '{{ bos_token }}{{ messages[0].content }}{{ eos_token }}'
const messages = [{ role: 'user', content: 'Hi' }]

function rendered(
  source: Parameters<typeof safeLoadTemplate>[0],
  options: Parameters<typeof safeLoadTemplate>[1] = {},
): string {
  const loaded = safeLoadTemplate(source, options)
  if (loaded.type === 'error') return loaded.message
  const result = safeRenderTemplate(loaded.template, { messages })
  return result.type === 'text' ? result.text : result.message
}

const config = {
  chat_template: text,
  bos_token: { __type: 'AddedToken', content: '<s>', special: true },
  eos_token: '</s>',
  pad_token: null,
  added_tokens_decoder: { '1': { content: '<s>', special: true }, '9': { content: '<tool_call>', special: false } },
  additional_special_tokens: ['<tool_call>', '<end>'],
  response_template: { version: 1 },
}

describe('loadTemplate', () => {
  test.each<[string, Parameters<typeof safeLoadTemplate>[0], string]>([
    ['a .jinja file', text, 'Hi'],
    ['a .jinja file with a byte order mark', `\uFEFF${text}`, 'Hi'],
    ['a .jinja file that begins with an expression', '{{ messages[0].content }}', 'Hi'],
    ['tokenizer_config.json', JSON.stringify(config), '<s>Hi</s>'],
    ['tokenizer_config.json, parsed', config, '<s>Hi</s>'],
    ['chat_template.json', JSON.stringify({ chat_template: text }), 'Hi'],
    [
      'the answer of /props',
      { chat_template: text, bos_token: '<|b|>', eos_token: '<|e|>', total_slots: 1 },
      '<|b|>Hi<|e|>',
    ],
    ['/props with a second template', { chat_template: 'plain', chat_template_tool_use: 'tools' }, 'tools'],
    [
      'named templates',
      {
        chat_template: [
          { name: 'default', template: 'd' },
          { name: 'tool_use', template: 't' },
        ],
      },
      't',
    ],
    ['named templates by name', { chat_template: { default: 'd', rag: 'r' } }, 'd'],
  ])('%s', (_, source, expected) => expect(rendered(source)).toBe(expected))

  test('a template chosen by name, tokens given by hand', () => {
    const named = { chat_template: { default: 'd', rag: '{{ bos_token }}r' } }
    expect(rendered(named, { name: 'rag', specialTokens: { bos_token: '^' } })).toBe('^r')
    expect(rendered(named, { name: 'x' })).toBe('there is no template "x"; there are: default, rag')
  })

  test('what the config says beside the template is kept', () => {
    const loaded = safeLoadTemplate(config)
    expect(loaded).toMatchObject({
      type: 'template',
      template: {
        specialTokens: { bos_token: '<s>', eos_token: '</s>' },
        addedTokens: ['<s>', '<tool_call>', '<end>'],
        responseTemplate: { version: 1 },
      },
    })
  })

  test.each<[Parameters<typeof safeLoadTemplate>[0], RegExp]>([
    ['', /^the source is empty/],
    ['  \n', /^the source is empty/],
    ['{"chat_template": ', /^the source begins like a JSON file, but is not one: /],
    ['{}', /^the JSON file has no chat_template: /],
    [{ chat_template: null }, /^the JSON file has no chat_template: /],
    [{ chat_template: 5 }, /^chat_template is neither text nor a list/],
    [{ chat_template: [] }, /^chat_template is an empty list/],
    [{ chat_template: [{ name: 'a', template: 'x' }, { name: 'b' }] }, /^chat_template\[1\] is no /],
    ['{% if %}', /^the template cannot be read: expected an expression/],
  ])('%j is an error', (source, message) => {
    expect(safeLoadTemplate(source)).toMatchObject({ type: 'error', message: expect.stringMatching(message) })
  })

  test('an error in the template has its line', () => {
    expect(safeLoadTemplate('a\n{% endif %}')).toMatchObject({ type: 'error', line: 2 })
  })
})
