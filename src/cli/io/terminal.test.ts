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
    expect(screenOf(options)).toEqual({ colour, guarded: colour || options.isTerminal })
  })
})

test('paint closes what it opens, and leaves text alone without colours', () => {
  expect(paint('a', 'red', { colour: true, guarded: true })).toBe('\u001b[31ma\u001b[0m')
  expect(paint('a', 'plain', { colour: true, guarded: true })).toBe('a')
  expect(paint('', 'red', { colour: true, guarded: true })).toBe('')
  expect(paint('a', 'red', { colour: false, guarded: true })).toBe('a')
})

test('shown shows what would steer a terminal, and only that', () => {
  const text = '\u0000\u001b[31m\u0007\r\u007f\u009b \t\né€😀'
  expect(shown(text, { colour: false, guarded: true })).toBe('␀␛[31m␇␍␡\ufffd \t\né€😀')
  expect(shown(text, { colour: false, guarded: false })).toBe(text)
})
