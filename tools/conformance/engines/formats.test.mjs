// @ts-check
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { dialectNames, parseToolCalls } from '../../../src/index.ts'
import { engineNames, engineSources, faultIn, missingOf, parsersIn, parsersOf, table } from './formats.mjs'

describe.each(engineSources.map((source) => [`${source.engine}: ${source.file}`, source]))('%s', (_, { parsers }) => {
  it.each(parsers.map((parser) => [parser.name, parser]))(
    '%s is read by its dialect and by the universal one',
    (_, parser) => {
      const { dialect } = parser
      if (dialect !== null) expect(dialectNames).toContain(dialect)
      expect(faultIn(parser, dialect ?? 'universal', parseToolCalls)).toBeUndefined()
      expect(faultIn(parser, 'universal', parseToolCalls)).toBeUndefined()
    },
  )
})

it('says what is wrong with an example that no call is read from', () => {
  const parser = { name: 'f', dialect: 'hermes', example: 'kimik2' }
  expect(faultIn(parser, 'hermes', parseToolCalls)).toBe('reads no call')
  expect(faultIn({ name: 'f', dialect: null, example: null }, 'universal', parseToolCalls)).toMatch('neither')
})

it('names no parser twice in one source', () => {
  const names = engineSources.map(({ parsers }) => parsers.map(({ name }) => name))
  expect(names.map((of) => new Set(of).size)).toEqual(names.map((of) => of.length))
})

/** The parts of each engine's sources that the script reads, with one parser that exists and one that does not. */
const written = {
  vllm: ['vllm/tool_parsers/__init__.py', '    "hermes": (\n        "hermes_tool_parser",\n    ),\n    "quux": (\n'],
  sglang: ['python/sglang/srt/function_call/parser_names.py', 'NAMES = [\n    "hermes",\n    "quux",\n]\n'],
  'llama.cpp': ['common/parsers/quux.cpp', ''],
  dynamo: ['lib/parsers/src/tool_calling/parsers.rs', 'map.insert("hermes", A::b());\nmap.insert("quux", A::b());'],
  xgrammar: [
    'python/xgrammar/builtin_structural_tag.py',
    '        @register_model_structural_tag("my_model")\n@register_model_structural_tag("llama")\n@register_model_structural_tag("quux")\n',
  ],
}

it.each(Object.entries(written))('finds what is missing in the sources of %s', (engine, [file = '', text = '']) => {
  const root = mkdtempSync(join(tmpdir(), 'engine-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  mkdirSync(join(root, file, '..'), { recursive: true })
  writeFileSync(join(root, file), text)
  const known = parsersOf(engine)[0]?.name ?? ''
  if (engine === 'llama.cpp') {
    for (const name of [known, 'parsers']) writeFileSync(join(root, file, '..', `${name}.cpp`), '')
  }
  expect(missingOf(engine, parsersIn(engine, root))).toEqual(['quux'])
  expect(parsersIn(engine, root)).toHaveLength(2)
  expect(engineNames).toContain(engine)
})

it('stands in docs/dialects.md', () => {
  const page = readFileSync(new URL('../../../docs/dialects.md', import.meta.url), 'utf8')
  expect(page).toContain(table())
})
