import { type Document, type ErrorCode, isMap, isNode, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import { neededModule } from '../../upstreams/index.ts'
import { type ConfigContext, ConfigError, type ConfigProblem, type GatewayConfig, parseConfig } from './config.ts'
import type { ConfigPath } from './schema/types.ts'

/**
 * Returns the configuration of a YAML or JSON file. Throws a ConfigError, also if the file cannot be read.
 *
 * @example
 * const config = loadConfigFile('anycall.yaml')
 * const gateway = createGateway({ config })
 */
export function loadConfigFile(file: string, context: Pick<ConfigContext, 'env' | 'dialects'> = {}): GatewayConfig {
  return parseConfigText(readText(file), { ...context, file })
}

/** Parses the text of a configuration file: YAML, which includes JSON. */
export function parseConfigText(
  text: string,
  context: Omit<ConfigContext, 'locate'> & { file: string },
): GatewayConfig {
  const lines = new LineCounter()
  // Pretty errors quote the file's text, keys and all.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const problems = document.errors.map((error) => syntaxProblem(text, error.code, lines.linePos(error.pos[0]).line))
  // One mistake makes several errors on its line; the first is sufficient.
  const first = problems.filter((problem, index) => problems.findIndex(({ line }) => line === problem.line) === index)
  if (first.length > 0) throw new ConfigError(context.file, first)
  return parseConfig(plainValue(document, context.file), {
    ...context,
    locate: (path) => {
      const offset = offsetOf(document.contents, path)
      return offset === undefined ? undefined : lines.linePos(offset).line
    },
  })
}

const readErrors: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'this is a directory; name a YAML or JSON file in it',
  EACCES: 'the file cannot be read; check its permissions',
}

function readText(file: string): string {
  const { readFileSync } = neededModule('node:fs', 'A configuration file')
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    throw new ConfigError(file, [{ path: [], message: readErrors[code] ?? `the file cannot be read (${code})` }])
  }
}

// The parser's own messages quote the text, in which there may be keys.
const syntaxErrors: Readonly<Partial<Record<ErrorCode, string>>> = {
  BAD_ALIAS: 'a value that begins with * is an alias in YAML; quote a pattern: "*"',
  BAD_DQ_ESCAPE: 'there is an unknown \\ escape in double quotes; use single quotes where \\ means itself',
  BAD_INDENT: 'the indentation does not fit the lines above, or a bracket is not closed',
  BAD_SCALAR_START: 'a value begins with a character that YAML reserves; quote the value',
  BLOCK_AS_IMPLICIT_KEY: 'there is a second `: ` on the line; quote the value, or begin a new line',
  DUPLICATE_KEY: 'this key is here twice',
  MISSING_CHAR: 'a bracket, a quote, a comma or a colon is missing',
  MULTIPLE_DOCS: 'there is more than one document (---); a configuration is one',
  TAB_AS_INDENT: 'there is a tab in the indentation; YAML wants spaces',
}

function syntaxProblem(text: string, code: ErrorCode, line: number): ConfigProblem {
  const source = text.split('\n')[line - 1] ?? ''
  // `{` begins an object inside brackets, so `[ ${NAME} ]` does not mean a reference.
  const message =
    /[[{].*\$\{/.test(source) && !/["']\$\{/.test(source)
      ? `inside [ ] and { } a reference must be quoted: "\${NAME}"`
      : (syntaxErrors[code] ?? 'this is neither YAML nor JSON')
  return { path: [], line, message }
}

function plainValue(document: Document, file: string): unknown {
  try {
    return document.toJS()
  } catch {
    // An alias without an anchor, or too many aliases for the memory.
    throw new ConfigError(file, [{ path: [], message: 'a YAML alias (*name) has no anchor; quote a pattern: "*name"' }])
  }
}

/** Returns the offset of the key or item at `path`, or of the nearest one around it. */
function offsetOf(contents: unknown, path: ConfigPath): number | undefined {
  let node: Node | undefined = isNode(contents) ? contents : undefined
  let offset: number | undefined
  for (const key of path) {
    const pair = isMap(node) ? node.items.find((item) => keyText(item.key) === String(key)) : undefined
    const item = isSeq(node) && typeof key === 'number' ? node.items[key] : undefined
    const next: unknown = pair?.value ?? item
    const begin: unknown = pair?.key ?? item
    if (!isNode(begin)) break
    offset = begin.range?.[0] ?? offset
    node = isNode(next) ? next : undefined
  }
  return offset
}

function keyText(key: unknown): string {
  return String(typeof key === 'object' && key !== null && 'value' in key ? key.value : key)
}
