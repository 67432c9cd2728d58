import { isJsonObject, type JsonValue } from '../../conversation/index.ts'
import type { Capture, EnvelopeKeys } from '../../grammar/index.ts'

/** The sources from which a field's `transform` takes the parts of a call. */
export interface CallSources {
  /** Each element of the field's content is a call. */
  isList: boolean
  /** Named groups of the delimiters, by their captures. */
  names: ReadonlyMap<string, Capture>
  /** The keys in the content, if it is the whole call and not only its arguments. */
  keys: EnvelopeKeys | undefined
}

const plain: EnvelopeKeys = { name: 'name', arguments: 'arguments' }
/** Under which keys the result of a transform has the parts; templates of the early days have others than the standard. */
const nameKeys = ['name']
const argumentsKeys = ['arguments', 'args', 'parameters', 'input']
const idKeys = ['id', 'tool_call_id']

/**
 * The shape of a call from its transform: `{"type": "function", "function": {"name": "{name}", "arguments": "{content}"}}`
 * has the name in the marker and the arguments as content, `"function": "{content}"` the whole call. A placeholder is a
 * whole text, and may go down into the content: `{content.args}`.
 */
export function callShape(transform: JsonValue | undefined, isList: boolean): CallSources | string {
  if (transform === undefined || transform === null) return { isList, names: new Map(), keys: plain }
  const outer = Array.isArray(transform) && transform.length === 1 ? transform[0] : transform
  if (path(outer)?.join() === 'content') return { isList, names: new Map(), keys: plain }
  if (!isJsonObject(outer)) return 'its transform makes no call'
  const inner = outer.function ?? outer
  if (path(inner)?.join() === 'content') return { isList, names: new Map(), keys: plain }
  if (!isJsonObject(inner)) return 'its transform makes no call'
  const part = (keys: readonly string[]) =>
    path(keys.map((key) => inner[key] ?? outer[key]).find((value) => value !== undefined))
  const [name, args, id] = [part(nameKeys), part(argumentsKeys), part(idKeys)]
  if (!name || !args) return 'its transform names no place for the name or the arguments of a call'
  const names = new Map<string, Capture>()
  const isInContent = (place: readonly string[]) => isList || place[0] === 'content'
  if (id && !isInContent(id) && id[0] !== undefined) names.set(id[0], 'id')
  if (!isInContent(name)) {
    if (args.join() !== 'content' || name.length !== 1) return 'its transform takes arguments from a marker'
    names.set(name[0] ?? '', 'name')
    return { isList, names, keys: undefined }
  }
  if (!isInContent(args)) return 'its transform takes arguments from a marker'
  // Readers handle the object around a call, `{"function": {…}}`.
  const [nameKey, argumentsKey] = [name.at(-1) ?? 'name', args.at(-1) ?? 'arguments']
  if (nameKey === 'content' || argumentsKey === 'content') return 'its transform takes the whole content for a part'
  const idKey = id && isInContent(id) ? id.at(-1) : undefined
  return { isList, names, keys: { name: nameKey, arguments: argumentsKey, ...(idKey !== undefined && { id: idKey }) } }
}

/** The path in a placeholder: `{content.args}`. */
function path(value: JsonValue | undefined): string[] | undefined {
  const match = typeof value === 'string' ? /^\{(\w+(?:\.\w+){0,8})\}$/.exec(value) : null
  return match?.[1]?.split('.')
}
