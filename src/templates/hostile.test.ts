import { describe, expect, test } from 'vitest'
import { someOf } from '../../test/support/draws.ts'
import { scaled, share, testLimits } from '../../test/support/templates/limits.ts'
import type { Conversation } from '../conversation/index.ts'
import {
  analyzeTemplate,
  detectCapabilities,
  type RawVariables,
  safeLoadTemplate,
  safeRenderTemplate,
  templateDialect,
} from './index.ts'
import type { BudgetLimits } from './jinja/python/values/budget.ts'

function run(
  source: string,
  input: RawVariables | Conversation = { messages: [{ role: 'user', content: 'Hi' }] },
  limits: Partial<BudgetLimits> = {},
) {
  const loaded = safeLoadTemplate(source)
  return loaded.type === 'error'
    ? { type: 'error', message: loaded.problem, reason: 'syntax' }
    : safeRenderTemplate(loaded.template, input, { limits })
}

/** Repeats the text for `WORK` many times, on a long text `s`. */
const often = (text: string, work: string) =>
  `{% set s = ${text} %}{% for i in range(100000) %}{% set x = ${work} %}{% endfor %}`
const doubling = (work: string) =>
  `{% set ns = namespace(s="xx") %}{% for i in range(100) %}{% set ns.s = ${work} %}{% endfor %}{{ ns.s|length }}`
const [long, spaces, astral] = ['"a" * 15000000', '" " * 15000000', '"😀" * 5000000']

