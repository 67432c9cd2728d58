import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** The pages that people read. */
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
].filter((page) => existsSync(join(root, page)))

/** The folders to which paths on a page are relative, in addition to the root, as the page declares. */
const bases: Readonly<Record<string, readonly string[]>> = {
  'docs/architecture.md': ['src'],
  'docs/internals/reader.md': ['src', 'src/dialects/read/reply'],
  'docs/internals/walks.md': ['src'],
  'docs/internals/template-analysis.md': ['src/templates', 'src/templates/analysis/calls'],
}

/** On any page: paths in a folder of the project. Other paths may be a user's own. */
const paths = /`((?:src|test|tools|docs)\/[\w./-]+)`/g
/** On pages about the structure of the project: every text that looks like a file or a folder. */
const structurePaths = /`([\w.-]+(?:\/[\w.-]+)*(?:\.m?ts|\/))`/g

function named(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8')
  const found = [...text.matchAll(paths), ...(bases[page] ? text.matchAll(structurePaths) : [])]
  return [...new Set(found.map(([, path = '']) => path))]
}

describe.each(pages)('%s', (page) => {
  test('names paths that exist', () => {
    const missing = named(page).filter(
      (path) => !['.', ...(bases[page] ?? [])].some((base) => existsSync(join(root, base, path))),
    )
    expect(missing).toEqual([])
  })

  test('links to files and headings that exist', () => {
    const text = readFileSync(join(root, page), 'utf8').replace(/^```[\s\S]*?^```$/gm, '')
    const links = [...text.matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
    const broken = links.filter(([, file = '', anchor]) => {
      const target = file === '' ? join(root, page) : join(root, dirname(page), file)
      if (!existsSync(target)) return true
      return anchor !== undefined && !headings(readFileSync(target, 'utf8')).includes(anchor)
    })
    expect(broken.map(([link]) => link)).toEqual([])
  })
})

test('docs/architecture.md has each room and each of its floors, in order', () => {
  const table = readFileSync(join(root, 'docs/architecture.md'), 'utf8').split('## Rooms and floors')[1] ?? ''
  const rows = [...table.matchAll(/^\| (?:`([\w-]+)\/`)? ?\| (?:`([\w-]+\/[\w-]+)\/`)? ?\|/gm)]
  const rooms = rows.flatMap(([, room]) => room ?? [])
  const floors = rows.flatMap(([, , floor]) => floor ?? [])
  const folders = (folder: string): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      // Folders of tests alone are no floors.
      .filter((name) => sources(join(root, folder, name)).length > 0)
  const order =
    /const rooms = \[([^\]]*)\]/.exec(readFileSync(join(root, '.dependency-cruiser.mjs'), 'utf8'))?.[1] ?? ''
  expect(rooms).toEqual([...order.matchAll(/'([\w-]+)'/g)].map(([, room]) => room))
  expect([...rooms].sort()).toEqual(folders('src').sort())
  const here = folders('src').flatMap((room) => folders(join('src', room)).map((floor) => `${room}/${floor}`))
  expect([...floors].sort()).toEqual(here.sort())
})

test('the pages of the structure name many paths', () => {
  for (const page of Object.keys(bases)) expect(named(page).length).toBeGreaterThan(10)
})

function sources(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
}

/** The anchors of a page, as GitHub makes them of its headings. */
function headings(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
