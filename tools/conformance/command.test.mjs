// @ts-check
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { runConformance } from './command.mjs'
import { testLibrary } from './library/test-library.mjs'

/** @import { Library } from './library/types.ts' */

const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
const empty = join(folder, 'empty')
const ratchet = join(folder, 'ratchet.json')
mkdirSync(join(folder, 'texts'))
mkdirSync(empty)
const cases = [
  { id: 'good', output: 'x', expect: { content: 'x' } },
  { id: 'bad', source: 'there', output: 'xy', expect: { content: 'x' }, options: { odd: 1 } },
]
writeFileSync(join(folder, 'texts', 'a.json'), JSON.stringify(cases))
afterAll(() => rmSync(folder, { recursive: true }))

/**
 * @param {string[]} args
 * @param {Library} [library]
 */
function run(args, library = testLibrary) {
  /** @type {string[]} */
  const out = []
  /** @type {string[]} */
  const err = []
  const code = runConformance(args, library, { out: (text) => out.push(text), err: (text) => err.push(text) })
  return { code, out: out.join('\n'), err: err.join('\n') }
}

/**
 * @param {object} numbers
 * @param {string[]} more
 */
function runWithRatchet(numbers, ...more) {
  writeFileSync(ratchet, JSON.stringify(numbers))
  return run([folder, '--ratchet', ratchet, ...more])
}

describe('conformance', () => {
  it('prints a line for each file', () => {
    const { code, out, err } = run([folder])
    expect(code).toBe(0)
    expect(out.split('\n').map((line) => line.split(/\s+/).slice(0, 2))).toEqual([
      ['texts/a.json', '1/2'],
      ['texts', '1/2'],
    ])
    expect(err).toBe('warning: a.json, bad: its option odd: 1 is not known, and left out')
  })

  it('prints each failure with what is different', () => {
    const { out } = run([folder, '--failures'])
    expect(out).toContain(
      'bad  (a.json; there)\n  output     "xy"\n  content    expected "x"\n             got      "xy"\n',
    )
    expect(out).not.toContain('good')
  })

  it('prints one JSON object', () => {
    const { code, out } = run([folder, '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toEqual({
      texts: { passed: 1, total: 2, failed: ['bad'], files: { 'a.json': { passed: 1, total: 2 } } },
    })
    const [failure] = JSON.parse(run([folder, '--json', '--failures']).out).texts.failures
    expect(failure).toMatchObject({ id: 'bad', file: 'a.json', differences: [{ what: 'content' }] })
  })

  it.each([
    [[join(folder, 'none')], 'is not a folder'],
    [[join(folder, 'texts', 'a.json')], 'is not a folder'],
    [[empty], 'has no texts, no renders'],
    [[folder, '--only', 'vectors'], 'has no vectors, or the library has nothing for them'],
    [[], 'Usage'],
    [[folder, '--only', 'poems'], 'there is no section poems; there are texts,'],
    [[folder, '--loud'], '--loud'],
    [[folder, '--ratchet-write'], 'needs --ratchet FILE'],
    [[folder, '--seed', 'x'], '--seed needs a whole number, and got "x"'],
    [[folder, '--random=-1'], '--random needs a whole number'],
    [[folder, '--ratchet', join(folder, 'texts', 'a.json')], 'is not a ratchet'],
  ])('ends with 2 for %j', (args, message) => {
    const { code, out, err } = run(args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(message)
  })

  it('ends with 2 without a reader', () => {
    const { createReader: _, ...others } = testLibrary
    const { code, err } = run([folder], /** @type {Library} */ (others))
    expect(code).toBe(2)
    expect(err).toContain('the library has no createReader')
  })
})

describe('the ratchet', () => {
  it('holds where scores are as they were', () => {
    const { code, out } = runWithRatchet({ 'texts/a.json': 1, 'poems/x.json': 5 })
    expect(code).toBe(0)
    expect(out).toBe(run([folder]).out)
  })

  it('ends with 1 where a score fell', () => {
    const { code, out } = runWithRatchet({ 'texts/a.json': 2 })
    expect(code).toBe(1)
    expect(out).toContain('texts/a.json fell from 2 to 1')
  })

  it('ends with 1 where what it holds was not scored', () => {
    const { code, out } = runWithRatchet({ 'texts/a.json': 1, 'texts/b.json': 0 })
    expect(code).toBe(1)
    expect(out).toContain('texts/b.json is in the ratchet, and was not scored')
  })

  it('tells where a score rose, and leaves the file alone', () => {
    const { code, out } = runWithRatchet({ 'texts/a.json': 0 })
    expect(code).toBe(0)
    expect(out).toContain('texts/a.json rose from 0 to 1')
    expect(readFileSync(ratchet, 'utf8')).toBe('{"texts/a.json":0}')
  })

  it('is raised on request, and never lowered', () => {
    runWithRatchet({ 'vectors/x.json': 3 }, '--ratchet-write')
    expect(JSON.parse(readFileSync(ratchet, 'utf8'))).toEqual({ 'texts/a.json': 1, 'vectors/x.json': 3 })
    const { code } = runWithRatchet({ 'texts/a.json': 2 }, '--ratchet-write')
    expect(code).toBe(1)
    expect(JSON.parse(readFileSync(ratchet, 'utf8'))).toEqual({ 'texts/a.json': 2 })
  })

  it('leaves the JSON alone', () => {
    writeFileSync(ratchet, '{"texts/a.json": 2}')
    const { code, out, err } = run([folder, '--json', '--ratchet', ratchet])
    expect(code).toBe(1)
    expect(JSON.parse(out)).toHaveProperty('texts')
    expect(err).toContain('texts/a.json fell from 2 to 1')
  })
})
