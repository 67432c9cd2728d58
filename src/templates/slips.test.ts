import { describe, expect, it } from 'vitest'
import { someOf } from '../../test/support/draws.ts'
import { testDialect } from '../../test/support/templates/dialect.ts'
import type { FinishReason, Tool } from '../conversation/index.ts'
import { messageOf } from './analysis/proof/read-back.ts'

/** Texts of models that differ slightly from their templates, from the test suites of vLLM and SGLang. */

const tools: readonly Tool[] = [
  {
    name: 'w',
    description: 'The weather.',
    schema: {
      type: 'object',
      properties: { city: { type: 'string' }, state: { type: 'string' }, days: { type: 'integer' } },
    },
  },
  { name: 'q', description: 'A query.', schema: { type: 'object', properties: { d: { type: 'boolean' } } } },
  { name: 'n', description: 'A name.', schema: { type: 'object', properties: { name: { type: 'string' } } } },
]

/** A template that writes the calls of a message by the given loop. */
function templateWith(calls: string, prompt = ''): string {
  return `{% if tools %}<tools>{{ tools | tojson }}</tools>{% endif %}
{%- for m in messages %}<|{{ m.role }}|>{{ m.content or '' }}{% if m.tool_calls %}${calls}{% endif %}<|end|>
{%- endfor %}{% if add_generation_prompt %}<|assistant|>${prompt}{% endif %}`
}

const value = '{{ v if v is string else v | tojson }}'
const each = '{% for c in m.tool_calls %}'
const args = '{% for k, v in c.function.arguments.items() %}'

const formats = {
  lines: templateWith(
    `${each}\n<tool_call>\n<function={{ c.function.name }}>\n${args}<parameter={{ k }}>\n${value}\n</parameter>\n{% endfor %}</function>\n</tool_call>{% endfor %}`,
  ),
  pairs: templateWith(
    `${each}<tool_call>{{ c.function.name }}${args}<arg_key>{{ k }}</arg_key><arg_value>${value}</arg_value>{% endfor %}</tool_call>{% endfor %}`,
  ),
  typed: templateWith(
    `${each}<|call name="{{ c.function.name }}">${args}<|parameter name="{{ k }}" string="{{ 'true' if v is string else 'false' }}">${value}</|parameter>{% endfor %}</|call>{% endfor %}`,
  ),
  bare: templateWith(
    '{% if m.tool_calls | length > 1 %}{{ raise_exception("one call at a time") }}{% endif %}{"name": "{{ m.tool_calls[0].function.name }}", "parameters": {{ m.tool_calls[0].function.arguments | tojson }}}',
  ),
  tagged: templateWith(
    `${each}<tool_call>{"name": "{{ c.function.name }}", "arguments": {{ c.function.arguments | tojson }}}</tool_call>{% endfor %}`,
  ),
  delimited: templateWith(
    `${each}<|tool_call>call:{{ c.function.name }}{{ '{' }}${args}{{ k }}:{{ '<|"|>' + v + '<|"|>' if v is string else v | tojson }}{{ ',' if not loop.last }}{% endfor %}{{ '}' }}<tool_call|>{% endfor %}`,
  ),
  ids: templateWith(
    `<|tool_calls_section_begin|>${each}<|tool_call_begin|>{{ c.id }}<|tool_call_argument_begin|>{{ c.function.arguments | tojson }}<|tool_call_end|>{% endfor %}<|tool_calls_section_end|>`,
  ),
  named: templateWith(
    `${each}<|to={{ c.function.name }}<|message|>{{ c.function.arguments | tojson }}<|call|>{% endfor %}`,
  ),
  python: templateWith(
    `<|calls|>[${each}{{ c.function.name }}(${args}{{ k }}={{ v | tojson }}{{ ', ' if not loop.last }}{% endfor %}){{ ', ' if not loop.last }}{% endfor %}]<|calls_end|>`,
  ),
} as const

const dialects = new Map(
  Object.entries(formats).map(([name, source]) => [name, testDialect({ source, specialTokens: {} })]),
)

