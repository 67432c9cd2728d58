import { describe, expect, test } from 'vitest'
import { paint, type ScreenOptions, screenOf, shown } from './terminal.ts'

describe('screenOf', () => {
  const terminal: ScreenOptions = { flag: undefined, env: {}, isTerminal: true }
  const pipe: ScreenOptions = { ...terminal, isTerminal: false }
  test.each<[string, ScreenOptions, boolean]>([
    ['a terminal', terminal, true],
    ['a pipe', pipe, false],
    ['a terminal that cannot', { ...terminal, env: { TERM: 'dumb' } }, false],
    ['NO_COLOR', { ...terminal, env: { NO_COLOR: '1' } }, false],
    ['an empty NO_COLOR', { ...terminal, env: { NO_COLOR: '' } }, true],
    ['FORCE_COLOR', { ...pipe, env: { FORCE_COLOR: '1' } }, true],
    ['an empty FORCE_COLOR', { ...pipe, env: { FORCE_COLOR: '' } }, true],
    ['FORCE_COLOR=0', { ...terminal, env: { FORCE_COLOR: '0' } }, false],
    ['FORCE_COLOR over NO_COLOR', { ...pipe, env: { FORCE_COLOR: '1', NO_COLOR: '1' } }, true],
    ['--color over NO_COLOR', { ...pipe, flag: true, env: { NO_COLOR: '1' } }, true],
    ['--no-color over FORCE_COLOR', { ...terminal, flag: false, env: { FORCE_COLOR: '1' } }, false],
  ])('%s', (_, options, colour) => {
    expect(screenOf(options)).toEqual({ colour, guarded: colour || options.isTerminal, width: 100 })
  })
})

test.each<[columns: number | undefined, isTerminal: boolean, width: number]>([
  [120, true, 120],
  [20, true, 60],
  [400, true, 160],
  [undefined, true, 100],
  [120, false, 100],
])('a screen of %s columns (terminal: %s) has tables of %d', (columns, isTerminal, width) => {
  expect(screenOf({ env: {}, isTerminal, columns: () => columns }).width).toBe(width)
})

test('paint closes what it opens, and leaves text alone without colours', () => {
  expect(paint('a', 'red', { colour: true, guarded: true, width: 100 })).toBe('\u001b[31ma\u001b[0m')
  expect(paint('a', 'plain', { colour: true, guarded: true, width: 100 })).toBe('a')
  expect(paint('', 'red', { colour: true, guarded: true, width: 100 })).toBe('')
  expect(paint('a', 'red', { colour: false, guarded: true, width: 100 })).toBe('a')
})

test('shown shows what would steer a terminal, and only that', () => {
  const text = '\u0000\u001b[31m\u0007\r\u007f\u009b \t\né€😀'
  expect(shown(text, { colour: false, guarded: true, width: 100 })).toBe('␀␛[31m␇␍␡\ufffd \t\né€😀')
  expect(shown(text, { colour: false, guarded: false, width: 100 })).toBe(text)
})

test('shown shows the codes of what changes the direction or has no width, and leaves what joins letters', () => {
  const text = 'a\u202eb\u200b\u2066c\ufeff\u{e0041}👩\u200d💻é'
  expect(shown(text, { colour: false, guarded: true, width: 100 })).toBe(
    'a\\u202eb\\u200b\\u2066c\\ufeff\\u{e0041}👩\u200d💻é',
  )
  expect(shown(text, { colour: false, guarded: false, width: 100 })).toBe(text)
})
