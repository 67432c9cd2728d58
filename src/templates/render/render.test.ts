import { describe, expect, test, vi } from 'vitest'
import { type Conversation, freezeList, type Turn } from '../../conversation/index.ts'
import { type ChatTemplate, detectCapabilities, safeLoadTemplate, safeRenderTemplate } from '../index.ts'

function load(source: string): ChatTemplate {
  const loaded = safeLoadTemplate(source)
  if (loaded.type === 'error') throw new Error(loaded.message)
  return loaded.template
}

function conversation(turns: Turn[], more: Partial<Conversation> = {}): Conversation {
  const tools = [
    { name: 'get', description: 'Gets.', schema: { type: 'object', properties: { city: { type: 'string' } } } },
  ]
  return {
    model: 'm',
    system: '',
    turns,
    tools,
    toolChoice: { type: 'auto' },
    parallelCalls: true,
    stopSequences: [],
    sampling: {},
    ...more,
  }
}

function prompt(source: string, turns: Turn[], more: Partial<Conversation> = {}): string {
  const result = safeRenderTemplate(load(source), conversation(turns, more))
  return result.type === 'text' ? result.text : `ERROR ${result.message}`
}

const user = (text: string): Turn => ({ role: 'user', parts: [{ type: 'text', text }] })
const callOf = (id: string, json: string): Turn => ({
  role: 'assistant',
  parts: [{ type: 'call', id, name: 'get', arguments: json }],
})
const resultOf = (callId: string, text: string, isError = false): Turn => ({
  role: 'user',
  parts: [{ type: 'result', callId, name: 'get', content: [{ type: 'text', text }], isError }],
})
const failureOf = (callId: string, text: string): Turn => resultOf(callId, text, true)

/** Writes roles and texts only. */
const plain = '{% for m in messages %}[{{ m.role }}:{{ m.content }}]{% endfor %}'
const toolsOrNone = `{% if tools is none %}[no tools]{% else %}{{ tools|tojson }}{% endif %}${plain}`
const noSystem = `{% if messages and messages[0].role == 'system' %}{{ raise_exception('no system') }}{% endif %}${plain}`
const alternating = `{% for m in messages %}{% if (m.role == 'user') != (loop.index0 is even) %}{{ raise_exception('alternate') }}{% endif %}[{{ m.role }}:{{ m.content }}]{% endfor %}`
const parts = '{% for m in messages %}[{{ m.role }}:{% for p in m.content %}{{ p.text }}{% endfor %}]{% endfor %}'
const head =
  "{% if tools %}{% for t in tools %}<{{ t.function.name }}>{% endfor %}{% endif %}{% for m in messages %}[{{ m.role }}:{{ m.content or '' }}"
const calls = (args: string) =>
  `${head}{% for c in m.tool_calls or [] %}({{ c.id }} {{ c.function.name }} ${args}){% endfor %}]{% endfor %}`
const objectCalls = calls('{{ c.function.arguments|tojson }}')
const stringCalls = calls("{{ c.function.arguments + '' }}")
const itemCalls = calls('{% for k, v in c.function.arguments|items %}{{ k }}={{ v }}{% endfor %}')
const singleCalls = objectCalls.replace(
  '{% for c in',
  "{% if m.tool_calls and m.tool_calls|length > 1 %}{{ raise_exception('one') }}{% endif %}{% for c in",
)
const strictIds = objectCalls.replace(
  '({{ c.id }}',
  "{% if c.id|length != 9 %}{{ raise_exception('id') }}{% endif %}({{ c.id }}",
)
const hidingCalls = objectCalls.replace('in m.tool_calls or []', 'in (m.tool_calls if not m.content else none) or []')
const eitherOr = objectCalls.replace(
  '[{{ m.role }}',
  "{% if m.content and m.thinking and m.tool_calls %}{{ raise_exception('either') }}{% endif %}[{{ m.role }}:{{ m.thinking }}",
)
/** The way in which Kimi K2's template finds the id of a result. */
const queued = `{% set q = namespace(ids=[]) %}${objectCalls
  .replace('({{ c.id }}', '{% set _ = q.ids.append(c.id) %}({{ c.id }}')
  .replace("{{ m.content or '' }}", "{{ m.content or '' }}{% if m.role == 'tool' %}={{ q.ids.pop(0) }}{% endif %}")}`
