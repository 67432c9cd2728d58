import { describe, expect, test } from 'vitest'
import { freezeList } from '../../conversation/index.ts'
import { constant } from './python/values/convert.ts'
import { compileTemplate } from './template.ts'

const tools = freezeList([
  { type: 'function', function: { name: 'get', parameters: { b: [1, { c: 2.5 }], a: 'é "q"', none: null } } },
  { type: 'function', function: { name: 'list', parameters: {} } },
])

function rendered(source: string, value: unknown, limits: { steps?: number } = {}) {
  const compiled = compileTemplate(source)
  if (compiled.type === 'error') throw new Error(compiled.message)
  return compiled.template.render({ tools: value }, { limits })
}

describe('a constant is written as a variable of its own is, the first time and again, and costs as much', () => {
  test.each([
    '{{ tools | tojson }}',
    '{{ tools | tojson(indent=2) }}',
    '{{ tools | tojson(ensure_ascii=true) }}',
    '{{ tools | tojson(sort_keys=true) }}',
    "{{ tools | tojson(separators=(',', ':')) }}",
    '{% for tool in tools %}{{ tool | tojson }}\n{{ tool.function.parameters | tojson }}\n{% endfor %}',
    '{% for tool in tools %}{{ tool.function | tojson(indent=4) }}{{ tool | tojson(indent=4) }}{{ tool | tojson }}{% endfor %}',
    '{% for key, value in tools[0].function.parameters | items %}{{ key }}={{ value | tojson }}{% endfor %}',
    '{{ {"all": tools, "one": tools[0]} | tojson(indent=2) }}',
    '{{ tools }}',
  ])('%s', (source) => {
    const own = rendered(source, tools)
    expect(own.type).toBe('text')
    const shared = constant(tools)
    for (let time = 0; time < 3; time++) expect(rendered(source, shared)).toEqual(own)
  })
})

test('a constant is made once of a list that cannot change', () => {
  expect(constant(tools)).toBe(constant(tools))
  const open = [...tools]
  expect(constant(open)).not.toBe(constant(open))
})

test('what is written of it is bounded like all else', () => {
  const large = Array.from({ length: 200 }, (_, index) => ({ name: `tool ${index}`, text: 'x'.repeat(640) }))
  const source = '{{ tools | tojson }}'
  const shared = constant(large)
  expect(rendered(source, shared).type).toBe('text')
  expect(rendered(source, shared, { steps: 1000 })).toEqual(rendered(source, large, { steps: 1000 }))
  expect(rendered(source, shared, { steps: 1000 })).toMatchObject({ type: 'error', reason: 'budget' })
})
