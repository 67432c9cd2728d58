import { describe, expect, it } from 'vitest'
import { readPieces } from '../../../test/support/dialects/replies.ts'
import { admits, parseGbnf } from '../../../test/support/grammar/gbnf.ts'
import { testDialect } from '../../../test/support/templates/dialect.ts'
import type { AssistantPart, Tool } from '../../conversation/index.ts'
import { messageOf } from './proof/read-back.ts'

const tools: readonly Tool[] = [
  { name: 'f', description: 'A tool.', schema: { type: 'object', properties: { a: { type: 'string' } } } },
]
const text: AssistantPart = { type: 'text', text: 'Let me look' }
const call: AssistantPart = { type: 'call', id: 'call_1', name: 'f', arguments: '{"a": "x"}' }
const wholeMessage = { reasoning: '', text: 'Let me look', calls: [{ name: 'f', arguments: { a: 'x' } }] }

function dialectOf(source: string): ReturnType<typeof testDialect> {
  return testDialect({ source, specialTokens: {} })
}

function read(dialect: ReturnType<typeof testDialect>, written: string): ReturnType<typeof messageOf>[] {
  const options = { tools, toolChoice: { type: 'auto' as const }, parallelCalls: true }
  const message = (pieces: string[]) => {
    const found = messageOf(readPieces(dialect, pieces, options).events)
    return { ...found, text: found.text.trim() }
  }
  return [message([written]), message([...written])]
}

/** Treats a last message of the assistant as one to be continued, and leaves its calls out. */
const prefilling = `{% if tools %}<tools>{{ tools | tojson }}</tools>{% endif %}
{%- set last = messages[-1] %}
{%- set before = messages[:-1] if last.role == 'assistant' else messages %}
{%- for m in before %}<|{{ m.role }}|>{{ m.content }}
{%- if m.tool_calls %}<calls>[{% for c in m.tool_calls %}{"name": "{{ c.function.name }}", "arguments": {{ c.function.arguments | tojson }}}{{ ', ' if not loop.last }}{% endfor %}]</calls>{% endif %}<|end|>
{%- endfor %}
{%- if add_generation_prompt or last.role == 'assistant' %}<|assistant|><think>{% endif %}
{%- if last.role == 'assistant' %}{{ last.content }}{% endif %}`

describe('a template that shows calls only where another message follows', () => {
  const dialect = dialectOf(prefilling)

  it('is analysed where one does', () => {
    expect(dialect.analysis.calls?.shape).toBe('json-list')
    expect(dialect.analysis.unread).toEqual([])
  })

  it('is read', () => {
    const written = 'Let me look<calls>[{"name": "f", "arguments": {"a": "x"}}]</calls>'
    expect(dialect.renderReply([text, call], tools)?.trim()).toBe(written)
    expect(read(dialect, written)).toEqual([wholeMessage, wholeMessage])
  })
})

/** Shows no text beside calls, which are JSON without any marker: the text is a turn before. */
const bare = `{% if tools %}<tools>{{ tools | tojson }}</tools>{% endif %}
{%- for m in messages %}<|{{ m.role }}|>
{%- if m.tool_calls %}{{ m.tool_calls | map(attribute='function') | list | tojson }}{% else %}{{ m.content }}{% endif %}<|end|>
{%- endfor %}
{%- if add_generation_prompt %}<|assistant|>{% endif %}`

describe('a text in a turn before that of a bare call', () => {
  const dialect = dialectOf(bare)

  it('ends where the turn does, whatever it ends with', () => {
    const written = dialect.renderReply([text, call], tools) ?? ''
    expect(written).toContain('Let me look<|end|><|assistant|>[{')
    expect(read(dialect, written)).toEqual([wholeMessage, wholeMessage])
  })
})

/** Prints the values of Python calls with `%s`, so that strings have no quotes. */
const unquoted = `{% if tools %}<tools>{{ tools | tojson }}</tools>{% endif %}
{%- for m in messages %}<|{{ m.role }}|>{{ m.content or '' }}
{%- if m.tool_calls %}[{% for c in m.tool_calls %}{{ c.function.name }}({% for k, v in c.function.arguments.items() %}{{ k }}={{ '%s' | format(v) }}{{ ', ' if not loop.last }}{% endfor %}){{ ', ' if not loop.last }}{% endfor %}]{% endif %}<|end|>
{%- endfor %}
{%- if add_generation_prompt %}<|assistant|>{% endif %}`

