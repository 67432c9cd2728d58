/** Media types of text that are not `text/…`. */
const textTypes: ReadonlySet<string> = new Set([
  'application/json',
  'application/xml',
  'application/yaml',
  'application/x-yaml',
  'application/javascript',
  'application/typescript',
  'application/sql',
  'application/x-sh',
])

/** Names of files that are text, for data without a media type. */
const textNames =
  /\.(?:txt|md|csv|tsv|json|jsonl|xml|html|css|ya?ml|toml|ini|log|[cm]?[jt]sx?|py|rs|go|java|c|h|cpp|sh|sql)$/i

/**
 * Returns the text of a file in base64, with or without `data:TYPE;base64,` before it; undefined if its type or its bytes are
 * not those of a text.
 */
export function textOfFile(data: string, filename: unknown): string | undefined {
  const comma = data.startsWith('data:') ? data.indexOf(',') : -1
  const [type = '', ...options] = comma < 0 ? [] : data.slice('data:'.length, comma).toLowerCase().split(';')
  if (comma >= 0 && !options.includes('base64')) return undefined
  const isText =
    type === '' || type === 'application/octet-stream'
      ? typeof filename === 'string' && textNames.test(filename)
      : type.startsWith('text/') || textTypes.has(type)
  if (!isText) return undefined
  try {
    const bytes = Uint8Array.from(atob(data.slice(comma + 1)), (character) => character.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // Neither base64 nor UTF-8: no text that a model could read.
    return undefined
  }
}
