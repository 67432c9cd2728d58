import { describe, expect, test } from 'vitest'
import { testLimits } from '../../../../../test/support/templates/limits.ts'
import { compileTemplate } from '../../template.ts'

function render(source: string, mutable: boolean): string {
  const compiled = compileTemplate(source)
  const result =
    compiled.type === 'error' ? compiled : compiled.template.render({ l: [1, 2] }, { mutable, limits: testLimits })
  return result.type === 'text' ? result.text : result.message
}

const changes: readonly [source: string, text: string][] = [
  ['{% set _ = l.append(3) %}{{ l }}', '[1, 2, 3]'],
  ['{% set _ = l.extend([3, 4]) %}{{ l }}', '[1, 2, 3, 4]'],
  ['{% set _ = l.insert(1, 0) %}{{ l }}', '[1, 0, 2]'],
  ['{{ l.pop() }}{{ l }}', '2[1]'],
  ['{{ l.pop(0) }}{{ l }}', '1[2]'],
  ['{{ [].pop() }}', 'pop index out of range'],
  ['{% set _ = l.reverse() %}{{ l }}', '[2, 1]'],
  ['{% set _ = l.clear() %}{{ l }}', '[]'],
  ['{% set c = l.copy() %}{% set _ = c.append(3) %}{{ l }}', '[1, 2]'],
  ['{% set d = {"a": 1} %}{% set _ = d.update({"b": 2}, c=3) %}{{ d }}', "{'a': 1, 'b': 2, 'c': 3}"],
  ['{% set d = {"a": 1} %}{{ d.pop("a") }}{{ d }}{{ d.pop("a", 5) }}', '1{}5'],
  ['{% set d = {} %}{{ d.setdefault("a", 1) }}{{ d.setdefault("a", 2) }}{{ d }}', "11{'a': 1}"],
]

describe('changing lists and dictionaries', () => {
  test.each(changes)('%s', (source, text) => expect(render(source, true)).toBe(text))

  test.each(changes)('%s is refused where nothing may change', (source) => {
    expect(render(source, false)).toMatch(/^access to attribute '\w+' of '(?:list|dict)' object is unsafe\.$/)
  })

  test.each(['{% set _ = l.append(l) %}{{ l }}', '{% for x in l %}{% set _ = l.append(x) %}{% endfor %}'])(
    '%s ends',
    (source) => expect(render(source, true)).toMatch(/recursion|steps/),
  )
})
