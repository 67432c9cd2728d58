import { isJsonObject } from '../../conversation/index.ts'

/**
 * The number of bytes of an error's body that are read: enough for the longest that engines send, and a limit for
 * broken or hostile servers.
 */
export const maxErrorLength: number = 64 * 1024
/** The number of characters of an error's message that are kept. */
const longestSaid = 8_000
/** Errors nest a few levels: a list of faults in `detail`, JSON in JSON. */
const maxDepth = 8
const maxFaults = 20

/**
 * Reads the message of an error body: `{"error": {"message"}}` (OpenAI), `{"error": "…"}` (Ollama, LM Studio),
 * `{"message"}` (older vLLM, Mistral), `{"detail"}` (FastAPI), JSON in JSON (Ollama), or the text itself with its white
 * space folded. Takes time in proportion to the body's first 64 kB; returns at most 8000 characters.
 */
export function readErrorText(body: string): string {
  return readText(body, 0) ?? ''
}

/** The same for a body that was parsed before; undefined if it has no message. */
export function readErrorValue(value: unknown): string | undefined {
  return readValue(value, 0)
}

function readText(body: string, depth: number): string | undefined {
  const text = body.slice(0, maxErrorLength).trim()
  if (text === '') return undefined
  if (text.startsWith('{') || text.startsWith('[')) {
    const said = readValue(parsed(text), depth)
    return said ?? folded(text)
  }
  return folded(text.startsWith('<') ? withoutTags(text) : text)
}

function readValue(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return readText(value, depth + 1)
  if (depth > maxDepth || typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) {
    const texts = value.slice(0, maxFaults).map((one) => readValue(one, depth + 1))
    const said = texts.filter((text) => text !== undefined)
    return said.length === 0 ? undefined : cut(said.join('; '))
  }
  if (!isJsonObject(value)) return undefined
  for (const key of ['error', 'message', 'detail', 'msg']) {
    const text = readValue(value[key], depth + 1)
    if (text !== undefined) return Array.isArray(value.loc) ? `${placeOf(value.loc)}: ${text}` : text
  }
  return undefined
}

/** FastAPI's place of a fault: `body.tools.0`. */
function placeOf(loc: readonly unknown[]): string {
  const names = loc.filter((one) => typeof one === 'string' || typeof one === 'number')
  return cut(names.slice(0, maxFaults).join('.'))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON, or cut off: the text itself is the message.
    return undefined
  }
}

/** The text of a page of HTML. An opening marker without its end is text; each end is searched for once. */
function withoutTags(html: string): string {
  const small = html.toLowerCase()
  const unclosed = new Set<string>()
  let text = ''
  let at = 0
  for (let open = html.indexOf('<'); open >= 0; open = html.indexOf('<', at)) {
    const close = html.indexOf('>', open)
    if (close < 0) break
    text += `${html.slice(at, open)} `
    at = close + 1
    const hidden = hiddenElements.find((name) => small.startsWith(name, open + 1))
    if (hidden === undefined || unclosed.has(hidden)) continue
    const end = small.indexOf(`</${hidden}>`, at)
    if (end < 0) unclosed.add(hidden)
    else at = end + hidden.length + 3
  }
  return text + html.slice(at)
}

/** Elements with invisible content. */
const hiddenElements = ['style', 'script']

function folded(text: string): string {
  return cut(text.replace(/\s+/g, ' ').trim())
}

function cut(text: string): string {
  return text.length > longestSaid ? text.slice(0, longestSaid) : text
}