const endless: Readonly<Record<string, string>> = {
  'a wide tree of macros':
    '{% macro f(n) %}{% if n > 0 %}{{ f(n - 1) }}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(140) }}',
  'two macros that call one another':
    '{% macro f() %}{{ g() }}{% endmacro %}{% macro g() %}{{ f() }}{% endmacro %}{{ f() }}',
  'a macro that its default calls': '{% macro f(x=f()) %}{% endmacro %}{{ f() }}',
  'a macro that is given itself': '{% macro f(g) %}{{ g(g) }}{% endmacro %}{{ f(f) }}',
  'callers in callers':
    '{% macro f() %}{{ caller() }}{% endmacro %}{% macro g() %}{% call f() %}{{ g() }}{% endcall %}{% endmacro %}{{ g() }}',
  'a wide recursive loop': '{% for x in range(10) recursive %}{{ loop(range(10)) }}{% endfor %}',
  'a chain of generators':
    '{% set ns = namespace(s=[1]) %}{% for i in range(100000) %}{% set ns.s = ns.s|map("string") %}{% endfor %}{{ ns.s|list }}',
  'a namespace in itself': '{% set ns = namespace() %}{% set ns.a = [ns] %}{{ ns.a }}',
  'a text doubled by ~': doubling('ns.s ~ ns.s'),
  'a text doubled by join': doubling('[ns.s, ns.s]|join'),
  'a text doubled by %': doubling('"%s%s" % (ns.s, ns.s)'),
  'a text doubled by format': doubling('"{0}{0}".format(ns.s)'),
  'a text doubled by replace': doubling('ns.s.replace("x", "xx")'),
  'a text doubled in a block':
    '{% set ns = namespace(s="xx") %}{% for i in range(100) %}{% set ns.s %}{{ ns.s }}{{ ns.s }}{% endset %}{% endfor %}',
  'a long separator': '{% set s = "x" * 1000000 %}{{ range(10000)|join(s)|length }}',
  'long separators of JSON': '{% set s = "x" * 1000000 %}{{ ([1] * 400)|tojson(separators=(s, s))|length }}',
  'tabs made wide': "{{ ('\\t' * 1000000).expandtabs(1000000)|length }}",
  'a million fields': '{{ ("{0}" * 100000).format("x" * 100000)|length }}',
  'a list spread into arguments':
    '{% macro f() %}{{ varargs }}{% endmacro %}{% for i in range(99999) %}{{ f(*range(99999)) }}{% endfor %}',
  'slices of ranges': often('1', 'range(100000)[1:]|list'),
  'copies of a list': often('[1] * 1000000', 's.copy()'),
  'dictionaries that grow':
    '{% set ns = namespace(d={}) %}{% for i in range(100000) %}{% set ns.d = dict(ns.d, **{"a" ~ i: 1}) %}{% endfor %}',
  'sorting long texts': '{% set s = "a" * 1000000 %}{{ ([s ~ "b", s ~ "c"] * 5000)|sort|length }}',
  'long texts told apart': '{{ (["a" * 1000000] * 100000)|unique|list|length }}',
  'large powers': often('1', '7 ** 5000'),
  'large divisions': often('10 ** 4000', 's // (10 ** 2000 + 1)'),
  'large numbers written': often('10 ** 4200', 's|string'),
  'large numbers read': often('"f" * 4000', 's|int(0, 16)'),
  'a tower of powers': '{{ 9 ** (9 ** (9 ** 9)) }}',
  'fields of time': '{{ strftime_now("%A" * 7000000)|length }}',
  trim: often(spaces, 's|trim'),
  title: often('"a " * 5000000', 's|title'),
  wordcount: often('"a " * 5000000', 's|wordcount'),
  wordwrap: often('"a-" * 5000000', 's|wordwrap(2)'),
  'wordwrap of one word': often('"a" * 5000000', 's|wordwrap(2)'),
  'joins of safe text': often('[""] * 100000', '(""|safe).join(s)'),
  striptags: often('"<" * 10000000', 's|striptags'),
  escape: often('"<" * 3000000', 's|e'),
  float: often('"9" * 15000000', 's|float'),
  'is lower': often(long, 's is lower'),
  reverse: often('"a" * 3000000', 's|reverse'),
  truncate: often(astral, 's|truncate(100)'),
  'JSON in ASCII': often('"é" * 3000000', 's|tojson(ensure_ascii=true)'),
  'a list with a long text': often('"\\n" * 3000000', '[s]|string'),
  isspace: often(spaces, 's.isspace()'),
  swapcase: often('"a" * 3000000', 's.swapcase()'),
  'split at white space': often(spaces, 's.rsplit(None, 1)'),
  'split at nothing that is there': often(long, 's.split("b")'),
  'characters of two units': often(astral, 's[0]'),
  'every second character': often(long, 's[::2]'),
  'many beginnings': '{% set s = "a" * 4000000 %}{{ s.startswith(("a" * 3999999 ~ "b",) * 1000000) }}',
  'a list that grows as it is walked': '{% set l = [1] %}{% for x in l %}{% set _ = l.append(1) %}{% endfor %}',
  'ten thousand brackets': `{{ ${'['.repeat(10_000)}${']'.repeat(10_000)} }}`,
  'ten thousand braces': `{{ ${'{1:'.repeat(10_000)}1${'}'.repeat(10_000)} }}`,
  'thousands of ifs in one another': `${'{% if 1 %}'.repeat(30_000)}${'{% endif %}'.repeat(19_000)}`,
  'more source than any template': `${'{% if 1 %}'.repeat(100_000)}${'{% endif %}'.repeat(100_000)}`,
  'tags that never end': '{{'.repeat(200_000),
  'a raw block that never ends': `{% raw %}${'{%- '.repeat(100_000)}`,
  'a text that never ends': `{{ '${'a\\'.repeat(200_000)}`,
  'a number of a hundred thousand digits': `{{ ${'9'.repeat(100_000)} }}`,
  'a null byte in a tag': '{{ a\0b }}',
  'a file': '{% include "/etc/passwd" %}',
  'a module': '{% from "os" import system %}',
}

describe('an error, soon', () => {
  test.each(someOf(Object.entries(endless), 3))('%s', (_, source) => {
    expect(run(scaled(source), undefined, testLimits)).toMatchObject({
      type: 'error',
      message: expect.stringMatching(/./),
      reason: expect.stringMatching(/^(?:syntax|failed|budget)$/),
    })
  })
})

