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
/** Rooms that read text import no package; the files of the others that need Node are named. */
const withoutPackages = new Set(['conversation', 'json', 'grammar', 'dialects', 'templates'])
const onNode = new Set([
  'cli',
  'gateway/server.ts',
  'gateway/config-file.ts',
  'gateway/upstreams.ts',
  'upstreams/gguf/model-file.ts',
  'upstreams/gguf/node-llama.ts',
  'upstreams/local-file.ts',
  'upstreams/node-transport.ts',
])

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

  test('imports no package where the core must run anywhere', () => {
    const packages = imports.filter((path) => !path.startsWith('.'))
    if (withoutPackages.has(room)) expect(packages).toEqual([])
    if (!onNode.has(room) && !onNode.has(file)) {
      expect(packages.filter((name) => name.startsWith('node:') || name === 'undici' || name === 'pino')).toEqual([])
    }
  })
})
