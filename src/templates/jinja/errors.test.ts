import { describe, expect, test } from 'vitest'
import { renderPlain } from '../../../test/support/templates/rendering.ts'

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
  ['{{ nope|int }}', "'nope' is undefined", 1],
  ['{{ e|first|float }}', 'No first item, sequence was empty.', 1],
  ['{{ dict(nope) }}', "'nope' is undefined", 1],
  ["{{ nope|attr('x') }}", "'nope' is undefined", 1],
  ['{{ dict.get([1], 0) }}', "descriptor 'get' for 'dict' objects doesn't apply to a 'list' object", 1],
  ['{{ dict.get() }}', 'unbound method dict.get() needs an argument', 1],
  ['{{ dict.fromkeys([[]]) }}', "unhashable type: 'list'", 1],
  ["{{ dict(['abc']) }}", 'dictionary update sequence element #0 has length 3; 2 is required', 1],
  ['{% filter length %}ab{% endfilter %}', 'what a filter block gives must be text', 1],
  ['{{ range(3).index(9) }}', 'the value is not in range', 1],
  ['{{ range(3) * 2 }}', "unsupported operand type(s) for *: 'range' and 'int'", 1],
  ['{{ 2.5 ** 5000 }}', "(34, 'Numerical result out of range')", 1],
  ["{{ '%c' % none }}", '%c requires int or char', 1],
  ["{{ 'x' % 1 }}", 'not all arguments converted during string formatting', 1],
  ["{{ '{:>5}'.format(none) }}", 'unsupported format string passed to NoneType.__format__', 1],
  ["{{ '{:>5}'.format(l) }}", 'unsupported format string passed to list.__format__', 1],
  ["{{ '{:d}'.format('a') }}", "Unknown format code 'd' for object of type 'str'", 1],
  ["{{ '{:+}'.format('a') }}", 'Sign not allowed in string format specifier', 1],
  ["{{ '{:,}'.format('a') }}", "Cannot specify ',' with 's'.", 1],
  ["{{ l|truncate(0, true, '', 0) }}", "'list' object cannot be truncated", 1],
  ['{{ 5|truncate(9) }}', "object of type 'int' has no len()", 1],
  ['{{ 5|wordwrap }}', "'int' object has no attribute 'splitlines'", 1],
  ['{{ n is none[0] }}', 'test_none() takes 1 positional argument but 2 were given', 1],
  ["{{ s.splitlines('x') }}", "'str' object cannot be interpreted as an integer", 1],
  ['{{ l|urlencode }}', "'int' object is not iterable", 1],
  [
    "{{ {'a': none, 'b': none}|dictsort(by='value') }}",
    "'<' not supported between instances of 'NoneType' and 'NoneType'",
    1,
  ],
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