describe('a template that prints Python calls without quotes', () => {
  const dialect = dialectOf(unquoted)

  it('is taken for Python, and says what it does not read', () => {
    expect(dialect.analysis.calls?.shape).toBe('python')
    expect(dialect.analysis.unread.map((one) => one.split(':')[0])).toContain('a string with quotes')
    expect(dialect.analysis.unread.map((one) => one.split(':')[0])).not.toContain('an argument of type array')
  })

  it.each(['[f(a="x")]', "[f(a='x')]"])('has %s read and admitted', (written) => {
    expect(read(dialect, written)).toEqual([1, 2].map(() => ({ ...wholeMessage, text: '' })))
    const found = dialect.grammar({ tools, toolChoice: { type: 'required' }, parallelCalls: true, begun: '' })
    expect(admits(parseGbnf(found?.grammar ?? ''), written)).toBe(true)
  })
})

/** Has a separate field for reasoning. */
const fielded = `{% if tools %}<tools>{{ tools | tojson }}</tools>{% endif %}
{%- for m in messages %}<|{{ m.role }}|>{% if m.own_thoughts %}<|muse|>{{ m.own_thoughts }}<|/muse|>{% endif %}{{ m.content or '' }}
{%- for c in m.tool_calls or [] %}<call>{{ c.function | tojson }}</call>{% endfor %}<|end|>
{%- endfor %}
{%- if add_generation_prompt %}<|assistant|>{% endif %}`

it('finds reasoning in a field that no other template has', () => {
  const { capabilities, reasoning, unread } = dialectOf(fielded).analysis
  expect([capabilities.reasoning, reasoning.open, reasoning.close]).toEqual(['own_thoughts', '<|muse|>', '<|/muse|>'])
  expect(unread).toEqual([])
})

/** Objects without any marker, one after the other. */
const objects = `{% if tools %}<tools>{{ tools | tojson }}</tools>{% endif %}
{%- for m in messages %}<|{{ m.role }}|>{{ m.content or '' }}
{%- for c in m.tool_calls or [] %}{{ '\n' }}{{ c.function | tojson }}{% endfor %}<|end|>
{%- endfor %}
{%- if add_generation_prompt %}<|assistant|>{% endif %}`

it.each(['\n', '; ', ',\n', ''])('reads bare objects that %j parts', (between) => {
  const one = '{"name": "f", "arguments": {"a": "x"}}'
  const dialect = dialectOf(objects)
  const both = { reasoning: '', text: '', calls: [...wholeMessage.calls, ...wholeMessage.calls] }
  expect(read(dialect, one + between + one)).toEqual([both, both])
  const found = dialect.grammar({ tools, toolChoice: { type: 'required' }, parallelCalls: false, begun: '' })
  expect(admits(parseGbnf(found?.grammar ?? ''), one)).toBe(true)
  expect(admits(parseGbnf(found?.grammar ?? ''), one + between + one)).not.toBe(true)
})

/** Writes the header with a text, and none before calls alone. */
const headless = `{% if tools %}<tools>{{ tools | tojson }}</tools>{% endif %}
{%- for m in messages %}{% if m.content or m.role != 'assistant' %}<|{{ m.role }}|>{{ m.content }}{% endif %}
{%- for c in m.tool_calls or [] %}<call>{{ c.function | tojson }}</call>{% endfor %}<|end|>
{%- endfor %}
{%- if add_generation_prompt %}<|assistant|>{% endif %}`

it('knows the header of a template that leaves it out before calls alone', () => {
  const dialect = dialectOf(headless)
  const { frame, reasoning, unread } = dialect.analysis
  expect([frame.header, reasoning.mode, unread]).toEqual(['<|assistant|>', 'none', []])
  expect(dialect.renderReply([text, call], tools)).toBe(
    'Let me look<call>{"name": "f", "arguments": {"a": "x"}}</call>',
  )
  expect(dialect.renderReply([call], tools)).toBe('<call>{"name": "f", "arguments": {"a": "x"}}</call>')
})

