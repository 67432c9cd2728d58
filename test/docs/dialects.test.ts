import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dialects } from '../../src/index.ts'

interface Row {
  name: string
  families: string
  /** A call, its lines joined. */
  example: string
}

const lineBreak = '↵'
const row = /^\| `([^`|]+)` \| (.+?) \| (`+)(.+)\3 \|$/

/** The rows of the page's table of all dialects. */
function documented(): Row[] {
  const page = readFileSync(join(import.meta.dirname, '../../docs/dialects.md'), 'utf8')
  const [section = ''] = page.split('\n## All of them\n')[1]?.split('\n## ') ?? []
  return section.split('\n').flatMap((line) => {
    const [, name, families, , code] = row.exec(line) ?? []
    if (name === undefined || families === undefined || code === undefined) return []
    const plain = (cell: string) => cell.replaceAll('\\|', '|')
    return [{ name, families: plain(families), example: plain(code) }]
  })
}

const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1)

test('docs/dialects.md lists the dialects of the registry, with whom they suit', () => {
  const expected = dialects.map(({ name, families }) => ({ name, families })).sort(byName)
  const rows = documented().map(({ name, families }) => ({ name, families }))
  expect(rows.sort(byName)).toEqual(expected)
})

test('docs/dialects.md shows a call of each as its example has it', () => {
  const examples = new Map(dialects.map(({ name, example }) => [name, example.replaceAll('\n', lineBreak).trim()]))
  const wrong = documented().filter(({ name, example }) => {
    const expected = examples.get(name)
    // The line of a trigger is one conversation's own: the table leaves it out.
    return expected !== undefined && !expected.endsWith(example.trim())
  })
  expect(wrong).toEqual([])
})
