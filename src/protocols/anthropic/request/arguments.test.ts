import { describe, expect, it } from 'vitest'
import { AnycallError } from '../../../conversation/index.ts'
import { NoticeList } from '../../notices.ts'
import { readArguments } from './arguments.ts'

function read(input: unknown): { json: string; codes: string[] } {
  const notices = new NoticeList()
  const json = readArguments(input, 'input', notices)
  return { json, codes: notices.list.map((notice) => notice.code) }
}

describe('the input of a tool_use as arguments', () => {
  it.each<[string, unknown, string]>([
    ['an object', { b: 1, a: ['x'] }, '{"b":1,"a":["x"]}'],
    ['a string that is a JSON object, as it is written', '{"n": 12345678901234567890}', '{"n": 12345678901234567890}'],
    ['what Claude Code could not parse', { __unparsedToolInput: { raw: '{"path": "/a', len: 12 } }, '{"path": "/a'],
    ['a tool that has a field of that name', { __unparsedToolInput: 'x' }, '{"__unparsedToolInput":"x"}'],
    [
      'a field of that name beside others',
      { __unparsedToolInput: { raw: 'r' }, a: 1 },
      '{"__unparsedToolInput":{"raw":"r"},"a":1}',
    ],
    ['__proto__ as a plain key', JSON.parse('{"__proto__":{"x":1}}'), '{"__proto__":{"x":1}}'],
  ])('%s', (_name, input, json) => {
    expect(read(input)).toEqual({ json, codes: [] })
  })

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a number', 5],
    ['an array', [{ a: 1 }]],
    ['a string that is not JSON', 'ls -l'],
    ['a string that is JSON but no object', '[1]'],
  ])('%s becomes {} with a notice', (_name, input) => {
    expect(read(input)).toEqual({ json: '{}', codes: ['input-repaired'] })
  })

  it('refuses what is nested too deeply to be written again', () => {
    const depth = 100_000
    const deep: unknown = JSON.parse(`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`)
    expect(() => read(deep)).toThrow(AnycallError)
    expect(() => read(deep)).toThrow(/^input: nested too deeply/)
  })
})
