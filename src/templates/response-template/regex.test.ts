import { describe, expect, it } from 'vitest'
import { type Capture, wholeSource } from '../../grammar/index.ts'
import { translate } from './pattern.ts'
import { parseRegex } from './regex.ts'

const names: ReadonlyMap<string, Capture> = new Map([
  ['name', 'name'],
  ['key', 'key'],
])

/** Returns the match of a Python expression at the beginning of a text, found with the pattern made from it. */
function found(source: string, text: string): string | undefined {
  const parsed = parseRegex(source)
  if (parsed.type === 'error') throw new Error(parsed.why)
  const translated = translate(parsed.node, names)
  if (translated.type === 'error') throw new Error(translated.why)
  const match = new RegExp(`^${wholeSource(translated.pattern)}`).exec(text)
  if (!match) return undefined
  const { name, key } = match.groups ?? {}
  return [match[0], name, key].filter((one) => one !== undefined).join(' | ')
}

describe('expressions of response templates as patterns', () => {
  it.each<[source: string, text: string, expected: string | undefined]>([
    ['<tool_call>\\s*<function=(?P<name>\\w+)>', '<tool_call>\n<function=f>x', '<tool_call>\n<function=f> | f'],
    ['<tool_call>\\s*<function=(?P<name>\\w+)>', '<tool_call>\n<function=>', undefined],
    ['(?P<name>\\w+)>', 'get-the.weather>', 'get-the.weather> | get-the.weather'],
    ['(?<name>\\w+)=', 'été=', 'été= | été'],
    ['(?P<name>[A-Za-z_][A-Za-z0-9_.]*)<', 'a.b<', 'a.b< | a.b'],
    ['(?P<name>\\S+)<', 'f<g<', 'f< | f'],
    ['(?P<name>[^"]+)"', 'a b"c"', 'a b" | a b'],
    ['f.*?<\\|message\\|>', 'f <|constrain|>json<|message|>{}<|message|>', 'f <|constrain|>json<|message|>'],
    ['a.*b', 'a\nb\nb.', 'a\nb\nb'],
    ['(?:<think>|<reason>)\\n?', '<reason>\n\n', '<reason>\n'],
    ['(?:^|<think>\\s*)', '<think> x', '<think> '],
    // The start that the prompt has opened needs no pattern.
    ['(?:^|<think>\\s*)', 'x', undefined],
    ['</a>|\\Z', '</a>', '</a>'],
    ['<\\|user\\|>\\s*|$', '<|user|>\n', '<|user|>\n'],
    ['[\\[{]x[\\]}]', '[x}', '[x}'],
    ['[]a-c-]+', ']b-', ']b-'],
    ['[^\\s\\-]+', 'a^b c', 'a^b'],
    ['[\\d,]{2,3}', '1,2,3', '1,2'],
    ['\\x3ca\\u003e', '<a>', '<a>'],
    ['a{3}b', 'aaab', 'aaab'],
    ['(?:ab){2}', 'abab', 'abab'],
    ['(?:ab){2}', 'ab', undefined],
    ['<(?P<key>\\w+)>(?=\\s*x)', '<a> x', '<a> | a'],
    ['<(?P<key>\\w+)>(?!x)', '<a>x', undefined],
    ['(?s)a.b', 'a\nb', 'a\nb'],
    ['a++b', 'aaab', 'aaab'],
    ['(?>ab)c', 'abc', 'abc'],
    ['<invoke\\b[^>]*?\\bname="(?P<name>[^"]+)">', '<invoke id="1" name="f">', '<invoke id="1" name="f"> | f'],
    ['x(?:(?!</c>).)*y', 'x12y', 'x12y'],
    ['{"name":', '{"name":', '{"name":'],
  ])('%s finds in %j: %j', (source, text, expected) => {
    expect(found(source, text)).toBe(expected)
  })

  it('gives every repetition an end', () => {
    expect(found('a.*b', `a${'x'.repeat(64)}b`)).toBeDefined()
    expect(found('a.*b', `a${'x'.repeat(65)}b`)).toBeUndefined()
    expect(found('\\s*\\s*\\s*b', `${' '.repeat(65)}b`)).toBeUndefined()
  })

  it.each([
    '(',
    ')',
    '[',
    '[a',
    'a**',
    '*',
    'a{3,2}',
    'a\\',
    '(?P<>x)',
    '(?P<a',
    '(?',
    '\\q',
    '[b-a]',
    '(?<=a)b',
    '(?(1)a)',
    '(?R)',
    '[[:alpha:]]',
    '\\1',
    '(?P=name',
  ])('says why %s is not read', (source) => {
    const parsed = parseRegex(source)
    expect(parsed.type === 'error' && parsed.why).toMatch(/^(?:it|a) /)
  })
})
