import { describe, expect, test } from 'vitest'
import { isThorough } from '../../../test/support/draws.ts'
import { scaled, testLimits } from '../../../test/support/templates/limits.ts'
import { compileTemplate } from './template.ts'

/** Far more than any limit, and than a recursion has room for. */
const many = isThorough ? 100_000 : 30_000

/** Programs that would never end, or take all memory. */
const endless: Readonly<Record<string, string>> = {
  'loops in loops':
    '{% for a in range(100000) %}{% for b in range(100000) %}{% for c in range(100000) %}{% endfor %}{% endfor %}{% endfor %}',
  'a huge range': '{% for i in range(10**9) %}{% endfor %}',
  'a macro that calls itself': '{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}',
  'a macro that calls itself twice': '{% macro f(n) %}{{ f(n+1) }}{{ f(n+1) }}{% endmacro %}{{ f(0) }}',
  'a loop that calls itself': '{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}',
  'a long text': '{{ "x" * 10**9 }}',
  'a text that doubles':
    '{% set ns = namespace(s="xx") %}{% for i in range(100) %}{% set ns.s = ns.s + ns.s %}{% endfor %}{{ ns.s }}',
  'a long list': '{{ ([0] * 10**9)|length }}',
  'a list that holds itself twice, again and again':
    '{% set ns = namespace(s=[1]) %}{% for i in range(100) %}{% set ns.s = [ns.s, ns.s] %}{% endfor %}{{ ns.s }}',
  'the same as JSON':
    '{% set ns = namespace(s=[1]) %}{% for i in range(100) %}{% set ns.s = [ns.s, ns.s] %}{% endfor %}{{ ns.s|tojson }}',
  'the same compared':
    '{% set ns = namespace(s=[1], t=[1]) %}{% for i in range(100) %}{% set ns.s = [ns.s, ns.s] %}{% set ns.t = [ns.t, ns.t] %}{% endfor %}{{ ns.s == ns.t }}',
  'the same as a key':
    '{% set ns = namespace(s=(1,)) %}{% for i in range(60) %}{% set ns.s = (ns.s, ns.s) %}{% endfor %}{{ {ns.s: 1} }}',
  'a deep list':
    '{% set ns = namespace(s=[]) %}{% for i in range(100000) %}{% set ns.s = [ns.s] %}{% endfor %}{{ ns.s }}',
  'a large number': '{{ 2**100000000 }}',
  'a wide format': "{{ '%1000000000d' % 1 }}",
  'a width from an argument': "{{ '%*d' % (10**9, 1) }}",
  'a wide field': "{{ '{:>1000000000}'.format(1) }}",
  'a wide centre': "{{ 'a'|center(10**9) }}",
  'a deep indent': "{{ 'a\nb'|indent(10**9) }}",
  'a deep indent of JSON': '{{ [1]|tojson(indent=10**9) }}',
  'a replacement that multiplies': '{% set a = "a" * 100000 %}{{ a|replace("a", a) }}',
  'a batch filled up': '{{ [1]|batch(10**9, 0)|list }}',
  'many slices': '{{ [1]|slice(10**9)|list }}',
  'endless output': '{% set a = "x" * 1000000 %}{% for i in range(100000) %}{{ a }}{% endfor %}',
  'many searches of a long text':
    '{% set s = "a" * 10000000 %}{% for x in range(100000) %}{{ s.count("b") }}{% endfor %}',
  'many comparisons of a long text':
    '{% set s = "a" * 10000000 %}{% for x in range(100000) %}{{ s.upper() == s }}{% endfor %}',
  'deep parentheses': `{{ ${'('.repeat(many)}1${')'.repeat(many)} }}`,
  'deep brackets': `{{ ${'['.repeat(many)}${']'.repeat(many)} }}`,
  'a long sum': `{{ 1${'+1'.repeat(many)} }}`,
  'a long path': `{{ a${'.b'.repeat(many)} }}`,
  'a long chain of filters': `{{ a${'|trim'.repeat(many)} }}`,
  'a long negation': `{{ ${'not '.repeat(many)}1 }}`,
  'a long row of conditions': `{{ 1${' if 1'.repeat(many)} }}`,
  'deep statements': `${'{% if 1 %}'.repeat(many)}${'{% endif %}'.repeat(many)}`,
  'comments that never end': '{#'.repeat(many),
  'white space that never ends': `{%${' '.repeat(many)}x`,
}

