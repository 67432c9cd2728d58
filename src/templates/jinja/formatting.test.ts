import { describe, expect, test } from 'vitest'
import { renderPlain } from '../../../test/support/templates/rendering.ts'

/** The results of Jinja2 3.1.6 on Python 3.11, set up as Transformers sets it up, with the variables of `test-rendering.ts`. */
const texts: readonly [string, string][] = [
  ["{{ '%s and %d'|format('a', 3) }}", 'a and 3'],
  ["{{ '%05.2f|%5s|%-5s|%+d'|format(3.14159,'a','b',5) }}", '03.14|    a|b    |+5'],
  ["{{ '%(a)s'|format(a=1) }}", '1'],
  ["{{ '%x %o %X %e %g %c %%'|format(255,8,255,12345.678,0.00001,'z') }}", 'ff 10 FF 1.234568e+04 1e-05 z %'],
  ["{{ '%s' % s }}", 'Hello wörld \ud83d\ude00'],
  ["{{ '%s %s' % (1,2) }}", '1 2'],
  ["{{ '%r' % s }}", "'Hello wörld \ud83d\ude00'"],
  ["{{ '%5.1f%%' % 12.345 }}", ' 12.3%'],
  ["{{ '{} {}'.format(1,2) }}", '1 2'],
  ["{{ '{0} {a} {0!r}'.format('x',a=2) }}", "x 2 'x'"],
  ["{{ '{:*^9}'.format('mid') }}", '***mid***'],
  ["{{ '{a[0]} {b.x}'.format(a=[1],b={'x':2}) }}", '1 2'],
  ["{{ '{a.__class__}'.format(a=1) }}", ''],
  [
    "{{ strftime_now('%Y-%m-%d %H:%M:%S %b %B %a %A %j %p %I %y %-d %e %U %W %u %w %D %T %F %R') }}",
    '2026-01-15 10:30:00 Jan January Thu Thursday 015 AM 10 26 15 15 02 02 4 4 01/15/26 10:30:00 2026-01-15 10:30',
  ],
  ["{{ strftime_now('%d %b %Y') }}", '15 Jan 2026'],
  ["{{ '%s'|format(n) }}", 'None'],
  ["{{ '%s'|format(nope) }}", ''],
  ["{{ '%c%c' % ('x', 65) }}", 'xA'],
  ["{{ 'x' % l }}|{{ 'x' % nope }}|{{ 'x' % d }}", 'x|x|x'],
  ["{{ '{:>6}|{:d}'.format(t, t) }}", '     1|1'],
  ["{{ '{:05}|{:s}'.format('a', 'b') }}", 'a0000|b'],
]

/** Templates that it refuses. */
const refused: readonly string[] = [
  "{{ '%s'|format }}",
  "{{ '%d'|format('x') }}",
  "{{ '%s' % (1,2) }}",
  "{{ '{'.format() }}",
  "{{ '{} {}'.format(1) }}",
]

describe('formats of Python', () => {
  test.each(texts)('%s', (source, text) => expect(renderPlain(source)).toEqual({ type: 'text', text }))
  test.each(refused)('%s is refused', (source) => expect(renderPlain(source).type).toBe('error'))
})
