import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/plans.md'), 'utf8').split('\n## Notices and log events\n')[1] ?? ''
const [notices = '', events = ''] = page.split('\n| event | level | fields |\n')

/** The sources of the rooms that serve, and of the notices that they share with the middleware. */
const sources = ['src/gateway', 'src/upstreams', 'src/dialects/prompt', 'src/dialects/response']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => readFileSync(join(root, file), 'utf8'))
  .join('\n')

function found(pattern: RegExp): string[] {
  return [...new Set([...sources.matchAll(pattern)].map(([, name = '']) => name))].sort()
}

/** Returns the codes in the first column of a table. */
function listed(table: string): string[] {
  return table
    .split('\n')
    .flatMap((line) => [...(/^\| (`.*?) \|/.exec(line)?.[1]?.matchAll(/`([^`]+)`/g) ?? [])])
    .map(([, name = '']) => name)
    .sort()
}

describe('docs/plans.md lists', () => {
  test('the notices of gateway and upstreams', () => {
    const codes = found(/\bcode: '([a-z-]+)'/g)
    expect(codes).toContain('constraint-refused')
    expect(listed(notices)).toEqual(codes)
  })

  test('the events of their log', () => {
    const names = [
      ...found(/\blog(?:\?\.)?\(\s*(?:level|'\w+'),\s*'([a-z.-]+)'/g),
      ...found(/\b(?:warnOnce\(|warning: )'([a-z.-]+)'/g),
    ].filter((name) => name !== 'notice')
    expect(names).toContain('upstream.retry')
    expect(listed(events)).toEqual(names.sort())
  })
})