/** Ends the prompt with a marker that no earlier reply has. */
const marked = (marker: string) => `{% if tools %}<tools>{{ tools | tojson }}</tools>{% endif %}
{%- for m in messages %}<|{{ m.role }}|>{{ m.content or '' }}<|end|>{% endfor %}
{%- if add_generation_prompt %}<|assistant|>${marker}{% endif %}`

it.each([
  ['<swift>', 'none'],
  ['<think>', 'forced-open'],
])('takes a prompt that ends with %s for %s', (marker, mode) => {
  expect(dialectOf(marked(marker)).analysis.reasoning.mode).toBe(mode)
})

/** `closing` comes after the last call, `between` before the next message of an assistant. */
const turnsWith = (
  closing: string,
  textEnd: string,
) => `{% if tools %}<|start|>tools<|body|>{{ tools | tojson }}<|over|>{% endif %}
{%- for m in messages %}<|start|>{{ m.role }}
{%- if m.tool_calls %} calls<|body|>[{% for c in m.tool_calls %}{"name": "{{ c.function.name }}", "arguments": {{ c.function.arguments | tojson }}}{{ ', ' if not loop.last }}{% endfor %}]${closing}
{%- else %}<|body|>{{ m.content }}{{ '${textEnd}' if m.role == 'assistant' else '<|over|>' }}{% endif %}
{%- endfor %}
{%- if add_generation_prompt %}<|start|>assistant{% endif %}`

describe.each([
  ['nothing but what closes the calls', '<|call|>', '<|done|>'],
  ['what ends a text, and one marker more', '<|over|><|call|>', '<|over|><|done|>'],
])('a turn of calls that ends with %s', (_, closing, textEnd) => {
  const dialect = dialectOf(turnsWith(closing, textEnd))
  const written = ' calls<|body|>[{"name": "f", "arguments": {"a": "x"}}]'
  const alone = [
    { ...wholeMessage, text: '' },
    { ...wholeMessage, text: '' },
  ]

  it('is read with that end and without, as engines leave it out', () => {
    expect(dialect.analysis.unread).toEqual([])
    expect(read(dialect, written + closing)).toEqual(alone)
    expect(read(dialect, written)).toEqual(alone)
    const { events } = readPieces(dialect, [written], { tools: [...tools] })
    expect(events.filter(({ type }) => type === 'notice')).toEqual([])
  })

  it('has a grammar under which a model may end its turn there', () => {
    const found = dialect.grammar({ tools, toolChoice: { type: 'required' }, parallelCalls: true })
    const grammar = parseGbnf(found?.grammar ?? '')
    expect([admits(grammar, written.trim()), admits(grammar, written.trim() + closing)]).toEqual([true, true])
  })
})

/** Writes its whole message as JSON. */
const enveloped = `{% if tools %}<tools>{{ tools | tojson }}</tools>{% endif %}
{%- for m in messages %}<|{{ m.role }}|>
{%- if m.tool_calls %}{"why": "tool_calls", "made": [
{%- for c in m.tool_calls %}{"input": {{ c.function.arguments | tojson }}, "name": "{{ c.function.name }}"}{{ ', ' if not loop.last }}{% endfor %}]}
{%- else %}{{ m.content }}{% endif %}<|end|>
{%- endfor %}
{%- if add_generation_prompt %}<|assistant|>{% endif %}`

describe('a call within JSON of the template', () => {
  const dialect = dialectOf(enveloped)

  it('is found', () => {
    expect(dialect.analysis.calls?.shape).toBe('json-list')
    expect(dialect.analysis.unread).toEqual([])
  })

  it('is read', () => {
    const written = '{"why": "tool_calls", "made": [{"input": {"a": "x"}, "name": "f"}]}'
    expect(dialect.renderReply([call], tools)?.trim()).toBe(written)
    expect(read(dialect, written)).toEqual([
      { ...wholeMessage, text: '' },
      { ...wholeMessage, text: '' },
    ])
    const found = dialect.grammar({ tools, toolChoice: { type: 'required' }, parallelCalls: true })
    expect(admits(parseGbnf(found?.grammar ?? ''), written)).toBe(true)
  })
})

