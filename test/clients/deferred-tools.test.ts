import { describe, expect, test } from 'vitest'
import { estimateTokens } from '../../src/gateway/plans/tokens.ts'
import { createReader, createTrigger, dialects, writePrompt } from '../../src/index.ts'
import { fromAnthropic, safeFromAnthropic } from '../../src/messages.ts'
import { decode } from '../../src/protocols/openai-responses/decode.ts'
import { createSeals } from '../../src/protocols/seals.ts'
import { testDialect } from '../support/templates/dialect.ts'
import { testTemplates } from '../support/templates/templates.ts'

const search = {
  name: 'ToolSearch',
  description: 'Finds tools by name.',
  input_schema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
}
const placeholder = {
  name: 'DeferredToolPlaceholder',
  description: 'Never call it.',
  input_schema: {},
  defer_loading: true,
}
const add = {
  name: 'mcp__sums__add',
  description: 'Adds two <numbers>.',
  input_schema: { type: 'object', properties: { a: { type: 'integer' }, label: { type: 'string' } }, required: ['a'] },
  defer_loading: true,
}

const asked = { role: 'user', content: 'Add 1 and 2.' }
const searched = {
  role: 'assistant',
  content: [{ type: 'tool_use', id: 'toolu_1', name: 'ToolSearch', input: { query: 'select:mcp__sums__add' } }],
}
const found = {
  role: 'user',
  content: [
    { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'tool_reference', tool_name: 'mcp__sums__add' }] },
  ],
}
const called = {
  role: 'assistant',
  content: [{ type: 'tool_use', id: 'toolu_2', name: 'mcp__sums__add', input: { a: 1, label: '2' } }],
}
const summed = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_2', content: '3' }] }

/** The requests of three turns, as Claude Code sends them: before the search, after it, and after the call of the tool that it found. */
const turns = [[asked], [asked, searched, found], [asked, searched, found, called, summed]].map((messages) =>
  fromAnthropic({ model: 'm', system: 'You sum.', messages, tools: [search, placeholder, add] }),
)

describe('a tool that a search finds', () => {
  test('is offered from then on, and listed nowhere else', () => {
    const [before, after, last] = turns
    expect(before?.tools.map(({ name }) => name)).toEqual(['ToolSearch'])
    expect(before?.listedTools).toBeUndefined()
    for (const one of [after, last]) {
      expect(one?.tools.map(({ name }) => name)).toEqual(['ToolSearch', 'mcp__sums__add'])
      expect(one?.listedTools?.map(({ name }) => name)).toEqual(['ToolSearch'])
    }
  })

  test.each(dialects.map((dialect) => [dialect.name, dialect] as const))(
    'keeps the prompt of %s',
    async (_, dialect) => {
      const triggers = await Promise.all(turns.map((turn) => createTrigger(turn, { secret: 's' })))
      expect(new Set(triggers).size).toBe(1)
      const prompts = turns.map((turn) => writePrompt(turn, { dialect, trigger: triggers[0] ?? '' }))
      for (const [at, prompt] of prompts.entries()) {
        const next = prompts[at + 1]
        if (next) expect(next.slice(0, prompt.length)).toEqual(prompt)
      }
      const texts = prompts.map((prompt) => JSON.stringify(prompt))
      expect(texts[0]).not.toContain('sums')
      expect(texts.join()).not.toContain('Placeholder')
      expect(texts[1]).toContain('Adds two')
      expect(texts[2]?.split('Adds two')).toHaveLength(2)
    },
  )

  test.each(testTemplates.map((one) => [one.name, one] as const))('keeps the prompt of the template %s', (_, one) => {
    const dialect = testDialect(one)
    const prompts = turns.map((turn) => dialect.renderPrompt(turn))
    const before = prompts.map(({ text, begun }) => text.slice(0, text.length - begun.length))
    // The header of the assistant's turn is part of the prompt; the text after it is the reply.
    const shared = (a: string, b: string) => [...a].findIndex((char, at) => char !== b[at])
    expect(prompts[0]?.text).not.toContain('sums')
    expect(prompts[1]?.text).toContain('mcp__sums__add')
    expect(prompts[2]?.text.split('Adds two')).toHaveLength(2)
    const first = shared(before[1] ?? '', before[2] ?? '')
    // The description of the tool is in the part that both prompts share.
    expect(first < 0 || first > (before[1]?.indexOf('Adds two') ?? 0)).toBe(true)
  })

  test('is called with arguments of its schema', () => {
    const after = turns[1]
    const reader = createReader({ tools: after?.tools ?? [], dialect: 'qwen3-coder' })
    const text =
      '<tool_call>\n<function=mcp__sums__add>\n<parameter=a>\n1\n</parameter>\n<parameter=label>\n2\n</parameter>\n</function>\n</tool_call>'
    const events = [...reader.push(text), ...reader.end()]
    const args = events.flatMap((event) => (event.type === 'call-arguments' ? [event.json] : [])).join('')
    expect(JSON.parse(args)).toEqual({ a: 1, label: '2' })
  })
})