test.each(someOf(['a chain of generators', 'a list spread into arguments', 'long texts told apart'], 3))(
  'the default budget ends %s',
  (name) => expect(run(endless[name] ?? '')).toMatchObject({ type: 'error', reason: 'budget' }),
)

/** Searches that take JavaScript's own implementation hours. */
const near = '{% set s = "a" * 8000000 %}{% set t = "a" * 2000000 ~ "b" ~ "a" * 2000000 %}'
const harmless: Readonly<Record<string, [source: string, text: string]>> = {
  'what is nearly everywhere, first': [`${near}{{ s.find(t) }}`, '-1'],
  'what is nearly everywhere, last': [`${near}{{ s.rfind(t) }}`, '-1'],
  'what is nearly everywhere, anywhere': [`${near}{{ t in s }}`, 'False'],
  'a split at it': [`${near}{{ s.split(t)|length }}{{ s.rpartition(t)|length }}`, '13'],
  'its replacement': [`${near}{{ s|replace(t, "")|length }}`, '8000000'],
  'many characters to strip': ['{% set s = "a" * 4000000 %}{{ s.strip("b" * 4000000 ~ "a")|length }}', '0'],
  'null bytes': ['\0{{ "\0\\0\\x00"|length }}\0', '\x003\0'],
  'half a character': ['{{ "\ud800"|length }}', '1'],
  'many comments': ['{##}'.repeat(100_000), ''],
  'a long row of elifs': [`{% if 0 %}${'{% elif 0 %}'.repeat(30_000)}{% endif %}`, ''],
  'white space without end': [`${' '.repeat(400_000)}{%- if 1 %}{% endif %}`, ''],
  'tuples as keys': [often('("x" * 900, "y")', '{s: 1}'), ''],
  'a range in a range': ['{{ range(100000)|length }} {{ 99999 in range(100000) }}', '100000 True'],
}

describe('rendered, soon', () => {
  test.each(Object.entries(harmless))('%s', (_, [source, text]) => {
    expect(run(scaled(source))).toMatchObject({ type: 'text', text: scaled(text) })
  })
})

/** Each names something of Python's or of JavaScript's that a template has no business with. */
const ways = [
  "''.__class__.__mro__[1].__subclasses__()",
  'namespace.__init__.__globals__',
  'cycler.__init__.__globals__.os',
  "joiner.__init__.__globals__.os.popen('id').read()",
  'lipsum.__globals__',
  'self._TemplateReference__context',
  "''.constructor.constructor('return process')()",
  "range['constructor']('return process')()",
  "'{0.__class__.x}'.format(1)",
  "'{0[constructor][name]}'.format({})",
  "(''|attr('constructor')).x",
  "({}|attr('__proto__')).x",
  "([{}]|map(attribute='__class__.__mro__')|list)",
  "([1]|map(attribute='constructor.constructor')|list)",
  "[1]|map('constructor')|list",
  "[1]|select('constructor')|list",
  "[1]|map('__proto__')|list",
  'raise_exception.constructor.x',
  'strftime_now.call.x',
]