/** Lists tools if the first message is a system message that meets a condition. */
const toolsInSystem = (condition: string) =>
  objectCalls.replace('{% if tools %}', `{% if tools and messages[0].role == 'system'${condition} %}`)
const toolsInAnySystem = toolsInSystem('')
const toolsInSaidSystem = toolsInSystem(' and messages[0].content')
/** Bare tools, from a system message that is a list of parts. */
const toolsInParts = `{% if tools and messages[0].role == 'system' and messages[0].content[0].text %}{% for t in tools %}<{{ t.name }}>{% endfor %}{% endif %}${parts}`
const strictContent = objectCalls.replace("{{ m.content or '' }}", '{{ m.content.strip() }}')

describe('detectCapabilities', () => {
  test.each<[string, string, Partial<ReturnType<typeof detectCapabilities>>]>([
    [
      'plain text',
      plain,
      {
        system: true,
        laterSystem: true,
        repeatedUser: true,
        stringContent: true,
        partsContent: false,
        tools: undefined,
        calls: false,
        results: false,
      },
    ],
    ['no system role', noSystem, { system: false, laterSystem: false, stringContent: true }],
    ['alternating roles', alternating, { system: false, repeatedUser: false }],
    ['parts only', parts, { stringContent: false, partsContent: true, system: true }],
    [
      'arguments as objects',
      objectCalls,
      { tools: 'wrapped', calls: true, parallelCalls: true, argumentsAs: 'object', results: true, anyIds: true },
    ],
    ['arguments as text', stringCalls, { calls: true, argumentsAs: 'string' }],
    ['arguments one by one', itemCalls, { calls: true, argumentsAs: 'object' }],
    ['one call at a time', singleCalls, { calls: true, parallelCalls: false }],
    ['text that hides calls', hidingCalls, { calls: true, textWithCalls: false }],
    [
      'reasoning that allows no text',
      eitherOr,
      { reasoning: 'thinking', textWithCalls: true, reasoningWithText: false },
    ],
    ['lists that are changed', queued, { calls: true, results: true, mutable: true }],
    ['lists that are not', objectCalls, { mutable: false }],
    ['ids of nine letters', strictIds, { calls: true, anyIds: false }],
    ['content that must be text', strictContent, { calls: true, emptyContent: '' }],
    ['bare tools', objectCalls.replace('t.function.name', 't.name'), { tools: 'bare' }],
    ['tools in no system message', objectCalls, { systemForTools: undefined }],
    ['no tools at all', plain, { tools: undefined, systemForTools: undefined }],
    ['tools that may be none', objectCalls, { needs: 'none' }],
    ['tools that must be none', toolsOrNone, { needs: 'none', stringContent: true, tools: 'wrapped' }],
    [
      'tools that must not be none',
      `{% for t in tools %}{{ t.function.name }}{% endfor %}${plain}`,
      { needs: 'nothing', stringContent: true, tools: 'wrapped' },
    ],
    [
      'none that is taken for tools',
      `{% if tools is defined %}[{{ tools|tojson }}]{% endif %}${plain}`,
      { needs: 'nothing' },
    ],
    [
      'what is missing taken for tools',
      `{% if tools is not none %}[Tools:{% for t in tools %}{{ t.function.name }}{% endfor %}]{% endif %}${plain}`,
      { needs: 'none', tools: 'wrapped' },
    ],
    [
      'tools that must be none beside a system message',
      `{% if messages[0].role == 'system' and tools is not none %}{{ tools|tojson }}{% endif %}${plain}`,
      { needs: 'none', system: true },
    ],
    ['tools in a system message', toolsInAnySystem, { tools: 'wrapped', systemForTools: '', calls: true }],
    [
      'tools in a system message that says something',
      toolsInSaidSystem,
      { tools: 'wrapped', systemForTools: 'You are a helpful assistant.' },
    ],
    [
      'bare tools in a system message of parts',
      toolsInParts,
      { tools: 'bare', systemForTools: 'You are a helpful assistant.', partsContent: true },
    ],
    [
      'tools that need descriptions, in a system message',
      toolsInAnySystem.replace(
        '<{{ t.function.name }}>',
        '<{{ t.function.name }}{% for k, p in t.function.parameters.properties|items %}{{ k + p.description }}{% endfor %}>',
      ),
      { tools: 'wrapped', systemForTools: '', bareParameters: false },
    ],
    [
      'tools that need descriptions',
      objectCalls.replace(
        '<{{ t.function.name }}>',
        '<{{ t.function.name }}{% for k, p in t.function.parameters.properties|items %}{{ k + p.description }}{% endfor %}>',
      ),
      { tools: 'wrapped', bareParameters: false },
    ],
    [
      'reasoning in its field',
      plain.replace('{{ m.content }}', '{{ m.reasoning_content }}{{ m.content }}'),
      { reasoning: 'reasoning_content' },
    ],
    [
      'reasoning under another name',
      plain.replace('{{ m.content }}', '{{ m.thinking }}{{ m.content }}'),
      { reasoning: 'thinking' },
    ],
  ])('%s', (_, source, expected) => expect(detectCapabilities(load(source))).toMatchObject(expected))

  test.each([
    ['the first probe', '{% if true %}', { stringContent: false, tools: undefined, calls: false }],
    ['the first with tools', '{% if tools %}', { stringContent: true, tools: undefined, calls: false }],
  ])('ends with %s that takes more than its budget', (_, condition, expected) => {
    const endless = '{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}'
    const template = load(`${condition}${endless}{% endif %}${plain}`)
    const render = vi.spyOn(template.compiled, 'render')
    expect(detectCapabilities(template)).toMatchObject(expected)
    const spent = render.mock.results.filter(({ value }) => value.type === 'error' && value.reason === 'budget')
    expect(spent.length).toBe(1)
  })

  test('are found once', () => {
    const template = load(plain)
    expect(detectCapabilities(template)).toBe(detectCapabilities(template))
  })
})

