import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { overlapOf } from '../src/grammar/regex/overlap.ts'
import { someOf } from './support/draws.ts'

/** Files with expressions whose repetitions overlap, how many each has, and why no text makes them slow. */
const reviewed: Readonly<Record<string, readonly [count: number, why: string]>> = {
  'cli/io/settings.ts': [1, 'an address that the person who runs it writes'],
  'cli/template/source.ts': [1, 'an address that the person who runs it writes'],
  'templates/analysis/calls/json-around.ts': [1, 'JSON that was parsed before, of at most 5,000 characters'],
  'templates/jinja/python/format/percent.ts': [1, 'the first key that is not closed ends the formatting with an error'],
  'templates/jinja/python/format/spec.ts': [2, 'numbers of at most 100 digits, as JavaScript writes them'],
  'templates/jinja/library/wrap-text.ts': [
    1,
    'a word always ends, at white space or at the end: each is found where it begins',
  ],
  // The text of an upstream's error, which is cut before it is read, and an operator's configuration.
  'gateway/config/env.ts': [1, 'configuration'],
  'gateway/config/file.ts': [1, 'configuration'],
  'gateway/config/schema/upstreams.ts': [1, 'configuration'],
  'upstreams/refusals/context-length.ts': [1, 'the text of an error'],
  'upstreams/http/address.ts': [1, 'configuration'],
  'upstreams/oci/session.ts': [2, 'configuration, and a key file'],
  'upstreams/oci/oci-generative-ai.ts': [1, 'configuration'],
  'upstreams/ollama/models.ts': [1, 'a model file that Ollama shows'],
  'upstreams/refusals/refusals.ts': [9, 'the text of an error'],
  'upstreams/refusals/output-limit.ts': [7, 'the text of an error'],
}

const source = join(import.meta.dirname, '..', 'src')
const sources = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !/\.test\.ts$|(?:^|\/)(?:test|fake)-/.test(file),
)
const files = someOf(sources, 3)

function literalsOf(file: string): readonly { source: string; flags: string }[] {
  const text = readFileSync(join(source, file), 'utf8')
  const found: { source: string; flags: string }[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/')
      found.push({ source: node.text.slice(1, end), flags: node.text.slice(end + 1) })
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest))
  return found
}

test('no expression that is written has repetitions that overlap, but for those where no text makes them slow', () => {
  const literals = files.map((file) => ({ file, all: literalsOf(file) }))
  expect(literals.reduce((sum, { all }) => sum + all.length, 0)).toBeGreaterThan(
    sources.length === files.length ? 400 : 50,
  )
  const counts: Record<string, number> = {}
  const unknown: string[] = []
  for (const { file, all } of literals) {
    for (const literal of all.filter(overlapOf)) {
      counts[file] = (counts[file] ?? 0) + 1
      if (!(file in reviewed)) unknown.push(`${file}: /${literal.source}/${literal.flags}`)
    }
  }
  expect(unknown).toEqual([])
  expect(sources).toEqual(expect.arrayContaining(Object.keys(reviewed)))
  const expected = Object.entries(reviewed).filter(([file]) => files.includes(file))
  expect(counts).toEqual(Object.fromEntries(expected.map(([file, [count]]) => [file, count])))
})
