// @ts-check
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The formats that engines name, as facts: for each parser its name, where it is in the engine's sources, which
 * dialect reads what it reads, and a call of get_weather as its models write it.
 *
 * @typedef {{ name: string, dialect: string | null, example: string | null, note?: string }} EngineParser
 * @typedef {{ engine: string, repository: string, file: string, commit: string, parsers: EngineParser[] }} EngineSource
 */

const { examples, engines } = JSON.parse(readFileSync(new URL('formats.json', import.meta.url), 'utf8'))

/** @type {EngineSource[]} */
export const engineSources = engines

/** @param {EngineParser} parser @returns {string | undefined} the call that its example shows */
export function exampleOf({ example }) {
  return example === null ? undefined : examples[example]
}

/** The call that every example makes. */
export const calledTool = {
  name: 'get_weather',
  description: '',
  schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}

/**
 * Reads the example of a parser in a dialect; gives what is wrong with that, or undefined.
 *
 * @param {EngineParser} parser
 * @param {string} dialect
 * @param {typeof import('../../../src/index.ts')['parseToolCalls']} parseToolCalls
 * @returns {string | undefined}
 */
export function faultIn(parser, dialect, parseToolCalls) {
  const text = exampleOf(parser)
  if (text === undefined) return parser.note ? undefined : 'has neither an example nor a reason'
  const { calls, text: rest } = parseToolCalls(text, { tools: [calledTool], dialect })
  const got = calls.map(({ name, arguments: args }) => `${name}(${JSON.stringify(args)})`).join(' ')
  if (got !== 'get_weather({"city":"Bonn"})') return `reads ${got || 'no call'}`
  return rest.trim() === '' ? undefined : `leaves the text ${JSON.stringify(rest)}`
}

/** The files in which each engine names its parsers, from the root of its sources, and the patterns of the names. */
const places = {
  vllm: [{ file: 'vllm/tool_parsers/__init__.py', name: /^ {4}"([\w-]+)": \(/gm }],
  sglang: [
    { file: 'python/sglang/srt/function_call/parser_names.py', name: /^ {4}"([\w-]+)",/gm },
    { file: 'python/sglang/srt/function_call/function_call_parser.py', name: /^ {8}"([\w-]+)": \w+Detector,/gm },
  ],
  'llama.cpp': [{ file: 'common/parsers', name: /^(?!parsers\.)([\w-]+)\.cpp$/gm }],
  dynamo: [{ file: 'lib/parsers/src/tool_calling/parsers.rs', name: /map\.insert\("([\w-]+)"/g }],
  xgrammar: [
    {
      file: 'python/xgrammar/builtin_structural_tag.py',
      // In a docstring, more than white space is before it.
      name: /^@register_model_structural_tag\("([\w-]+)"\)/gm,
    },
  ],
}

/** @type {readonly string[]} */
export const engineNames = Object.keys(places)

/**
 * The names of the parsers in an engine's sources: a checked-out folder, or the one file in which they stand.
 *
 * @param {string} engine
 * @param {string} path
 * @returns {string[]}
 */
export function parsersIn(engine, path) {
  /** @type {{ file: string, name: RegExp }[]} */
  const sought = places[/** @type {keyof typeof places} */ (engine)] ?? []
  const found = sought.flatMap(({ file, name }) => {
    const text = statSync(path).isDirectory() ? textOf(join(path, file)) : readFileSync(path, 'utf8')
    return [...(text ?? '').matchAll(name)].map(([, parser = '']) => parser)
  })
  return [...new Set(found)].sort()
}

/** @param {string} path a file, or a folder, whose files are then listed; undefined where there is neither */
function textOf(path) {
  const status = statSync(path, { throwIfNoEntry: false })
  if (!status) return undefined
  return status.isDirectory() ? readdirSync(path).join('\n') : readFileSync(path, 'utf8')
}

/** @param {string} engine @returns {EngineParser[]} */
export function parsersOf(engine) {
  return engineSources.filter((source) => source.engine === engine).flatMap(({ parsers }) => parsers)
}

/** The names of an engine that the data lacks. @param {string} engine @param {readonly string[]} names */
export function missingOf(engine, names) {
  const known = new Set(parsersOf(engine).map(({ name }) => name))
  return names.filter((name) => !known.has(name))
}

/** The table of docs/dialects.md: for each dialect the parsers whose formats it reads, by engine. */
export function table() {
  const dialects = [...new Set(engineSources.flatMap(({ parsers }) => parsers.flatMap(({ dialect }) => dialect ?? [])))]
  const rows = dialects.sort().map((dialect) => {
    const cells = engineNames.map((engine) =>
      parsersOf(engine)
        .filter((parser) => parser.dialect === dialect)
        .map(({ name }) => `\`${name}\``)
        .sort()
        .join(', '),
    )
    return `| ${[`\`${dialect}\``, ...cells].join(' | ')} |`
  })
  return [
    `| ${['dialect', 'vLLM', 'SGLang', 'llama.cpp', 'Dynamo', 'xgrammar'].join(' | ')} |`,
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n')
}