describe('nothing to be reached', () => {
  test.each(ways)('%s', (source) => expect(run(`{{ ${source} }}`)).toMatchObject({ type: 'error', reason: 'failed' }))

  test.each<[string, string]>([
    ['{% set ns = namespace() %}{% set ns.__proto__ = {"x": 1} %}{{ ns.x is defined }}', 'False'],
    ['{% set ns = namespace(**{"__proto__": {"x": 1}}) %}{{ ns.x is defined }}{{ {}.x is defined }}', 'FalseFalse'],
    ['{% set d = dict(__proto__={"x": 1}) %}{{ d.x is defined }}{{ d }}', "False{'__proto__': {'x': 1}}"],
    ['{% set __proto__ = 1 %}{% set constructor = 2 %}{{ __proto__ }}{{ constructor }}', '12'],
    ['{% macro f(__proto__) %}{{ __proto__ }}{% endmacro %}{{ f(1) }}{{ f(__proto__=2) }}', '12'],
    ['{% macro f() %}{{ kwargs }}{% endmacro %}{{ f(__proto__=2) }}', "{'__proto__': 2}"],
    ['{% for __proto__ in [1] %}{{ __proto__ }}{{ loop.constructor is defined }}{% endfor %}', '1False'],
    ['{{ [{}]|selectattr("__proto__")|list }}{{ [1]|selectattr("toString")|list }}', '[][]'],
    ['{{ {} == {"__proto__": {}} }}{{ "__proto__" in {} }}{{ "constructor" in messages[0] }}', 'FalseFalseFalse'],
  ])('%s', (source, text) => {
    expect(run(source)).toMatchObject({ type: 'text', text })
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false)
  })

  test('what a template changes is its own copy', () => {
    const messages = [{ role: 'user', content: 'Hi', list: [1] }]
    const conversation: Conversation = {
      model: 'm',
      system: '',
      turns: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
      tools: [],
      toolChoice: { type: 'auto' },
      parallelCalls: true,
      stopSequences: [],
      sampling: {},
    }
    const source = '{% set _ = messages.clear() %}{% set _ = messages[0].update({"__proto__": {"x": 1}}) %}'
    run(source, { messages })
    run(source, conversation)
    expect(messages).toEqual([{ role: 'user', content: 'Hi', list: [1] }])
    expect(conversation.turns).toHaveLength(1)
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false)
  })
})

describe('what a hostile template can do is asked soon, too', () => {
  test.each([
    '{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}',
    '{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}',
    doubling('ns.s + ns.s'),
    often(long, 's|trim'),
    '{{ raise_exception("no") }}',
  ])('%s', (source) => {
    const loaded = safeLoadTemplate(source)
    if (loaded.type === 'error') throw new Error(loaded.message)
    expect(detectCapabilities(loaded.template)).toMatchObject({ calls: false, tools: undefined })
  })
})

/** `written` comes before the named part in a template. */
const withMarker = (before: string, written: string) =>
  '{%- for m in messages %}<|{{ m.role }}|>{{ m.content }}{%- for call in m.tool_calls or [] %}<call:{{ call.function.name }}>{{ call.function.arguments | tojson }}</call>{% endfor %}<|end|>{%- endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}'.replace(
    before,
    `${written}${before}`,
  )

/** Far longer than any marker that an analysis takes; in a thorough run, so long that work for each pair of places takes minutes. */
const times = 20_000 / share

describe('a marker of any length is analysed', () => {
  test.each([
    ['before a name', '<call:', `{{ "<call:" * ${times} }}`, false],
    ['after arguments', '</call>', `{{ "{\\"a\\":" * ${times} }}`, false],
    ['after the text', '<|end|>', `{{ "z" * ${5 * times} }}`, true],
    ['before the reply', '<|assistant|>', `{{ "<think>" * ${times} }}`, true],
    ['at its longest', '<call:', 'x'.repeat(400), true],
  ])('%s', (_name, before, written, areCallsKnown) => {
    const loaded = safeLoadTemplate(withMarker(before, written))
    if (loaded.type === 'error') throw new Error(loaded.message)
    const analysis = analyzeTemplate(loaded.template)
    expect(analysis.calls !== undefined).toBe(areCallsKnown)
    const options = { tools: [], toolChoice: { type: 'auto' as const }, parallelCalls: true, newCallId: () => 'id' }
    const reader = templateDialect(analysis).createReader(options)
    const text = written.startsWith('{') ? '<call:f>' : `${written}<call:f>`
    expect(() => [...reader.push(text.repeat(50)), ...reader.end('stop')]).not.toThrow()
  })
})
