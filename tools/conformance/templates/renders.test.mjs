// @ts-check
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { safeLoadTemplate, safeRenderTemplate } from '../../../src/templates/index.ts'
import { testLibrary } from '../library/test-library.mjs'
import { renders } from './renders.mjs'

const library = { ...testLibrary, safeLoadTemplate, safeRenderTemplate }

/**
 * A folder with one template and one conversation.
 * @param {string} template
 * @param {Record<string, unknown>} expected
 */
function folderOf(template, expected) {
  const folder = mkdtempSync(join(tmpdir(), 'renders-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const part of ['renders', 'templates']) mkdirSync(join(folder, part))
  const cases = { user: { messages: [{ role: 'user', content: 'Hi' }] }, none: { messages: [] } }
  writeFileSync(join(folder, 'render-cases.json'), JSON.stringify(cases))
  writeFileSync(join(folder, 'templates', 'a.jinja'), template)
  writeFileSync(join(folder, 'renders', 'a.json'), JSON.stringify(expected))
  return folder
}

const template = "{% if not messages %}{{ raise_exception('none') }}{% endif %}{{ bos_token }}{{ messages[0].content }}"

describe('renders', () => {
  it('counts texts and refusals that are as Python has them', () => {
    const folder = folderOf(template, { user: { text: '<s>Hi' }, none: { error: 'none' } })
    expect(renders.score(folder, library)).toMatchObject({ passed: 2, total: 2, files: { 'a.json': { passed: 2 } } })
  })

  it('tells what differs', () => {
    const folder = folderOf(template, { user: { text: 'Hi' }, none: { text: '' } })
    const differences = renders.score(folder, library)?.failures.map((failure) => failure.differences[0])
    expect(differences).toEqual([
      { what: 'text', expected: 'Hi', got: '<s>Hi' },
      { what: 'error', note: 'none' },
    ])
  })

  it('counts a text where a refusal was due, and a template that is none', () => {
    expect(renders.score(folderOf('x', { user: { error: 'no' } }), library)?.passed).toBe(0)
    expect(renders.score(folderOf('{% if %}', { user: { text: '' } }), library)?.passed).toBe(0)
  })

  it('scores nothing where there are no renders, or the library renders none', () => {
    expect(renders.score(folderOf(template, {}), testLibrary)).toBeUndefined()
    expect(renders.score(tmpdir(), library)).toBeUndefined()
  })
})

const shared = fileURLToPath(new URL('../../../../shared/conformance/', import.meta.url))

describe.skipIf(!existsSync(join(shared, 'renders')))(
  'the renders of Python (skipped where the folder with them is absent)',
  () => {
    it('are all met', () => {
      const score = renders.score(shared, library)
      expect(score?.failures.map(({ id }) => id)).toEqual([])
      expect(score?.total).toBeGreaterThan(0)
    })
  },
)
