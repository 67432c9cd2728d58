/** A number as JSON writes it. */
export const jsonNumber: RegExp = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/

/** Words that stand for a JSON literal: JSON's own and Python's. */
export const literalWords: ReadonlyMap<string, string> = new Map([
  ['true', 'true'],
  ['false', 'false'],
  ['null', 'null'],
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
])

/** What JavaScript and Python write where JSON has nothing to write. */
export const missingWords: ReadonlySet<string> = new Set(['undefined', 'NaN', 'Infinity', '-Infinity', '+Infinity'])

/** Forms of numbers that models write and JSON does not have: `+5`, `.5`, `5.`, `1_000`. Undefined for other words. */
export function mendNumber(word: string): string | undefined {
  if (!/^[+-]?[0-9._eE+-]+$/.test(word) || !/[0-9]/.test(word)) return undefined
  const mended = word
    .replace(/^\+/, '')
    .replace(/(?<=[0-9])_(?=[0-9])/g, '')
    .replace(/^(-?)\./, '$10.')
    .replace(/\.$/, '')
  return jsonNumber.test(mended) ? mended : undefined
}

/** Text as the content of a JSON string. */
export function escapeText(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/** The text that the content of a JSON string stands for. */
export function unescapeJson(json: string): string {
  return json.includes('\\') ? String(JSON.parse(`"${json}"`)) : json
}
