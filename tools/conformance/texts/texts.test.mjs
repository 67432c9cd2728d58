// @ts-check
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { testLibrary } from '../library/test-library.mjs'
import { texts } from './texts.mjs'

const folders = mkdtempSync(join(tmpdir(), 'conformance-texts-'))
afterAll(() => rmSync(folders, { recursive: true }))
let made = 0

/** @param {Record<string, unknown>} files by name; a text is written as it is */
function scoreFiles(files) {
  const folder = join(folders, String(made++))
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, 'texts', name)
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  }
  return texts.score(folder, testLibrary)
}

/** @param {object} fields */
function scoreCase(fields) {
  const textCase = { id: 'it', source: 'here', mode: 'full', tools: ['f', 'g'], expect: {}, ...fields }
  const score = scoreFiles({ 'a.json': [textCase] })
  const what = score?.failures.flatMap(({ differences }) => differences.map((difference) => difference.what))
  return { passed: score?.passed === 1, what, failure: score?.failures[0], warnings: score?.warnings }
}

const call = { name: 'f', arguments: { a: 1 } }
const known = { name: 'g', arguments: {} }
const unknown = { name: 'h', arguments: { path: 'a\nb', n: 2 } }
const cut = { truncated: true }

/** @type {[string, boolean, object][]} */
const table = [
  ['a call as expected', true, { output: 'Hi [f {"a": 1}]', expect: { content: 'Hi', tool_calls: [call] } }],
  ['a call that is missed', false, { output: 'Hi f', expect: { content: 'Hi f', tool_calls: [call] } }],
  ['a call that nobody expected', false, { output: 'Hi [f {}]', expect: { content: 'Hi' } }],
  ['reasoning', true, { output: '(hm)Hi', expect: { content: 'Hi', reasoning_content: 'hm' } }],
  ['reasoning in content', false, { output: '(hm)Hi', expect: { content: '(hm)Hi' } }],
  ['an id that the model gave', true, { output: '[f#c1 {}]', expect: { tool_calls: [{ name: 'f', id: 'c1' }] } }],
  ['an id that was made up', false, { output: '[f {}]', expect: { tool_calls: [{ name: 'f', id: 'made-0' }] } }],
  [
    'rejected names',
    true,
    { output: '[h {}][i {}]', expect: { rejectedToolNames: ['h', 'i'], rejectedByPolicy: true } },
  ],
  ['other rejected names', false, { output: '[h {}]', expect: { rejectedToolNames: [] } }],

  ['another message that passes', true, { output: 'Hi', expect: { content: 'x' }, accept: [{ content: 'Hi' }] }],
  ['no message that passes', false, { output: 'Hi', expect: { content: 'x' }, accept: [{ content: 'y' }] }],

  [
    'an unknown call kept as text',
    true,
    { output: 'Hi [h {}]', expect: { content: 'Hi', tool_calls: [{ name: 'h' }] }, unknown_tool: true },
  ],
  [
    'an unknown call given out',
    true,
    { output: 'lax [h {}]', expect: { content: 'lax', tool_calls: [{ name: 'h' }] }, unknown_tool: true },
  ],
  [
    'an unknown call kept as text, unasked',
    false,
    { output: '[h {}]', expect: { content: '', tool_calls: [{ name: 'h' }] } },
  ],
  [
    'an unknown call beside a known one',
    true,
    {
      output: String.raw`(hm)Hi [h {"path": "a\nb", "n": 2}] there [g {}]`,
      expect: { content: 'Hi  there', reasoning_content: 'hm', tool_calls: [unknown, known] },
      unknown_tool: true,
    },
  ],
  [
    'an unknown call without a known one that was there',
    false,
    { output: '[h {}] g', expect: { content: '', tool_calls: [{ name: 'h' }, known] }, unknown_tool: true },
  ],
  [
    'an unknown call that is lost',
    false,
    { output: '(to [h {}])Hi', expect: { content: 'Hi', tool_calls: [{ name: 'h' }] }, unknown_tool: true },
  ],
  [
    'an unknown call that is lost beside prose with its name',
    false,
    { output: 'hide h [h {}][g {}]', expect: { content: 'h', tool_calls: [{ name: 'h' }, known] }, unknown_tool: true },
  ],
  [
    'an offered call kept as text',
    false,
    { output: 'f', expect: { content: '', tool_calls: [call] }, unknown_tool: true },
  ],

  ['a cut call kept as text', true, { ...cut, output: 'Hi [f {"a', expect: { content: 'Hi [f {"a' } }],
  [
    'a cut call as text, where it is expected',
    true,
    { ...cut, output: 'Hi [f {"a', expect: { content: 'Hi', tool_calls: [call] } },
  ],
  [
    'a cut call as incomplete',
    true,
    { ...cut, output: 'eager [f {"a', expect: { content: 'eager', tool_calls: [call] } },
  ],
  [
    'a cut call as incomplete, where text is expected',
    true,
    { ...cut, output: 'eager [f {"a', expect: { content: 'eager [f {"a' } },
  ],
  [
    'a cut call after a whole one',
    true,
    { ...cut, output: 'eager[f {"a": 1}][g {"', expect: { content: 'eager', tool_calls: [call, known] } },
  ],
  [
    'a cut call of another name',
    false,
    { ...cut, output: 'eager [g {"a', expect: { content: 'eager', tool_calls: [call] } },
  ],
  [
    'a cut call with other text before it',
    false,
    { ...cut, output: 'eager! [f {"a', expect: { content: 'eager [f {"a' } },
  ],
  ['a cut call that is lost', false, { ...cut, output: 'Hi', expect: { content: 'Hi', tool_calls: [call] } }],
  [
    'a whole call in a text that was cut',
    true,
    { ...cut, output: '[f {"a": 1}] and', expect: { content: 'and', tool_calls: [call] } },
  ],
  [
    'a whole call with other arguments in it',
    false,
    { ...cut, output: '[f {"a": 2}]', expect: { content: '', tool_calls: [call] } },
  ],
  [
    'a call as incomplete though nothing was cut',
    false,
    { output: 'eager [f {"a', expect: { content: 'eager', tool_calls: [call] } },
  ],
]

