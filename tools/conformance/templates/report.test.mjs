// @ts-check
import { expect, it, onTestFinished } from 'vitest'
import { runConformance } from '../command.mjs'
import { folderOf, testTemplateLibrary } from '../library/test-templates.mjs'

const request = { messages: [{ role: 'user', content: 'Hi' }], tools: [] }
const vector = { id: 'v', request, output: 'x', truncated: false, expect: { content: 'x', tool_calls: [] } }

/** @param {string[]} args */
function run(...args) {
  const folder = folderOf({ a: 'sparse', b: 'broken', c: 'plain' }, { a: [vector], b: [vector] }, onTestFinished)
  /** @type {string[]} */
  const out = []
  const code = runConformance([folder, ...args], testTemplateLibrary, { out: (text) => out.push(text), err: () => {} })
  expect(code).toBe(0)
  return out
}

it('tells of all templates together what reads them', () => {
  expect(run('--only', 'vectors').at(-1)).toMatch(
    /^3 templates: 1 inferred, 1 none, 1 prompted; all probes passed by 1; analysed in \d+ ms \(median\), \d+ ms \(worst\)$/,
  )
})

it('tells of each template what was found, and how it scored', () => {
  const lines = run('--templates', '--random', '3')
  const [title, scores, note] = lines.slice(lines.indexOf('a: inferred; JSON in brackets'))
  expect(title).toBe('a: inferred; JSON in brackets')
  expect(scores).toMatch(/^ {2}probes 2\/2, vectors 1\/1, round trip \d+\/\d+, analysed in \d+ ms$/)
  expect(note).toMatch(/^ {2}not shown: null members \(\d+\)$/)
  expect(lines).toContain('b: none; it is broken')
  expect(lines.slice(lines.indexOf('c: prompted; no calls')).slice(1, 3)).toEqual([
    expect.stringMatching(/^ {2}probes 1\/2, analysed in/),
    '  probe calls: there are none',
  ])
})

it('tells it as JSON', () => {
  const { vectors, templates } = JSON.parse(run('--only', 'vectors', '--templates', '--json').join('\n'))
  expect(vectors).toMatchObject({ passed: 1, total: 2 })
  expect(templates).toMatchObject([
    { name: 'a', handler: 'inferred', vectors: { passed: 1, total: 1 } },
    { name: 'b', handler: 'none', hypothesis: 'it is broken' },
    { name: 'c', handler: 'prompted', failed: ['calls: there are none'] },
  ])
})