function read(format: keyof typeof formats, written: string, end: FinishReason = 'stop') {
  const dialect = dialects.get(format)
  if (!dialect) throw new Error(`There is no format "${format}".`)
  const options = { tools, toolChoice: { type: 'auto' as const }, parallelCalls: true }
  const halves = Array.from({ length: written.length - 1 }, (_, at) => [
    written.slice(0, at + 1),
    written.slice(at + 1),
  ])
  const messages = [[written], [...written], ...someOf(halves)].map((pieces) => {
    const reader = dialect.createReader(options)
    const events = [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end(end)]
    const { text, calls } = messageOf(events)
    return JSON.stringify({ text: text.trim(), calls: calls.map((call) => [call.name, call.arguments]) })
  })
  const [first = '', ...others] = new Set(messages)
  expect(others).toEqual([])
  return JSON.parse(first)
}

const york: [string, unknown] = ['w', { city: 'New York' }]
const both: [string, unknown][] = [york, ['q', { d: true }]]

describe('arguments in tags', () => {
  it.each<[what: string, written: string, calls: [string, unknown][]]>([
    [
      'no end of the first call',
      '<tool_call>\n<function=w>\n<parameter=city>\nNew York\n</parameter>\n</function>\n<tool_call>\n<function=q>\n<parameter=d>\ntrue\n</parameter>\n</function>\n</tool_call>',
      both,
    ],
    [
      'two functions in one call',
      '<tool_call>\n<function=w>\n<parameter=city>\nNew York\n</parameter>\n</function>\n<function=q>\n<parameter=d>\ntrue\n</parameter>\n</function>\n</tool_call>',
      both,
    ],
    [
      'no end of the function',
      '<tool_call>\n<function=w>\n<parameter=city>\nNew York\n</parameter>\n</tool_call>',
      [york],
    ],
    ['no end but that of the call', '<tool_call><function=w><parameter=city>New York</tool_call>', [york]],
    [
      'no ends of arguments, and no call around the function',
      '<function=w>\n<parameter=city>New York\n<parameter=days>3\n</function>',
      [['w', { city: 'New York', days: 3 }]],
    ],
    [
      'no end of an argument on its line',
      '<tool_call><function=w><parameter=city>Dallas<parameter=state>TX</parameter></function></tool_call>',
      [['w', { city: 'Dallas', state: 'TX' }]],
    ],
    [
      'the end of the function twice',
      '<tool_call>\n<function=w>\n<parameter=city>\nNew York\n</parameter>\n</function>\n</function>\n</tool_call>',
      [york],
    ],
    [
      'the end of the function twice, and one more call',
      '<tool_call>\n<function=w>\n<parameter=city>\nNew York\n</parameter>\n</function>\n</function>\n</tool_call>\n<tool_call>\n<function=q>\n<parameter=d>\ntrue\n</parameter>\n</function>\n</tool_call>\n</tool_call>',
      both,
    ],
    [
      'the end of an argument twice',
      '<tool_call>\n<function=w>\n<parameter=city>\nNew York\n</parameter>\n</parameter>\n</function>\n</tool_call>',
      [york],
    ],
    [
      'the end of an argument twice, and one more after it',
      '<tool_call>\n<function=w>\n<parameter=city>\nNew York\n</parameter>\n</parameter>\n<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>',
      [['w', { city: 'New York', days: 3 }]],
    ],
    [
      'an argument in the value of one',
      '<tool_call>\n<function=w>\n<parameter=city>\n<parameter=x>\n1\n</parameter>\n</parameter>\n</function>\n</tool_call>',
      [['w', { city: '<parameter=x>\n1\n</parameter>' }]],
    ],
    [
      'an end that is none of the format’s',
      '<tool_call>\n<function=w>\n<parameter=city>\nNew York\n</parameter>\n</function>\n</function_invocation>\n</tool_call>',
      [york],
    ],
    [
      'the end of the function twice, and no end of the call',
      '<tool_call>\n<function=w>\n<parameter=city>\nNew York\n</parameter>\n</function>\n</function>',
      [york],
    ],
    [
      'no bracket after a key',
      '<tool_call>\n<function=w>\n<parameter=city\nNew York\n</parameter>\n<parameter=days\n3\n</parameter>\n</function>\n</tool_call>',
      [['w', { city: 'New York', days: 3 }]],
    ],
    [
      'quotes around name and key',
      '<tool_call>\n<function="w">\n<parameter="city">\nNew York\n</parameter>\n<parameter="days"\n3\n</parameter>\n</function>\n</tool_call>',
      [['w', { city: 'New York', days: 3 }]],
    ],
    [
      'no brackets after name and key',
      '<tool_call>\n<function=w\n<parameter=city\nNew York\n</parameter>\n</function>\n</tool_call>',
      [york],
    ],
    [
      'a key without its bracket in a value',
      '<tool_call>\n<function=w>\n<parameter=city>\nsee <parameter=days\n</parameter>\n</function>\n</tool_call>',
      [['w', { city: 'see <parameter=days' }]],
    ],
    [
      'ends of a call that were doubled in a value',
      '<tool_call>\n<function=w>\n<parameter=city>\n</parameter>\n</function>\n</function>\nis how it ends\n</parameter>\n</function>\n</tool_call>',
      [['w', { city: '</parameter>\n</function>\n</function>\nis how it ends' }]],
    ],
    [
      'one end of a call in a value',
      '<tool_call>\n<function=w>\n<parameter=city>\n</parameter>\n</function>\nis how it ends\n</parameter>\n</function>\n</tool_call>',
      [['w', { city: '</parameter>\n</function>\nis how it ends' }]],
    ],
  ])('are read with %s', (_, written, calls) => {
    expect(read('lines', written)).toEqual({ text: '', calls })
  })

  it('keep text that only begins like what closes a call', () => {
    const call = '<tool_call>\n<function=w>\n<parameter=city>\nNew York\n</parameter>\n</function>\n</tool_call>'
    expect(read('lines', `${call}\n</div>`)).toEqual({ text: '</div>', calls: [york] })
    expect(read('lines', `${call}\n</functional> is a tag.`)).toEqual({
      text: '</functional> is a tag.',
      calls: [york],
    })
    expect(read('lines', `${call}\nSo </function> it is.`)).toEqual({ text: 'So </function> it is.', calls: [york] })
  })

  it('end with tags that are none of the format’s, and no end of the call', () => {
    const call = '<tool_call>\n<function=w>\n<parameter=city>\nNew York\n</parameter>\n</function>\n</function>'
    const expected = { text: '</function_invocation>', calls: [york] }
    expect(read('lines', `${call}\n</function_invocation>`)).toEqual(expected)
  })

  it('keep prose between the ends of a call as text', () => {
    const call = '<tool_call>\n<function=w>\n<parameter=city>\nNew York\n</parameter>\n</function>'
    expect(read('lines', `${call}\nThat is it.\n</tool_call>`)).toEqual({
      text: 'That is it.\n</tool_call>',
      calls: [york],
    })
    expect(read('lines', `${call} Now.\n</tool_call>\n${call}\n</tool_call>`).calls).toEqual([york, york])
  })

  it('have text in a value that looks like prose between the ends of a call', () => {
    const city = 'It is\n</parameter>\n</function>\nand then\n</tool_call>\nthat ends a call.'
    const call = `<tool_call>\n<function=w>\n<parameter=city>\n${city}\n</parameter>\n</function>\n</tool_call>`
    expect(read('lines', call)).toEqual({ text: '', calls: [['w', { city }]] })
  })

  it.each<[written: string, calls: [string, unknown][]]>([
    ['<tool_call>w\n<arg_key>city</arg_key>\n<arg_value>New York</arg_value>\n</tool_call>', [york]],
    [
      '<tool_call>w<arg_key>city</arg_key><arg_value>Oslo</arg_value><arg_key>days</arg_key>\n<arg_value>07</arg_value></tool_call>',
      [['w', { city: 'Oslo', days: 7 }]],
    ],
  ])('are read with line breaks between tags: %j', (written, calls) => {
    expect(read('pairs', written)).toEqual({ text: '', calls })
  })

  it.each<[what: string, written: string, calls: [string, unknown][]]>([
    [
      'a key that is closed twice',
      '<tool_call>w<arg_key>city</arg_key></arg_key><arg_value>New York</arg_value></tool_call>',
      [york],
    ],
    [
      'a key that is opened twice, and one that is closed twice on lines of their own',
      '<tool_call>w<arg_key><arg_key>city</arg_key><arg_value>Oslo</arg_value><arg_key>days</arg_key>\n</arg_key>\n<arg_value>7</arg_value></tool_call>',
      [['w', { city: 'Oslo', days: 7 }]],
    ],
    [
      'tags of a key in a value',
      '<tool_call>w<arg_key>city</arg_key><arg_value></arg_key></arg_key></arg_value></tool_call>',
      [['w', { city: '</arg_key></arg_key>' }]],
    ],
    [
      'no tag before a value',
      '<tool_call>w<arg_key>city</arg_key>New York</arg_value></tool_call><tool_call>q<arg_key>d</arg_key>\ntrue</arg_value></tool_call>',
      both,
    ],
    [
      'no tag before the second value',
      '<tool_call>w<arg_key>city</arg_key><arg_value>Oslo</arg_value><arg_key>days</arg_key>7</arg_value></tool_call>',
      [['w', { city: 'Oslo', days: 7 }]],
    ],
    ['parentheses around one object', '<tool_call>w({"city": "New York"})</tool_call>', [york]],
    [
      'parentheses in two calls',
      '<tool_call>w({"city": "New York"})</tool_call>\n<tool_call>q({"d": true})</tool_call>',
      both,
    ],
  ])('in pairs of tags are read with %s', (_, written, calls) => {
    expect(read('pairs', written)).toEqual({ text: '', calls })
  })

  it.each<[what: string, written: string, calls: [string, unknown][]]>([
    ['no word for the type', '<|call name="w"><|parameter name="city">New York</|parameter></|call>', [york]],
    [
      'quotes where it is no string',
      '<|call name="w"><|parameter name="city" string="false">"New York"</|parameter></|call>',
      [york],
    ],
    [
      'an argument without the mark that all tags have',
      '<|call name="w"><parameter name="city">New York</|parameter></|call>',
      [york],
    ],
    [
      'that in both tags of one',
      '<|call name="w"><|parameter name="city" string="true">Oslo</|parameter>\n<parameter name="days" string="false">3</parameter></|call>',
      [['w', { city: 'Oslo', days: 3 }]],
    ],
    [
      'tags without the mark in a value',
      '<|call name="w"><|parameter name="city" string="true">\n<parameter name="days">3</parameter>\n<parameter name="state">TX</parameter></|parameter></|call>',
      [['w', { city: '\n<parameter name="days">3</parameter>\n<parameter name="state">TX</parameter>' }]],
    ],
    ['one object for all of them', '<|call name="w">{"city": "New York"}</|call>', [york]],
    [
      'all of them in an argument of that name',
      '<|call name="w"><|parameter name="arguments" string="false">{"city": "Oslo", "days": "3"}</|parameter></|call>',
      [['w', { city: 'Oslo', days: 3 }]],
    ],
    [
      'the same as a string, with one more after it',
      '<|call name="w"><|parameter name="input" string="true">{"city": "Oslo"}</|parameter><|parameter name="days" string="false">3</|parameter></|call>',
      [['w', { city: 'Oslo', days: 3 }]],
    ],
    [
      'an argument of that name that holds something else',
      '<|call name="w"><|parameter name="input" string="false">{"city": "Oslo", "zip": 1}</|parameter></|call>',
      [['w', { input: { city: 'Oslo', zip: 1 } }]],
    ],
    [
      'an argument of that name after another',
      '<|call name="w"><|parameter name="days" string="false">3</|parameter><|parameter name="args" string="false">{"city": "Oslo"}</|parameter></|call>',
      [['w', { days: 3, args: { city: 'Oslo' } }]],
    ],
  ])('are read with %s', (_, written, calls) => {
    expect(read('typed', written)).toEqual({ text: '', calls })
  })
})

