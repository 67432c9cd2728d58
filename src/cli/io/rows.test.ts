import { expect, test } from 'vitest'
import { type Row, rowsText } from './rows.ts'

const indent = ' '.repeat(11)
const deep = ' '.repeat(27)

test.each<[string, Row[], string]>([
  ['a title', [{ title: 'turn', text: 'one' }], 'turn       one\n'],
  ['a name', [{ title: 'turn', name: 'ends', text: 'one' }], 'turn       ends            one\n'],
  ['a name without a title', [{ name: 'ends', text: 'one' }], `${indent}ends            one\n`],
  [
    'a long name moves the texts of all',
    [
      { name: 'a name of 20 letters', text: 'one' },
      { name: 'b', text: 'two' },
    ],
    `${indent}a name of 20 letters  one\n${indent}b                     two\n`,
  ],
  [
    'a text is broken between words',
    [{ name: 'n', text: `${'a'.repeat(40)} ${'b'.repeat(32)} c` }],
    `${indent}n               ${'a'.repeat(40)} ${'b'.repeat(32)}\n${deep}c\n`,
  ],
  [
    'code that does not fit is broken after its line breaks, and no blank of it is lost',
    [{ name: 'n', code: `"${'a'.repeat(60)}  \\n${'b'.repeat(20)}\\n"` }],
    `${indent}n               "${'a'.repeat(60)}  \\n\n${deep}${'b'.repeat(20)}\\n"\n`,
  ],
  [
    'code without line breaks is broken anywhere',
    [{ name: 'n', code: 'a'.repeat(80) }],
    `${indent}n               ${'a'.repeat(73)}\n${deep}${'a'.repeat(7)}\n`,
  ],
  ['code that fits stays in its line', [{ name: 'n', code: '"a\\nb"' }], `${indent}n               "a\\nb"\n`],
  [
    'items are in as many columns as fit',
    [{ items: ['a'.repeat(30), 'b', 'c'] }],
    `${indent}${'a'.repeat(30)}  b\n${indent}c\n`,
  ],
  [
    'lines are left as they are',
    [{ title: 't', lines: ['x'.repeat(120), '', 'y'] }],
    `t          ${'x'.repeat(120)}\n\n${indent}y\n`,
  ],
])('%s', (_, rows, expected) => expect(rowsText(rows, { colour: false, guarded: false, width: 100 })).toBe(expected))

test('texts are wrapped at the width of the screen, and a style takes no room', () => {
  const rows: Row[] = [{ title: 'call', name: 'ok', style: 'green', text: `${'a'.repeat(30)} ${'b'.repeat(10)}` }]
  const screen = { colour: true, guarded: true, width: 60 }
  expect(rowsText(rows, screen)).toBe(
    `call       \u001b[32mok\u001b[0m              ${'a'.repeat(30)}\n${deep}${'b'.repeat(10)}\n`,
  )
})