/** Escapes line breaks and quotes, and leaves tabs as they are. */
const tabbed = `{% if tools %}<tools>{{ tools | tojson }}</tools>{% endif %}
{%- for m in messages %}<|{{ m.role }}|>{{ m.content }}
{%- if m.tool_calls %}<calls>[{% for c in m.tool_calls %}{{ c.function.name }}({% for k, v in c.function.arguments.items() %}{{ k }}=
{%- if v is string %}'{{ v | replace('\\\\', '\\\\\\\\') | replace("'", "\\\\'") | replace('\\n', '\\\\n') }}'{% else %}{{ v }}{% endif %}
{%- if not loop.last %}, {% endif %}{% endfor %}){{ ', ' if not loop.last }}{% endfor %}]</calls>{% endif %}<|end|>
{%- endfor %}
{%- if add_generation_prompt %}<|assistant|>{% endif %}`

describe('Python calls with tabs as they are', () => {
  it('are admitted by their grammar', () => {
    const dialect = dialectOf(tabbed)
    const tab: AssistantPart = { ...call, arguments: '{"a": "\\tx\\n"}' }
    const written = dialect.renderReply([tab], tools)?.trim() ?? ''
    expect(written).toBe("<calls>[f(a='\tx\\n')]</calls>")
    expect(dialect.analysis.calls?.shape).toBe('python')
    const found = dialect.grammar({ tools, toolChoice: { type: 'required' }, parallelCalls: true })
    expect(admits(parseGbnf(found?.grammar ?? ''), written)).toBe(true)
    expect(read(dialect, written)[0]?.calls).toEqual([{ name: 'f', arguments: { a: '\tx\n' } }])
  })
})

/**
 * Llama 4's form: a text is between markers only if calls follow it, and without a text the markers are still there.
 */
const pythonic = `{% if tools %}<tools>{{ tools | tojson }}</tools>{% endif %}
{%- for m in messages %}<|{{ m.role }}|>
{%- if m.tool_calls %}<|say_start|>{{ m.content }}<|say_end|>
{%- for c in m.tool_calls %}{"name": "{{ c.function.name }}", "parameters": {{ c.function.arguments | tojson }}}{% endfor %}
{%- else %}{{ m.content }}{% endif %}<|eot|>
{%- endfor %}
{%- if add_generation_prompt %}<|assistant|>{% endif %}`

describe('a text that is wrapped before calls alone', () => {
  const dialect = dialectOf(pythonic)
  const bare = '{"name": "f", "parameters": {"a": "x"}}'

  it('is found, and the markers are no part of a call', () => {
    expect(dialect.analysis.content.beforeCalls).toEqual({ open: '<|say_start|>', close: '<|say_end|>' })
    expect(dialect.analysis.calls?.layout.call.open).toBe('')
    expect(dialect.analysis.unread).toEqual([])
  })

  it('is read, with the markers and without', () => {
    expect(dialect.renderReply([text, call], tools)).toBe(`<|say_start|>Let me look<|say_end|>${bare}`)
    expect(read(dialect, `<|say_start|>Let me look<|say_end|>${bare}`)).toEqual([wholeMessage, wholeMessage])
    const alone = { ...wholeMessage, text: '' }
    expect(read(dialect, `<|say_start|><|say_end|>${bare}`)).toEqual([alone, alone])
    expect(read(dialect, bare)).toEqual([alone, alone])
  })

  it('is admitted before calls that are demanded', () => {
    const request = { tools, toolChoice: { type: 'required' as const }, parallelCalls: true, textBefore: true }
    const grammar = parseGbnf(dialect.grammar(request)?.grammar ?? '')
    expect([admits(grammar, `<|say_start|>Let me look<|say_end|>${bare}`), admits(grammar, bare)]).toEqual([true, true])
  })
})