describe('calls as JSON', () => {
  const [one, two] = ['{"name": "w", "parameters": {"city": "New York"}}', '{"name": "q", "parameters": {"d": true}}']

  it.each(['; ', ';', ', ', '\n', ' ;\n'])('are several where the template has one, parted by %j', (separator) => {
    expect(read('bare', `${one}${separator}${two}`)).toEqual({ text: '', calls: both })
  })

  it.each(['; ', ', ', '\n', ''])('are several in one pair of tags, parted by %j', (separator) => {
    const written = `<tool_call>${one}${separator}${two}</tool_call>`.replaceAll('parameters', 'arguments')
    expect(read('tagged', written)).toEqual({ text: '', calls: both })
  })
})

describe('a name with arguments after it', () => {
  it.each<[what: string, written: string, calls: [string, unknown][]]>([
    ['the call once more', '<|to=w<|message|>{"name": "w", "parameters": {"city": "New York"}}<|call|>', [york]],
    [
      'the call once more, as OpenAI names its members',
      '<|to=q<|message|>{"name":"q","arguments":{"d":true}}<|call|>',
      [['q', { d: true }]],
    ],
    [
      'another name',
      '<|to=w<|message|>{"name": "woods", "parameters": {"city": "New York"}}<|call|>',
      [['w', { name: 'woods', parameters: { city: 'New York' } }]],
    ],
    [
      'a name that goes on otherwise',
      '<|to=w<|message|>{"name": "q", "city": "New York"}<|call|>',
      [['w', { name: 'q', city: 'New York' }]],
    ],
    ['the call’s name alone', '<|to=w<|message|>{"name": "w"}<|call|>', [['w', { name: 'w' }]]],
    [
      'the call’s name beside its arguments',
      '<|to=w<|message|>{"name": "w", "city": "New York"}<|call|>',
      [['w', { name: 'w', city: 'New York' }]],
    ],
    [
      'the call’s name and no object',
      '<|to=w<|message|>{"name": "w", "parameters": 3}<|call|>',
      [['w', { name: 'w', parameters: 3 }]],
    ],
    ['a name that is no text', '<|to=w<|message|>{"name": {"a": [1]}}<|call|>', [['w', { name: { a: [1] } }]]],
    [
      'a tool that has a name among its arguments',
      '<|to=n<|message|>{"name": "n", "parameters": {"a": 1}}<|call|>',
      [['n', { name: 'n', parameters: { a: 1 } }]],
    ],
  ])('is read with %s', (_, written, calls) => {
    expect(read('named', written)).toEqual({ text: '', calls })
  })
})

