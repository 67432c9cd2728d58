import { describe, expect, test } from 'vitest'
import { renderPlain } from '../../../test/support/templates/rendering.ts'

/** The results of Jinja2 3.1.6 on Python 3.11, set up as Transformers sets it up, with the variables of `test-rendering.ts`. */
const texts: readonly [string, string][] = [
  [
    '{{ range(5, 0, -2) }}|{{ range(-4) }}|{{ range(9)[2:7:2] }}|{{ range(3)[1] }}|{{ range(3)[-1] }}|{{ range(3)[7] }}',
    'range(5, 0, -2)|range(0, -4)|range(2, 7, 2)|1|2|',
  ],
  ['{{ range(1, 9, 2).index(5) }}|{{ range(3).count(1) }}|{{ range(3).count(5) }}|{{ range(2, 5).stop }}', '2|1|0|5'],
  ['{{ range(3)[::-1]|list }}', '[2, 1, 0]'],
  [
    '{{ 2.5 % -1 }}|{{ 2.0 % -1 }}|{{ -2.0 % 1 }}|{{ -1.0 // 10 }}|{{ 0.0 // -3 }}|{{ 7.5 // 0.1 }}|{{ -10.0 // 0.0000001 }}',
    '-0.5|-0.0|0.0|-1.0|-0.0|74.0|-100000001.0',
  ],
  [
    "{{ 0.5|round }}|{{ 1.5|round }}|{{ -0.5|round|int }}|{{ -1.5|round }}|{{ 25|round(-1) }}|{{ 35.0|round(-1) }}|{{ -0.2|round(0, 'ceil') }}",
    '0.0|2.0|0|-2.0|20|40.0|0.0',
  ],
]

describe('ranges and numbers', () => {
  test.each(texts)('%s', (source, text) => {
    expect(renderPlain(source)).toEqual({ type: 'text', text })
  })
})