test('a hundred deferred tools cost a model nothing before they are found', () => {
  const many = Array.from({ length: 107 }, (_, at) => ({ ...add, name: `mcp__server__tool_${at}` }))
  const conversation = fromAnthropic({ model: 'm', messages: [asked], tools: [search, ...many] })
  expect(estimateTokens(writePrompt(conversation, { dialect: 'hermes' }))).toBeLessThan(600)
})

describe('deferred tools that nothing can find are offered', () => {
  test.each([
    ['by Anthropic’s own search', [{ type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' }]],
    ['without any other tool', []],
  ])('%s', (_, others) => {
    const conversation = fromAnthropic({ model: 'm', messages: [asked], tools: [...others, add] })
    expect(conversation.tools.map(({ name }) => name)).toEqual(['mcp__sums__add'])
  })
})

describe('tools that system messages change', () => {
  const definition = { name: 'multiply', description: 'Multiplies.', input_schema: { type: 'object' } }
  const addition = (tool: object) => ({ role: 'system', content: [{ type: 'tool_addition', tool }] })
  const removal = {
    role: 'system',
    content: [{ type: 'tool_removal', tool: { type: 'tool_reference', name: 'multiply' } }],
  }
  const answered = { role: 'assistant', content: 'Go on.' }
  const read = (...messages: object[]) =>
    fromAnthropic({ model: 'm', messages: [asked, answered, ...messages], tools: [search, add] })
  const names = (tools: readonly { name: string }[] | undefined) => tools?.map(({ name }) => name)

  test('a definition is offered, and described where it was added', () => {
    const conversation = read(addition({ type: 'tool_definition', definition }), asked)
    expect(names(conversation.tools)).toEqual(['ToolSearch', 'multiply'])
    expect(names(conversation.listedTools)).toEqual(['ToolSearch'])
    expect(conversation.turns[2]).toMatchObject({ role: 'system', tools: [{ name: 'multiply' }] })
  })

  test('a deferred tool is offered by its name', () => {
    const conversation = read(addition({ type: 'tool_reference', name: 'mcp__sums__add' }), asked)
    expect(names(conversation.tools)).toEqual(['ToolSearch', 'mcp__sums__add'])
  })

  test('a tool that is removed is no longer offered, and comes back with a new description if it has one', () => {
    const added = addition({ type: 'tool_definition', definition })
    const changed = addition({ type: 'tool_definition', definition: { ...definition, description: 'Multiplies two.' } })
    expect(names(read(added, removal, asked).tools)).toEqual(['ToolSearch'])
    expect(read(added, removal, added, asked).turns[4]).not.toHaveProperty('tools')
    expect(read(added, removal, changed, asked).turns[4]).toMatchObject({ tools: [{ description: 'Multiplies two.' }] })
  })

  test('one that nobody knows is said to be none', () => {
    const { notices } = safeRead(addition({ type: 'tool_reference', name: 'divide' }))
    expect(notices.map(({ code }) => code)).toContain('block-unsupported')
  })

  function safeRead(...messages: object[]) {
    const result = safeFromAnthropic({ messages: [asked, answered, ...messages, asked], tools: [search] })
    if (result.type === 'error') throw result
    return result
  }
})

test('a tool that Codex finds is described in the result of the search', async () => {
  const call = { type: 'tool_search_call', call_id: 'c1', execution: 'client', arguments: { query: 'sums' } }
  const sums = {
    type: 'namespace',
    name: 'sums',
    tools: [{ type: 'function', name: 'add', description: 'Adds.', parameters: {} }],
  }
  const output = { type: 'tool_search_output', call_id: 'c1', status: 'completed', execution: 'client', tools: [sums] }
  const input = [{ role: 'user', content: 'Add.' }, call, output]
  const tools = [{ type: 'tool_search', execution: 'client' }]
  const read = (items: object[]) =>
    decode({ model: 'm', input: items, tools, store: false }, { seals: createSeals('s') })
  const [before, after] = await Promise.all([read(input.slice(0, 1)), read(input)])
  const [first, second] = [before, after].map(({ conversation }) => writePrompt(conversation, { dialect: 'hermes' }))
  expect(second?.slice(0, first?.length)).toEqual(first)
  expect(JSON.stringify(second?.at(-1))).toContain('Adds.')
  expect(after.conversation.tools.map(({ name }) => name)).toEqual(['tool_search', 'sums__add'])
})