describe('ids that stand for names (Kimi K2)', () => {
  const written = (id: string, json: string) =>
    `<|tool_calls_section_begin|><|tool_call_begin|>${id}<|tool_call_argument_begin|>${json}<|tool_call_end|><|tool_calls_section_end|>`

  it.each<[what: string, written: string, calls: [string, unknown][]]>([
    ['say it', written('functions.w:0', '{"city": "New York"}'), [york]],
    ['say nothing', written('call_1', '{"name": "w", "arguments": {"city": "New York"}}'), [york]],
    ['say nothing, with arguments beside the name', written('call_0Ab', '{"name": "w", "city": "New York"}'), [york]],
    ['say it where an argument is a name', written('n:0', '{"name": "w"}'), [['n', { name: 'w' }]]],
  ])('%s', (_, text, calls) => {
    expect(read('ids', text)).toEqual({ text: '', calls })
  })
})

describe('strings between delimiters (Gemma 4)', () => {
  it.each<[what: string, written: string, calls: [string, unknown][]]>([
    ['no end of a string', 'call:w{city:<|"|>a }],state:<|"|>TX<|"|>}', [['w', { city: 'a }]', state: 'TX' }]]],
    [
      'delimiters for quotes in a string',
      'call:w{city:<|"|>a <|"|>new<|"|> town<|"|>,days:3}',
      [['w', { city: 'a "new" town', days: 3 }]],
    ],
    ['a string that ends like a key', 'call:w{city:<|"|>a,state:<|"|>}', [['w', { city: 'a,state:' }]]],
  ])('are read with %s', (_, written, calls) => {
    expect(read('delimited', `<|tool_call>${written}<tool_call|>`)).toEqual({ text: '', calls })
  })

  it('do not reach into the next call', () => {
    const written = '<|tool_call>call:w{city:<|"|>a<|"|>; x<tool_call|><|tool_call>call:q{d:true}<tool_call|>'
    expect(read('delimited', written).calls).toContainEqual(['q', { d: true }])
  })
})

