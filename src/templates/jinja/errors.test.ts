import { describe, expect, test } from 'vitest'
import { renderPlain } from './test-rendering.ts'

/** In Python's words, which people can look up; with the line. */
const refusals: readonly [source: string, message: string, line: number][] = [
  ['{{ nope.x }}', "'nope' is undefined", 1],
  ["a\n{{ d.nope + 'x' }}", "'dict object' has no attribute 'nope'", 2],
  ['a\n\n{{ l.append(1) }}', "access to attribute 'append' of 'list' object is unsafe.", 3],
  ["{{ 'a' + n }}", 'can only concatenate str (not "NoneType") to str', 1],
  ['{{ n[0].x }}', 'None has no element 0', 1],
  ['{{ s.items() }}', "'str object' has no attribute 'items'", 1],
  ['{{ s|items|list }}', 'Can only get item pairs from a mapping.', 1],
  ['{{ n|length }}', "object of type 'NoneType' has no len()", 1],
  ["{{ l|map('string')|tojson }}", 'Object of type generator is not JSON serializable', 1],
  ["{{ 'a' in n }}", "argument of type 'NoneType' is not iterable", 1],
  ['{% for x in n %}{% endfor %}', "'NoneType' object is not iterable", 1],
  ['{% if t %}{{ s|from_json }}{% endif %}', "No filter named 'from_json' found.", 1],
  ["{% macro f() %}\n{{ raise_exception('no') }}\n{% endmacro %}\n{{ f() }}", 'no', 2],
  ['{% macro f(a) %}{% endmacro %}\n{{ f(b=1) }}', "macro 'f' takes no keyword argument 'b'", 2],
]

describe('errors', () => {
  test.each(refusals)('%s', (source, message, line) => {
    expect(renderPlain(source)).toMatchObject({ type: 'error', message, line })
  })

  test.each([
    ['{{ raise_exception("x") }}', 'refused'],
    ['{{ 1 + }}', 'syntax'],
    ['{{ 1 / 0 }}', 'failed'],
    ['{{ "x" * 10**9 }}', 'budget'],
  ])('%s: the reason is %s', (source, reason) => expect(renderPlain(source)).toMatchObject({ type: 'error', reason }))
})
