import { expect, it } from 'vitest'
import { ToolNames } from './tool-names.ts'

const offered = ['read_file', 'Read', 'mcp__files__write', 'a.delete', 'b.delete', 'web_search', 'websearch', 'run']

it.each<[written: string, found: string | string[] | undefined]>([
  ['read_file', 'read_file'],
  ['READ_FILE', 'read_file'],
  ['read', 'Read'],
  ['web_search.call', 'web_search'],
  ['Run.call', 'run'],
  ['unknown.call', undefined],
  ['functions.read_file', 'read_file'],
  ['default_api:run', 'run'],
  ['write', 'mcp__files__write'],
  ['files.write', 'mcp__files__write'],
  ['other.write', undefined],
  ['c.delete', undefined],
  ['delete', ['a.delete', 'b.delete']],
  ['readFile', 'read_file'],
  ['web-search', ['web_search', 'websearch']],
  ['web_search', 'web_search'],
  ['tools.read-file', 'read_file'],
  ['fs.files.write', undefined],
  ['functionsrun5', 'run'],
  ['functions.read_file12', 'read_file'],
  ['functionsread', 'Read'],
  ['run5', undefined],
  ['functions', undefined],
  ['unknown', undefined],
  ['', undefined],
  ['__proto__', undefined],
  ['...', undefined],
])('%j is %j', (written, found) => {
  const match = new ToolNames(offered).match(written)
  if (Array.isArray(found)) expect(match).toEqual({ type: 'ambiguous', candidates: found })
  else expect(match).toEqual(found === undefined ? { type: 'unknown' } : { type: 'found', name: found })
})