describe('calls between the tags of the list of tools (Qwen2.5-Coder)', () => {
  const call = '{"name": "w", "arguments": {"city": "New York"}}'
  const definition =
    '{"type": "function", "function": {"name": "w", "description": "The weather.", "parameters": {"type": "object", "properties": {}}}}'

  it.each<[written: string, text: string, calls: [string, unknown][]]>([
    [`<tools>\n${call}\n</tools>`, '', [york]],
    [`Let me see.\n<tools>${call}</tools>`, 'Let me see.', [york]],
    [`Let me see: <tools>${call}</tools>`, 'Let me see:', [york]],
    [`<tools>${call}</tools>\n<tools>${call}</tools>`, '', [york, york]],
    [`<tools>\n[${call}, ${call}]\n</tools>`, '', [york, york]],
    [`<tools>\n${call}`, '', [york]],
    [`Mine:\n<tools>\n${definition}\n</tools>`, `Mine:\n<tools>\n${definition}\n</tools>`, []],
    ['The <tools> of Maven', 'The <tools> of Maven', []],
  ])('%j', (written, text, calls) => {
    expect(read('tagged', written)).toEqual({ text, calls })
  })
})

describe('calls as Python', () => {
  it('have tokens after them that close nothing', () => {
    expect(read('python', '<|calls|>[w(city="New York")]<|calls_end|><|calls_end|>')).toEqual({
      text: '',
      calls: [york],
    })
  })

  it.each(['[w(ci', '[w(city="Oslo", da', '[w(city="Oslo"), q', '[w(city="Oslo"), q(d'])(
    'leave no text where they are cut: %s',
    (cut) => {
      expect(read('python', `Hi <|calls|>${cut}`, 'length').text).toBe('Hi')
    },
  )
})