describe('a hostile template ends with an error, soon', () => {
  test.each(Object.entries(endless))('%s', (_, source) => {
    const compiled = compileTemplate(scaled(source))
    const result = compiled.type === 'error' ? compiled : compiled.template.render({}, { limits: testLimits })
    expect(result).toMatchObject({ type: 'error', message: expect.stringMatching(/./) })
  })

  test('the default limits end loops in loops', () => {
    const compiled = compileTemplate(endless['loops in loops'] ?? '')
    const result = compiled.type === 'error' ? compiled : compiled.template.render({})
    expect(result).toMatchObject({ type: 'error', reason: 'budget' })
  })

  test('markup that no tag closes takes time in step with its length', () => {
    const compiled = compileTemplate("{{ ('<'*200000)|striptags|length }} {{ ('<!--'*50000)|striptags|length }}")
    const result = compiled.type === 'error' ? compiled : compiled.template.render({})
    expect(result).toMatchObject({ type: 'text', text: '200000 200000' })
  })

  test('the limits are the caller’s', () => {
    const compiled = compileTemplate('{% for i in range(100) %}{{ i }}{% endfor %}')
    if (compiled.type === 'error') throw new Error(compiled.message)
    expect(compiled.template.render({}, { limits: { steps: 50 } })).toMatchObject({ reason: 'budget' })
    expect(compiled.template.render({}, { limits: { output: 50 } })).toMatchObject({ reason: 'budget' })
    expect(compiled.template.render({}, { limits: { steps: 1000, output: 190 } })).toMatchObject({ type: 'text' })
  })
})

/** Names that every object of JavaScript has: nothing of them is there. */
const names = ['constructor', '__proto__', 'prototype', 'toString', 'hasOwnProperty', 'valueOf']
const places = [
  'NAME',
  "''.NAME",
  '{}.NAME',
  "{}['NAME']",
  '[].NAME',
  '(1).NAME',
  'namespace().NAME',
  'range.NAME',
  'messages.NAME',
]

describe('no way out of the template', () => {
  test.each(names.flatMap((name) => places.map((place) => place.replace('NAME', name))))('%s is nothing', (source) => {
    const compiled = compileTemplate(`{{ (${source}) is defined }}`)
    const result = compiled.type === 'error' ? compiled : compiled.template.render({ messages: [{}] })
    expect(result).toMatchObject({ type: 'text', text: 'False' })
  })

  test.each([
    "{{ ''.constructor.constructor('return 1')() }}",
    "{{ ''|constructor }}",
    '{{ 1 is constructor }}',
    '{% constructor %}',
    "{{ '%(constructor)s' % {} }}",
    "{{ '{constructor}'.format() }}",
    '{{ f(__proto__=1) }}',
  ])('%s is an error', (source) => {
    const compiled = compileTemplate(source)
    expect((compiled.type === 'error' ? compiled : compiled.template.render({})).type).toBe('error')
  })

  test('variables named like them are variables only', () => {
    const compiled = compileTemplate('{{ constructor }} {{ d.__proto__ }} {{ d|tojson }}')
    const variables: unknown = JSON.parse('{"constructor": 1, "d": {"__proto__": 2}}')
    if (compiled.type === 'error' || typeof variables !== 'object' || variables === null) throw new Error('no template')
    expect(compiled.template.render({ ...variables })).toMatchObject({ text: '1 2 {"__proto__": 2}' })
    expect(Object.prototype).not.toHaveProperty('x')
  })
})
