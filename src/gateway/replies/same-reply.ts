import {
  type AssistantPart,
  type AssistantTurn,
  type CallPart,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Tool,
} from '../../conversation/index.ts'

/**
 * True if a turn of a client's history is a reply that it got. Clients trim text, drop blank lines, write JSON with other white space and in
 * another order, and add the defaults of a schema; any other difference makes it another text.
 */
export function isRememberedReply(
  turn: AssistantTurn,
  parts: readonly AssistantPart[],
  tools: readonly Tool[],
): boolean {
  if (lengthOf(turn.parts) > mostGrowth * (lengthOf(parts) + 100)) return false
  if (collapsed(turn.parts) !== collapsed(parts)) return false
  const [theirs, ours] = [callsOf(turn.parts), callsOf(parts)]
  return theirs.length === ours.length && theirs.every((call, index) => isSameCall(call, ours[index], tools))
}

/** White space and defaults make a reply this many times as long at most. A longer turn is not worth the comparison. */
const mostGrowth = 4

/** Returns the length of texts and arguments, in characters. */
function lengthOf(parts: readonly AssistantPart[]): number {
  return parts.reduce((sum, part) => sum + (part.type === 'call' ? part.arguments : part.text).length, 0)
}

/** Returns the calls among parts. */
export function callsOf(parts: readonly AssistantPart[]): CallPart[] {
  return parts.filter((part) => part.type === 'call')
}

/** Returns the text without differences in white space. */
function collapsed(parts: readonly AssistantPart[]): string {
  const text = parts.map((part) => (part.type === 'text' ? part.text : ' ')).join('')
  return text.replace(/\s+/g, ' ').trim()
}

function isSameCall(theirs: CallPart, ours: CallPart | undefined, tools: readonly Tool[]): boolean {
  if (ours?.name !== theirs.name) return false
  if (ours.arguments === theirs.arguments) return true
  const [sent, made] = [parsed(theirs.arguments), parsed(ours.arguments)]
  if (!sent || !made) return false
  const defaults = defaultsOf(tools.find(({ name }) => name === theirs.name))
  const kept = Object.entries(sent).filter(
    ([name, value]) => Object.hasOwn(made, name) || !isSame(value, defaults(name), 0),
  )
  return isSame(Object.fromEntries(kept), made, 0)
}

function parsed(json: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function defaultsOf(tool: Tool | undefined): (name: string) => JsonValue | undefined {
  const properties = tool?.schema.properties
  return (name) => {
    const schema = isJsonObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined
    return isJsonObject(schema) ? schema.default : undefined
  }
}

/** Deeper values count as different: nothing is lost by that but a place in a cache. */
const deepest = 100

function isSame(one: JsonValue | undefined, other: JsonValue | undefined, depth: number): boolean {
  if (one === other) return true
  if (depth > deepest || one === undefined) return false
  if (Array.isArray(one)) {
    return (
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, index) => isSame(item, other[index], depth + 1))
    )
  }
  if (!isJsonObject(one) || !isJsonObject(other)) return false
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSame(one[name], other[name], depth + 1))
  )
}
