import { readdirSync, readFileSync } from 'node:fs'
import { join, normalize, relative } from 'node:path'
import { describe, expect, test } from 'vitest'

/** The rooms in the order of docs/architecture.md: each may import those before it. */
const rooms = [
  'conversation',
  'json',
  'grammar',
  'dialects',
  'templates',
  'ai-sdk',
  'protocols',
  'upstreams',
  'gateway',
  'cli',
]
/** Rooms that read text import no package, not even its types. */
const withoutPackages = new Set(['conversation', 'json', 'grammar', 'dialects', 'templates'])
/** What all rooms but `cli` may load: packages that run wherever Web standards do. Node's own modules are asked for when they are used (`upstreams/builtin-module.ts`), undici by a condition of package.json. */
const runAnywhere = ['@cfworker/json-schema', 'eventsource-parser', 'yaml', 'zod', '#undici']

const source = join(import.meta.dirname, '..', 'src')
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && file.includes('/') && !isForTests(file),
)

function isForTests(file: string): boolean {
  return file.endsWith('.test.ts') || /\/(?:test|fake)-[^/]*$/.test(file)
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(source, file), 'utf8')
  return [...text.matchAll(/^(?:import|export)\b[^'"]*?from '([^']+)'/gm)].map(([, from]) => from ?? '')
}

/** The packages that a file loads, at once or later: imports of types alone load nothing. */
function loadsOf(file: string): string[] {
  const text = readFileSync(join(source, file), 'utf8')
  const imports = text.matchAll(/^(?:import|export)\b(?! type\b)[^'"]*?from '([^']+)'|^import '([^']+)'/gm)
  const later = text.matchAll(/(?<!typeof )\bimport\(\s*'([^']+)'/g)
  return [...imports, ...later].map(([, from, bare]) => from ?? bare ?? '').filter((path) => !path.startsWith('.'))
}

describe.each(files)('src/%s', (file) => {
  const room = file.split('/')[0] ?? ''
  const imports = importsOf(file)

  test('imports only from its own room and those above it', () => {
    expect(rooms).toContain(room)
    const from = imports
      .filter((path) => path.startsWith('.') && path.endsWith('.ts'))
      .map((path) => relative(source, normalize(join(source, file, '..', path))).split('/')[0] ?? '')
    for (const other of from) expect(rooms.slice(0, rooms.indexOf(room) + 1)).toContain(other)
  })

  test('loads no package that does not run everywhere', () => {
    const packages = imports.filter((path) => !path.startsWith('.'))
    if (withoutPackages.has(room)) expect(packages).toEqual([])
    if (room !== 'cli') expect(loadsOf(file).filter((name) => !runAnywhere.includes(name))).toEqual([])
  })
})