describe('tags in which a template asks for the answer (Granite 3.3)', () => {
  const source = (system: string) =>
    `{{ '<|system|>${system}<|end|>' }}{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}`
  const asked = 'Write your thoughts between <think></think> and your response between <response></response>.'

  it.each([
    [asked, 'Hi'],
    ['Be brief.', '<response>Hi</response>'],
  ])('go where it does: %s', (system, text) => {
    const dialect = testDialect({ source: source(system), specialTokens: {} })
    const reader = dialect.createReader({ tools: [], toolChoice: { type: 'auto' }, parallelCalls: true })
    const message = messageOf([...reader.push('<think>a</think><response>Hi</response>'), ...reader.end('stop')])
    expect(message).toMatchObject({ reasoning: 'a', text })
  })
})

describe('reasoning that is never closed', () => {
  const source = templateWith(
    `${each}<tool_call>{"name": "{{ c.function.name }}", "arguments": {{ c.function.arguments | tojson }}}</tool_call>{% endfor %}`,
    '<think>\n',
  ).replace(
    "{{ m.content or '' }}",
    "{% if m.reasoning_content %}<think>\n{{ m.reasoning_content }}\n</think>\n\n{% endif %}{{ m.content or '' }}",
  )
  const dialect = testDialect({ source, specialTokens: {} })
  const call = '<tool_call>{"name": "w", "arguments": {"city": "New York"}}</tool_call>'

  it.each<[written: string, reasoning: string, calls: number]>([
    ['I could use `<tool_call>` here. And so on', 'I could use `<tool_call>` here. And so on', 0],
    [`I could use \`<tool_call>\` here.\n${call}`, 'I could use `<tool_call>` here.', 1],
    ['So be it.<|end|>', 'So be it.', 0],
  ])('is read to its end: %j', (written, reasoning, calls) => {
    for (const pieces of [[written], [...written]]) {
      const reader = dialect.createReader({
        tools,
        toolChoice: { type: 'auto' },
        parallelCalls: true,
        begun: '<think>\n',
      })
      const message = messageOf([...pieces.flatMap((piece) => reader.push(piece)), ...reader.end('stop')])
      expect({ ...message, reasoning: message.reasoning.trim(), calls: message.calls.length }).toMatchObject({
        text: '',
        reasoning,
        calls,
      })
    }
  })
})