describe('texts', () => {
  it.each(table)('%s: %s', (_, passes, fields) => {
    expect(scoreCase(fields).passed).toBe(passes)
  })

  it('asks the reader as the case says', () => {
    const options = { naturalLanguage: true, fences: 'lenient', looseCalls: true, reasoning: 'open' }
    const tools = [{ function: { name: 'f', parameters: { type: 'object' } } }]
    const asked = {
      accept: { naturalLanguage: true, fences: 'lenient', looseCalls: true },
      reasoning: 'open',
      standalone: true,
      tools: [['f', { type: 'object' }]],
      delivery: 'whole',
      trigger: '<T>',
    }
    const { failure } = scoreCase({
      ...cut,
      output: '(show)',
      mode: 'standalone',
      tools,
      trigger: '<T>',
      options,
      expect: { content: '' },
    })
    const got = JSON.parse(failure?.differences[0]?.got ?? '')
    expect(JSON.parse(got.replace(/ length$/, ''))).toEqual(asked)
  })

  it('fails a text that is read in another way in pieces, and says in which', () => {
    const { what } = scoreCase({ output: 'jumpy!', chunks: ['jum', 'py!'], expect: { content: 'jumpy!' } })
    expect(what?.map((text) => text.replace(/ \(.*/, ''))).toEqual([
      'in its chunks',
      'by the character',
      'at random splits',
    ])
  })

  it('fails a text for which the reader gives no arguments', () => {
    const { failure } = scoreCase({ output: '[f {"a]', expect: { content: null, tool_calls: null } })
    expect(failure?.differences).toEqual([
      { what: 'fault', note: 'the arguments of the complete call of f are no JSON object' },
    ])
  })

  it('fails a text that makes the reader throw', () => {
    const { failure } = scoreCase({ output: 'boom' })
    expect(failure).toMatchObject({ id: 'it', output: 'boom', differences: [{ what: 'error', note: 'it went boom' }] })
  })

  it('scores each file, and takes what is broken for a failure', () => {
    const score = scoreFiles({
      'b.json': [{ id: 'good', output: 'x', expect: { content: 'x' } }, { id: 'bad' }, 7],
      'sub/a.json': '[',
      'c.json': '{}',
      'd.json': '\uFEFF[]',
      'e.txt': 'no cases',
    })
    expect(score?.files).toEqual({
      'b.json': { passed: 1, total: 3 },
      'c.json': { passed: 0, total: 1 },
      'd.json': { passed: 0, total: 0 },
      'sub/a.json': { passed: 0, total: 1 },
    })
    expect(score).toMatchObject({ passed: 1, total: 5 })
    expect(score?.failures.map(({ id }) => id)).toEqual(['bad', 'b.json#3', 'c.json', 'sub/a.json'])
  })

  it('has no score where there are no cases', () => {
    expect(scoreFiles({ 'a.json': [] })).toBeUndefined()
    expect(scoreFiles({})).toBeUndefined()
  })
})