/** Puts strings between single quotes and escapes nothing in them, as LFM 2.5 does. */
const unescaped = `{% if tools %}<tools>{{ tools | tojson }}</tools>{% endif %}
{%- for m in messages %}<|{{ m.role }}|>{{ m.content or '' }}
{%- if m.tool_calls %}<|py|>[{% for c in m.tool_calls %}{{ c.function.name }}(
{%- for key, value in c.function.arguments.items() %}{{ key }}={% if value is string %}'{{ value }}'{% else %}{{ value | tojson }}{% endif %}{{ ', ' if not loop.last }}{% endfor %}){{ ', ' if not loop.last }}{% endfor %}]<|/py|>{% endif %}<|end|>
{%- endfor %}
{%- if add_generation_prompt %}<|assistant|>{% endif %}`

describe('a template that escapes no quotes', () => {
  const dialect = dialectOf(unescaped)
  const grammar = dialect.grammar({ tools, toolChoice: { type: 'auto' }, parallelCalls: true })
  const rules = parseGbnf(grammar?.grammar ?? '')

  it.each(["it's", "He said 'no'.", "'quoted' first", "rock 'n'roll", 'a "b" c'])('writes and reads %j', (value) => {
    const parts: AssistantPart[] = [{ ...call, arguments: JSON.stringify({ a: value }) }]
    const written = dialect.renderReply(parts, tools) ?? ''
    expect(written).toBe(`<|py|>[f(a='${value}')]<|/py|>`)
    const { events } = readPieces(dialect, [written], { tools, toolChoice: { type: 'auto' }, parallelCalls: true })
    expect(messageOf(events).calls).toEqual([{ name: 'f', arguments: { a: value } }])
    expect(events.filter(({ type }) => type === 'notice')).toEqual([])
  })

  it.each([
    ["[f(a='it's')]", true],
    ["[f(a='He said 'no'.')]", true],
    // A text that looks like an end is one.
    ["[f(a='x', b')]", false],
    ["[f(a='x' y')]", false],
    ["[f(a='x'y)]", false],
  ])('%s is admitted: %s', (written, isAdmitted) => {
    expect(admits(rules, `<|py|>${written}<|/py|>`) === true).toBe(isAdmitted)
  })
})

/** Writes calls first and the text after them; results open within the turn. */
const textLast = `{% if tools %}<tools>{{ tools | tojson }}</tools>{% endif %}
{%- for m in messages %}{% if m.role == 'tool' %}<|result|>{{ m.content }}<|/result|>{% else %}<|{{ m.role }}|>
{%- for c in m.tool_calls or [] %}<|call|>{{ c.function.name }} {{ c.function.arguments | tojson }}<|/call|>{% endfor %}{{ m.content or '' }}
{%- if not (m.tool_calls and loop.nextitem is defined and loop.nextitem.role == 'tool') %}<|end|>{% endif %}{% endif %}
{%- endfor %}
{%- if add_generation_prompt %}<|assistant|>{% endif %}`

describe('a template that writes text after calls', () => {
  const dialect = dialectOf(textLast)
  const grammar = dialect.grammar({ tools, toolChoice: { type: 'auto' }, parallelCalls: true })
  const rules = parseGbnf(grammar?.grammar ?? '')
  const written = '<|call|>f {"a": "x"}<|/call|>'

  it('is found to', () => {
    expect(dialect.analysis.content.isAfterCalls).toBe(true)
    expect(dialect.analysis.unread).toEqual([])
    expect(dialect.renderReply([text, call], tools)).toBe(`${written}Let me look`)
    expect(read(dialect, `${written}Let me look`)).toEqual([wholeMessage, wholeMessage])
  })

  it.each([
    [`${written}Let me look <|closely|>`, true],
    [`${written}Let me look<|call|>f {"a": 1}<|/call|>`, false],
    [`${written}<|result|>4711`, false],
    [`${written}Let me look<|end|><|user|>`, false],
    [`${written}<think>Hm.</think>`, false],
  ])('%s is admitted: %s', (reply, isAdmitted) => {
    expect(admits(rules, reply) === true).toBe(isAdmitted)
  })
})
