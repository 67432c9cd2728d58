import { trigger } from '../library.mjs'

export const pieceLength = 4

export const lengths = { '1k': 1024, '4k': 4096, '16k': 16384, '64k': 65536, '1M': 1048576 }

export const tools = [
  {
    name: 'write_file',
    description: 'Writes a file.',
    schema: {
      type: 'object',
      properties: { path: { type: 'string' }, content: { type: 'string' } },
      required: ['path', 'content'],
    },
  },
  {
    name: 'get_weather',
    description: 'Tells the weather.',
    schema: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer' } },
      required: ['city'],
    },
  },
]

/** Typical output of a coding agent: quotes, line breaks, backslashes, and brackets of all kinds. */
const code = `export function parseRow(line: string, options: Options = {}): Row | undefined {
  if (line.length < 2 && !options.lenient) return undefined
  const cells = line.split(/\\s*\\|\\s*/).map((cell) => cell.trim())
  for (const [index, cell] of cells.entries()) {
    if (cell === "") continue
    console.log(\`cell \${index}: <b>\${cell}</b>\`, { cell, index })
  }
  return { cells, source: "line" }
}
`

const prose = `The function reads one row of the table and gives its cells. An empty cell is left out, as a < b would be; what
remains is trimmed. Where the row is too short, nothing is given, unless the options say otherwise (see "lenient").

`

/** One call with one string argument of that many characters. */
export function stringArgument(length) {
  const content = repeatTo(code, length)
  return workload([call('write_file', { path: 'src/row.ts', content })])
}

/** A text of that length, without calls. */
export function plainText(length) {
  return workload([{ type: 'text', text: repeatTo(prose, length) }])
}

export function parallelCalls(count) {
  const calls = Array.from({ length: count }, (_, index) => call('get_weather', { city: `City ${index}`, days: index }))
  return workload(calls)
}

export function piecesOf(text) {
  const pieces = []
  for (let at = 0; at < text.length; at += pieceLength) pieces.push(text.slice(at, at + pieceLength))
  return pieces
}

/** The text of a workload in a dialect of the library. */
export function writeInDialect(dialect, { parts }) {
  return dialect.renderAssistant(parts, { trigger }, tools)
}

function workload(parts) {
  return {
    parts,
    calls: parts
      .filter(({ type }) => type === 'call')
      .map(({ name, arguments: json }) => ({ name, arguments: JSON.parse(json) })),
    text: parts.map((part) => (part.type === 'text' ? part.text : '')).join(''),
  }
}

function call(name, args) {
  return { type: 'call', id: name, name, arguments: JSON.stringify(args) }
}

function repeatTo(text, length) {
  // A letter at the end: white space there is another matter, and some formats take it off.
  return `${text.repeat(Math.ceil(length / text.length)).slice(0, length - 1)}z`
}
