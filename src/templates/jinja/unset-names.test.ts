import { describe, expect, test } from 'vitest'
import { renderPlain } from '../../../test/support/templates/rendering.ts'

/** The results of Jinja2 3.1.6 on Python 3.11, set up as Transformers sets it up, with the variables of `test-rendering.ts`. */
const texts: readonly [string, string][] = [
  ["{% for c in '' %}x{% else %}none{% endfor %}", 'none'],
  ['{% for x in l %}{% if loop.first %}{% break %}{% endif %}{% else %}else{% endfor %}', 'else'],
  ['{% for x in l %}{% continue %}{% else %}else{% endfor %}', 'else'],
  ['{% for x in l %}{{ x }}{% if x == 1 %}{% break %}{% endif %}{% else %}else{% endfor %}', '31'],
  ['{% set s %}{{ s }}-{% endset %}{{ s }}', '-'],
  ['{{ s|length }}{% set s %}{{ s|length }}{% endset %}|{{ s }}', '13|13'],
  ['{% for x in l %}{{ s|length }}{% endfor %}{% set s = 1 %}{{ s }}', '0001'],
  ['{% for x in l %}{{ i }}{% endfor %}{% if n %}{% set i = 1 %}{% endif %}{{ i }}', '7777'],
  ['{% if n %}{% set i = 1 %}{% elif t %}{% set i = 2 %}{% else %}{% set i = 3 %}{% endif %}{{ i }}', '2'],
  ['{% macro f() %}[{{ i }}]{% endmacro %}{{ f() }}{% set i = 1 %}{{ f() }}', '[][1]'],
  ['{% macro f(i=i) %}[{{ i }}]{% endmacro %}{{ f() }}{{ f(2) }}', '[][2]'],
  ['{% for x in l %}{% set i = i + x %}{{ i }};{% endfor %}{{ i }}', '10;8;9;7'],
  ['{% with i = i + 1 %}{{ i }}{% endwith %}{{ i }}', '87'],
  ["{% filter upper %}{{ s }}{% endfilter %}{% set s = 'a' %}{{ s }}", 'a'],
  ['{% for x in l %}{% for y in [1] %}{{ i }}{% endfor %}{% set i = 9 %}{% endfor %}{{ i }}', '7777'],
  ['{% if t %}{% for x in [1] %}<{{ i }}>{% endfor %}{% set i = 2 %}{% endif %}{{ i }}', '<7>2'],
]

describe('scopes', () => {
  test.each(texts)('%s', (source, text) => {
    expect(renderPlain(source)).toEqual({ type: 'text', text })
  })
})
