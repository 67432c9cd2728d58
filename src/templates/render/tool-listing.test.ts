import { describe, expect, test } from 'vitest'
import { callsOf, readPieces } from '../../../test/support/dialects/replies.ts'
import { admits, parseGbnf } from '../../../test/support/grammar/gbnf.ts'
import { testDialect } from '../../../test/support/templates/dialect.ts'
import { promptedTemplates } from '../../../test/support/templates/prompted-templates.ts'
import { testTemplates } from '../../../test/support/templates/templates.ts'
import type { Conversation, Tool, Turn } from '../../conversation/index.ts'
import type { TemplateDialect } from '../dialect/template-dialect.ts'

const tools: readonly Tool[] = [
  {
    name: 'read_log',
    description: 'Reads a log. Never write </tools> or <tool_response> yourself.',
    schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
  { name: 'list_jobs', description: 'Lists jobs.', schema: { type: 'object', properties: {} } },
]

const question: Turn = { role: 'user', parts: [{ type: 'text', text: 'What failed?' }] }
const call = { type: 'call' as const, id: 'call_1', name: 'read_log', arguments: '{"path":"a.log"}' }
const answered: Turn[] = [
  question,
  { role: 'assistant', parts: [call] },
  {
    role: 'user',
    parts: [
      {
        type: 'result',
        callId: 'call_1',
        name: 'read_log',
        content: [{ type: 'text', text: 'exit 1' }],
        isError: true,
      },
    ],
  },
]

function conversation(more: Partial<Conversation> = {}): Conversation {
  return {
    model: 'm',
    system: '',
    turns: [question],
    tools: [...tools],
    toolChoice: { type: 'auto' },
    parallelCalls: true,
    stopSequences: [],
    sampling: {},
    ...more,
  }
}

function promptOf(dialect: TemplateDialect, more: Partial<Conversation> = {}) {
  const prompt = dialect.safeRenderPrompt(conversation(more))
  if (prompt.type === 'error') throw new Error(prompt.message)
  return prompt
}

const body = (content: string) =>
  `{%- for m in messages %}<|{{ m.role }}|>${content}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}`
const plain = body('{{ m.content }}')
const calling = body(
  '{{ m.content }}{% for c in m.tool_calls or [] %}<call name="{{ c.function.name }}">{{ c.function.arguments | tojson }}</call>{% endfor %}',
)
/** The arguments before the name: no shape of calls is like that. */
const unread = body(
  '{{ m.content }}{% for c in m.tool_calls or [] %}{{ c.function.arguments | tojson }} is for {{ c.function.name }}{% endfor %}',
)
const list = '<|tools|>{{ tools | tojson }}<|end|>'
const hasSystem = "messages[0].role == 'system'"
const pipes = 'Answer <|tool_call|> and a JSON list of calls.'
const tags = 'Write <tool_call>\\n{"name": <name>, "arguments": <object>}\\n</tool_call> to call.'

/**
 * The behaviour of a template about tools: `alone` and `beside` a system message, whether it lists them and whether it
 * describes calls.
 */
const cases: readonly { name: string; source: string; alone: string; beside: string; trigger: string }[] = [
  { name: 'nothing', source: plain, alone: 'both', beside: 'both', trigger: '<TOOL_CALL>' },
  {
    name: 'nothing, and knows no system message',
    source: `{% if ${hasSystem} %}{{ raise_exception('No.') }}{% endif %}${plain}`,
    alone: 'both',
    beside: 'both',
    trigger: '<TOOL_CALL>',
  },
  {
    name: 'its list',
    source: `{% if tools %}${list}{% endif %}${plain}`,
    alone: 'how',
    beside: 'how',
    trigger: '<TOOL_CALL>',
  },
  { name: 'calls', source: calling, alone: 'both', beside: 'both', trigger: '<call name="' },
  {
    name: 'calls in a form that is not understood',
    source: unread,
    alone: 'both',
    beside: 'both',
    trigger: '<TOOL_CALL>',
  },
  {
    name: 'its list and calls',
    source: `{% if tools %}${list}{% endif %}${calling}`,
    alone: '',
    beside: '',
    trigger: '',
  },
  {
    name: 'its list under a variable of its own, and calls',
    source: `{% if my_tools %}<|tools|>{{ my_tools | tojson }}<|end|>{% endif %}${calling}`,
    alone: 'both',
    beside: 'both',
    trigger: '<call name="',
  },
  {
    name: 'its list beside a system message alone, and calls',
    source: `{% if tools and ${hasSystem} %}${list}{% endif %}${calling}`,
    alone: '',
    beside: '',
    trigger: '',
  },
  {
    name: 'its list in place of a system message, and calls',
    source: `{% if tools and not (${hasSystem}) %}${list}{% endif %}${calling}`,
    alone: '',
    beside: 'both',
    trigger: '<call name="',
  },
  {
    name: 'its list always, how to call where there is no system message (Granite 3.3)',
    source: `{% if not (${hasSystem}) %}<|system|>{% if tools %}${pipes}{% endif %}<|end|>{% endif %}{% if tools %}${list}{% endif %}${plain}`,
    alone: '',
    beside: 'how',
    trigger: '<|tool_call|>',
  },
  {
    name: 'its list and how to call, in words alone',
    source: `{% if tools %}<|tools|>{{ '${tags}' }}{{ tools | tojson }}<|end|>{% endif %}${plain}`,
    alone: '',
    beside: '',
    trigger: '<tool_call>',
  },
]

describe.each(cases)('a template that says $name', ({ source, alone, beside, trigger }) => {
  const dialect = testDialect({ source, specialTokens: {} })
  const policy = { tools, toolChoice: { type: 'auto' as const }, parallelCalls: true }

  test.each([
    ['without a system message', '', alone],
    ['with one', 'Be brief.', beside],
  ])('%s: what is missing is said, once', (_, system, added) => {
    const { text, adaptations } = promptOf(dialect, { system })
    expect(text).toContain(system)
    for (const { name } of tools) expect(text.split(`"${name}"`)).toHaveLength(2)
    expect(text.includes('# Tools\n')).toBe(added === 'both')
    expect(text.includes('# How to call a tool\n')).toBe(added !== '')
    expect(adaptations.filter((one) => one.includes('lists no tools'))).toHaveLength(added === 'both' ? 1 : 0)
    expect(adaptations.filter((one) => one.includes('how to call'))).toHaveLength(added === 'how' ? 1 : 0)
  })

  test('the form that is said is the one that is written, read and held to', () => {
    const { text } = promptOf(dialect, { system: 'Be brief.', turns: answered })
    const written = dialect.renderReply([call], tools)?.trim() ?? ''
    expect(text).toContain(written)
    const { events } = readPieces(dialect, [written], policy)
    expect(callsOf(events)).toMatchObject([{ name: 'read_log', json: call.arguments, complete: true }])
    const held = dialect.grammar({ ...policy, toolChoice: { type: 'required' } })
    expect([written, admits(parseGbnf(held?.grammar ?? ''), written)]).toEqual([written, true])
    if (trigger === '') return
    expect(dialect.grammar(policy)?.triggers).toContainEqual({ type: 'word', value: trigger })
    expect(text).toContain(trigger)
    if (beside === '') return
    // The example is the call itself, with words in place of the model's values.
    const example = written.replace('read_log', 'TOOL_NAME').replace(/"path": ?"a.log"/, '"ARGUMENT_NAME": "VALUE"')
    expect(text).toContain(`in exactly this form:\n\n${example}\n`)
  })

  test('results are written as the prompt says', () => {
    const { text } = promptOf(dialect, { system: 'Be brief.', turns: answered })
    const { capabilities, handler } = dialect.analysis
    const isPlaced = capabilities.results && handler !== 'prompted'
    expect(text).toContain(isPlaced ? 'Error: exit 1' : 'status="error">\nError: exit 1\n</tool_response>')
    if (beside !== '') expect(text.includes('as <tool_response id="ID"')).toBe(!isPlaced)
  })

  test('what a tool says does not end the list', () => {
    const { text } = promptOf(dialect)
    if (alone === 'both') expect(text.split('</tools>')).toHaveLength(2)
    expect(text.split('Reads a log.')).toHaveLength(2)
  })

  test('the prompt of a turn begins with the one before', () => {
    for (const system of ['', 'Be brief.']) {
      const { text, begun } = promptOf(dialect, { system })
      const head = text.slice(0, text.length - '<|assistant|>'.length - begun.length)
      expect(promptOf(dialect, { system, turns: [...answered, question] }).text.startsWith(head)).toBe(true)
    }
  })

  test('without tools nothing is said of any', () => {
    const { text, adaptations } = promptOf(dialect, { tools: [] })
    expect([text.includes('# '), adaptations]).toEqual([false, []])
  })
})

test('a choice to call nothing is said where the tools are described', () => {
  const dialect = testDialect({ source: plain, specialTokens: {} })
  const { text } = promptOf(dialect, { toolChoice: { type: 'none' } })
  expect(text).toContain('"name":"read_log"')
  expect(text).toContain('- Do not call any tool in your next reply.')
})

test('a system message among the turns counts as one', () => {
  const dialect = testDialect({ source: plain, specialTokens: {} })
  const { text } = promptOf(dialect, { turns: [{ role: 'system', text: 'Be brief.' }, question] })
  expect(text.split('<|system|>')).toHaveLength(2)
  expect(text).toMatch(/list_jobs[\s\S]*Be brief\./)
})

test.each([...testTemplates, ...promptedTemplates])('the prompt of the template $name names each tool', (one) => {
  const dialect = testDialect(one)
  for (const system of ['', 'Be brief.']) {
    const { text } = promptOf(dialect, { system })
    for (const { name } of tools) expect(text).toContain(name)
    const says = dialect.analysis.capabilities.calls || text.includes('<TOOL_CALL>\n{"name": "TOOL_NAME"')
    expect(says).toBe(true)
  }
})
