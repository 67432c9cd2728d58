// @ts-check
// A tiny model file for each chat template: random weights, the template's markers as tokens.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { tools } from './requests.mjs'

/** Bytes that are no ASCII: put together at random they are no text. */
const foreignBytes = Array.from({ length: 128 }, (_, at) => `<0x${(at + 128).toString(16).toUpperCase()}>`)
/** Tokens of more than one character, as models have them: over the borders of JSON's and of characters' own. */
const pieces = ['é', '日本', '😀', 'ab', '{"', '":', '</', '\n\n']

/**
 * The models of a folder's templates that write calls, as files.
 * @param {any} library
 * @param {string} folder with .jinja files
 * @param {{ to: string, only: string | undefined, seed: number }} options where the files go; the one template that is meant
 * @returns {{ name: string, file: string }[]}
 */
export function writeModels(library, folder, { to, only, seed }) {
  /** @type {{ name: string, file: string }[]} */
  const models = []
  for (const entry of readdirSync(folder).sort()) {
    const name = basename(entry, '.jinja')
    if (!entry.endsWith('.jinja') || (only !== undefined && only !== name)) continue
    const chatTemplate = readFileSync(join(folder, entry), 'utf8')
    const loaded = library.safeLoadTemplate(chatTemplate, { specialTokens: { bos_token: '<s>', eos_token: '</s>' } })
    if (loaded.type === 'error') throw new Error(`${name}: ${loaded.message}`)
    const dialect = library.templateDialect(library.analyzeTemplate(loaded.template))
    if (!dialect.analysis.calls) continue
    const file = join(to, `${name}.gguf`)
    writeFileSync(file, library.writeGguf({ ...vocabularyOf(dialect), chatTemplate, contextLength: 16_384, seed }))
    models.push({ name, file })
  }
  return models
}

/** @param {any} dialect */
function vocabularyOf(dialect) {
  const { frame, reasoning, calls } = dialect.analysis
  const known = ['<s>', '</s>']
  const isToken = (/** @type {string} */ text) =>
    text.length > 1 && !/\s|[^\x20-\uffff]/.test(text) && !known.includes(text)
  const ends = frame.ends.filter(isToken)
  const markers = [...new Set([...dialect.preservedTokens, reasoning.open, reasoning.close, ...ends])].filter(isToken)
  // The beginning of a call and the closer of its text are tokens as well, so that noise reaches them.
  const call = { type: 'call', id: 'call_0', name: tools[0]?.name, arguments: '{"city":"Paris"}' }
  const [, closer = ''] = /Paris\s*(<\/[^>\s]+>)/.exec(dialect.renderReply([call], tools.slice(0, 1)) ?? '') ?? []
  const edges = [calls.layout.section.open, calls.layout.call.open, closer].map((one) => one.trim())
  const begins = edges.filter((one) => isToken(one) && !/[\ue000-\uf8ff]/.test(one))
  // Tokens do not end at the ends of markers: one contains the beginning of a call and text that continues no call,
  // another only the end of it.
  const across = begins.flatMap((one) => [`${one}";`, `${one.slice(-1)}";`])
  /** @type {Record<string, number>} */
  const bias = { '"': 3, '</s>': 2 }
  for (const byte of foreignBytes) bias[byte] = -40
  for (const marker of [...markers, ...begins]) bias[marker] = 3.5
  for (const token of across) bias[token] = 2
  return {
    tokens: [
      ...markers.map((text) => ({ text, type: 'control' })),
      ...[...new Set([...begins, ...across, ...pieces])]
        .filter((text) => !markers.includes(text))
        .map((text) => ({ text, type: 'normal' })),
    ],
    ...(ends[0] !== undefined && { eot: ends[0] }),
    bias,
  }
}