const json = '{"n": 1.0, "2": 12345678901234567890, "1": "é"}'

describe('renderTemplate adapts a conversation', () => {
  test.each<[string, string, Turn[], Partial<Conversation>, string]>([
    ['a system text', plain, [user('Hi')], { system: 'Be.' }, '[system:Be.][user:Hi]'],
    [
      'no tools for a template that asks whether they are none',
      toolsOrNone,
      [user('Hi')],
      { tools: [] },
      '[no tools][user:Hi]',
    ],
    ['a system text without a role for it', noSystem, [user('Hi')], { system: 'Be.' }, '[user:Be.\n\nHi]'],
    [
      'several system texts at the start',
      plain,
      [{ role: 'system', text: 'B' }, user('Hi')],
      { system: 'A' },
      '[system:A\n\nB][user:Hi]',
    ],
    [
      'a system text between turns',
      plain,
      [user('Hi'), { role: 'system', text: 'B' }, user('Yo')],
      {},
      '[user:Hi][system:B][user:Yo]',
    ],
    [
      'a system text between turns that cannot stand there',
      alternating,
      [
        user('Hi'),
        { role: 'assistant', parts: [{ type: 'text', text: 'Yo' }] },
        { role: 'system', text: 'B' },
        user('Ah'),
      ],
      {},
      '[user:Hi][assistant:Yo][user:B\n\nAh]',
    ],
    ['a system text that nothing follows', noSystem, [], { system: 'Be.' }, '[user:Be.]'],
    ['two messages of the user', alternating, [user('Hi'), user('Yo')], {}, '[user:Hi\n\nYo]'],
    ['text for a template of parts', parts, [user('Hi')], { system: 'Be.' }, '[system:Be.][user:Hi]'],
    [
      'an image that cannot be shown',
      plain,
      [
        {
          role: 'user',
          parts: [
            { type: 'image', url: 'data:x' },
            { type: 'text', text: 'Hi' },
          ],
        },
      ],
      {},
      '[user:[image]\nHi]',
    ],
    [
      'arguments with their numbers and the order of their keys',
      objectCalls,
      [user('Hi'), callOf('a1', json)],
      {},
      `<get>[user:Hi][assistant:(a1 get ${json})]`,
    ],
    [
      'arguments as the text that they were',
      stringCalls,
      [user('Hi'), callOf('a1', '{"a":1}')],
      {},
      '<get>[user:Hi][assistant:(a1 get {"a":1})]',
    ],
    [
      'arguments one by one',
      itemCalls,
      [user('Hi'), callOf('a1', '{"a": true}')],
      {},
      '<get>[user:Hi][assistant:(a1 get a=True)]',
    ],
    [
      'arguments that are no JSON',
      objectCalls,
      [user('Hi'), callOf('a1', '{"a": ')],
      {},
      '<get>[user:Hi][assistant:(a1 get {"arguments": "{\\"a\\": "})]',
    ],
    [
      'a result',
      objectCalls,
      [user('Hi'), callOf('a1', '{}'), resultOf('a1', '15')],
      {},
      '<get>[user:Hi][assistant:(a1 get {})][tool:15]',
    ],
    [
      'a result that is an error',
      objectCalls,
      [user('Hi'), callOf('a1', '{}'), failureOf('a1', 'closed')],
      {},
      '<get>[user:Hi][assistant:(a1 get {})][tool:Error: closed]',
    ],
    [
      'an error without a place for results',
      plain,
      [user('Hi'), failureOf('a1', 'closed')],
      {},
      '[user:Hi][user:<tool_response>\nError: closed\n</tool_response>]',
    ],
    [
      'calls and results without a place for them',
      plain,
      [user('Hi'), callOf('a1', '{}'), resultOf('a1', '15')],
      {},
      '[user:Hi][assistant:<tool_call>\n{"name": "get", "arguments": {}}\n</tool_call>][user:<tool_response>\n15\n</tool_response>]',
    ],
    [
      'long ids',
      strictIds,
      [user('Hi'), callOf('abcdefgh9', '{}')],
      {},
      '<get>[user:Hi][assistant:(abcdefgh9 get {})]',
    ],
    ['tools, and no system text', toolsInAnySystem, [user('Hi')], {}, '<get>[system:][user:Hi]'],
    [
      'tools, and no system text where there must be one',
      toolsInSaidSystem,
      [user('Hi')],
      {},
      '<get>[system:You are a helpful assistant.][user:Hi]',
    ],
    ['tools, and a system text', toolsInSaidSystem, [user('Hi')], { system: 'Be.' }, '<get>[system:Be.][user:Hi]'],
    [
      'tools, and a system text as the first turn',
      toolsInSaidSystem,
      [{ role: 'system', text: 'Be.' }, user('Hi')],
      {},
      '<get>[system:Be.][user:Hi]',
    ],
    [
      'tools, and a system text of parts',
      toolsInParts,
      [user('Hi')],
      {},
      '<get>[system:You are a helpful assistant.][user:Hi]',
    ],
    ['no tools, and no system text', toolsInSaidSystem, [user('Hi')], { tools: [] }, '[user:Hi]'],
    ['no tools where none may be called', objectCalls, [user('Hi')], { toolChoice: { type: 'none' } }, '[user:Hi]'],
    [
      'reasoning',
      plain.replace('{{ m.content }}', '{{ m.thinking }}{{ m.content }}'),
      [
        user('Hi'),
        {
          role: 'assistant',
          parts: [
            { type: 'reasoning', text: 'Hm.' },
            { type: 'text', text: 'Yo' },
          ],
        },
      ],
      {},
      '[user:Hi][assistant:Hm.Yo]',
    ],
  ])('%s', (_, source, turns, more, expected) => expect(prompt(source, turns, more)).toBe(expected))

  const calling = { type: 'call', id: 'a1', name: 'get', arguments: '{}' } as const
  const said = { type: 'text', text: 'On it.' } as const

  test('text before calls that it would hide', () => {
    const both: Turn = { role: 'assistant', parts: [said, calling] }
    expect(prompt(hidingCalls, [user('Hi'), both])).toBe('<get>[user:Hi][assistant:On it.][assistant:(a1 get {})]')
  })

  test('text in the reasoning, where there is no place beside it', () => {
    const all: Turn = { role: 'assistant', parts: [{ type: 'reasoning', text: 'Hm.' }, said, calling] }
    expect(prompt(eitherOr, [user('Hi'), all])).toBe('<get>[user::Hi][assistant:Hm.\n\nOn it.:(a1 get {})]')
  })

  test('a template that changes lists', () => {
    expect(prompt(queued, [user('Hi'), callOf('a1', '{}'), resultOf('a1', '15')])).toBe(
      '<get>[user:Hi][assistant:(a1 get {})][tool:15=a1]',
    )
  })

  test('several calls, one at a time, each before its result', () => {
    const both: Turn = {
      role: 'assistant',
      parts: ['a1', 'a2'].map((id) => ({ type: 'call', id, name: 'get', arguments: '{}' })),
    }
    expect(prompt(singleCalls, [user('Hi'), both, resultOf('a1', 'x'), resultOf('a2', 'y')])).toBe(
      '<get>[user:Hi][assistant:(a1 get {})][tool:x][assistant:(a2 get {})][tool:y]',
    )
  })

  test('a long id becomes the same short one each time', () => {
    const texts = ['call_1', 'call_1', 'call_2'].map((id) => prompt(strictIds, [user('Hi'), callOf(id, '{}')]))
    expect(texts[0]).toMatch(/\(\w{9} get/)
    expect(texts[1]).toBe(texts[0])
    expect(texts[2]).not.toBe(texts[0])
  })

  test('what was adapted is told', () => {
    const result = safeRenderTemplate(load(noSystem), conversation([user('Hi')], { system: 'Be.', tools: [] }))
    expect(result).toMatchObject({ adaptations: [expect.stringContaining('no system role')] })
  })

  test.each([
    [toolsInAnySystem, {}, ['the template lists tools in a system message only: an empty system message is added']],
    [
      toolsInSaidSystem,
      {},
      ['the template lists tools in a system message only: the system message "You are a helpful assistant." is added'],
    ],
    [toolsInAnySystem, { system: 'Be.' }, []],
    [toolsInAnySystem, { tools: [] }, []],
  ])('a system message that was added is told: %s, %j', (source, more, adaptations) => {
    expect(safeRenderTemplate(load(source), conversation([user('Hi')], more))).toMatchObject({ adaptations })
  })

  test('the caller sets the clock, tokens, variables and limits', () => {
    const template = load(
      "{{ strftime_now('%Y') }}{{ bos_token }}{{ mood }}{{ add_generation_prompt }}{{ enable_thinking }}",
    )
    const options = { now: new Date(2031, 4, 1), specialTokens: { bos_token: '^' }, variables: { mood: 'x' } }
    const asked = conversation([user('Hi')], { reasoning: { enabled: false } })
    expect(safeRenderTemplate(template, asked, options)).toMatchObject({ text: '2031^xTrueFalse' })
    expect(safeRenderTemplate(template, asked, { limits: { steps: 3 } })).toMatchObject({
      type: 'error',
      reason: 'budget',
    })
  })

  test('raw variables are left as they are', () => {
    const raw = { messages: [{ role: 'system', content: null }], x: [1.5, 2] }
    expect(safeRenderTemplate(load('{{ messages }}{{ x }}'), raw)).toMatchObject({
      text: "[{'role': 'system', 'content': None}][1.5, 2]",
    })
  })
})

describe('tools that cannot change are prepared once', () => {
  const lists = "{% for t in tools %}{{ t | tojson }}{% endfor %}{{ messages[-1]['content'] }}"
  const counting =
    "{% set ids = [] %}{% if tools %}{% set _ = tools.append('x') %}{{ tools | length }} {{ tools[0] | tojson }} {% endif %}" +
    '{% for m in messages %}{{ m.content }}{% for c in m.tool_calls or [] %}{% set _ = ids.append(c.id) %}{{ c | tojson }}{% endfor %}{% endfor %}'

  test('and are in the prompt as they would be else', () => {
    const template = load(lists)
    const { tools } = conversation([])
    const texts = [tools, freezeList(structuredClone(tools)), freezeList(structuredClone(tools))].map((list) => {
      const asked = () => safeRenderTemplate(template, conversation([user('Hi.')], { tools: list }))
      expect(asked()).toEqual(asked())
      return asked()
    })
    expect(texts[0]).toMatchObject({ type: 'text', text: expect.stringContaining('"city"') })
    expect(texts[1]).toEqual(texts[0])
    expect(texts[2]).toEqual(texts[0])
  })

  test('a list that its owner changes is looked at again', () => {
    const template = load(lists)
    const owned = [...conversation([]).tools]
    const changing = conversation([user('Hi.')], { tools: owned })
    safeRenderTemplate(template, changing)
    owned.push({ name: 'later', description: '', schema: {} })
    expect(safeRenderTemplate(template, changing)).toMatchObject({ text: expect.stringContaining('"later"') })
  })

  test('a template that changes its variables changes its own', () => {
    const template = load(counting)
    const asked = conversation([user('Hi.')], { tools: freezeList(structuredClone(conversation([]).tools)) })
    const texts = [1, 2].map(() => safeRenderTemplate(template, asked))
    expect(texts[0]).toMatchObject({ text: expect.stringMatching(/^2 .* Hi\.$/) })
    expect(texts[1]).toEqual(texts[0])
  })
})
