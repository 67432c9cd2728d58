import { isJsonObject, type JsonObject, type JsonValue } from '../../conversation/index.ts'
import type { Field } from './calls.ts'
import type { Delimiter } from './marker.ts'
import { anySet, parseRegex, type RegexNode } from './regex.ts'

/**
 * Hugging Face's older description of replies, `response_schema`, which the first Gemma 4 checkpoints and their
 * derivatives have: a JSON schema of the message whose nodes define with `x-regex` (the match for the node),
 * `x-regex-iterator` (each of a list), `x-regex-key-value` (members), `x-parser` with `x-parser-args` (JSON, with a
 * JMESPath transform) and `x-regex-substitutions` the source of their text. The text around the groups in the
 * expressions is read as the delimiters of a field. Undefined if it is no such schema.
 */
export function readSchema(spec: JsonObject, unread: string[]): ReadonlyMap<string, Field> | undefined {
  const { properties } = spec
  if (!isJsonObject(properties)) return undefined
  if (spec['x-regex-substitutions'] !== undefined) unread.push('the replacements in the text before it is read')
  const root = regexOf(spec['x-regex'], 'the message', unread)
  const fields = new Map<string, Field>()
  for (const [name, node] of Object.entries(properties)) {
    if (!isJsonObject(node) || name === 'role') continue
    const own = regexOf(node['x-regex'] ?? node['x-regex-iterator'], name, unread)
    const found = own ? around(own, undefined) : root && around(root, name)
    if (name === 'tool_calls') {
      if (found) fields.set(name, callsField(node, found, unread))
      else unread.push('tool_calls: no field says where they are')
    } else if (found) {
      // Text that one expression matches with everything else is the rest; it ends where the whole does.
      const isRest = name === 'content' && !own
      const open = isRest ? undefined : delimiterOf(found.before)
      fields.set(name, { open, close: delimiterOf(isRest ? afterAll(found.after) : found.after), data: {} })
    }
  }
  return fields
}

interface Around {
  before: readonly RegexNode[]
  after: readonly RegexNode[]
}

function callsField(node: JsonObject, found: Around, unread: string[]): Field {
  const close = delimiterOf(found.after)
  const item = isJsonObject(node.items) ? node.items : {}
  const call = propertyOf(item, 'function') ?? item
  const [name, args] = [propertyOf(call, 'name') ?? {}, propertyOf(call, 'arguments') ?? {}]
  if ([node, item, call, args].some((one) => one['x-regex-substitutions'] !== undefined)) {
    unread.push('tool_calls: the replacements in the text before it is read')
  }
  // The whole call is JSON: the list, or one of it.
  const whole = [node, item, call].find((one) => one['x-parser'] === 'json')
  if (whole) return { open: delimiterOf(found.before), close, data: { content: 'json', ...wholeTransform(whole) } }
  const transform: JsonObject = { name: '{name}', arguments: '{content}' }
  const both = regexOf(call['x-regex'], 'tool_calls', unread)
  const first = both ? around(both, 'arguments') : nameOnly(name, unread)
  const rest = regexOf(args['x-regex'], 'arguments', unread)
  const space: RegexNode = { type: 'repeat', of: { type: 'set', set: '\\s' }, min: 0, max: undefined, lazy: false }
  const any: RegexNode = { type: 'repeat', of: { type: 'set', set: anySet }, min: 0, max: undefined, lazy: true }
  const open = delimiterOf([
    ...found.before,
    space,
    ...(first?.before ?? []),
    ...(rest ? [any, ...around(rest, undefined).before] : []),
  ])
  const pairs = args['x-regex-key-value']
  if (typeof pairs === 'string') {
    const members = isJsonObject(args.additionalProperties) ? args.additionalProperties : {}
    const parser = { name: members['x-parser'] ?? 'text', args: members['x-parser-args'] ?? {} }
    return {
      open,
      close,
      data: { content: 'xml-inline', content_args: { tag_pattern: pairs, value_parser: parser }, transform },
    }
  }
  // The parser's own name identifies Gemma's notation of strings.
  const isGemma = args['x-parser'] === 'gemma4-tool-call'
  const content_args = isGemma ? { unquoted_keys: true, string_delims: [['<|"|>', '<|"|>']] } : {}
  return { open, close, data: { content: 'json', content_args, transform } }
}

/** `{type: 'function', function: @}`, or the keys under which a call has its parts; `[*]` is each of a list. */
function wholeTransform(node: JsonObject): JsonObject {
  const args = node['x-parser-args']
  const jmes = isJsonObject(args) && typeof args.transform === 'string' ? args.transform.slice(0, 1000) : ''
  const key = (part: string) => new RegExp(`\\b${part}: *(\\w+)`).exec(jmes)?.[1]
  const [name, parameters] = [key('name'), key('arguments')]
  const each = jmes.startsWith('[*]')
  if (name === undefined || parameters === undefined) return { transform: '{content}', transform_each: each }
  const path = each ? '' : 'content.'
  return { transform: { name: `{${path}${name}}`, arguments: `{${path}${parameters}}` }, transform_each: each }
}

function propertyOf(node: JsonObject, key: string): JsonObject | undefined {
  const child = isJsonObject(node.properties) ? node.properties[key] : undefined
  return isJsonObject(child) ? child : undefined
}

/** An expression for the name alone: its one group is the name. */
function nameOnly(node: JsonObject, unread: string[]): Around | undefined {
  const regex = regexOf(node['x-regex'], 'name', unread)
  if (!regex) return undefined
  const parts = regex.type === 'sequence' ? regex.of : [regex]
  return { before: parts.map((part) => (part.type === 'group' ? { ...part, name: 'name' } : part)), after: [] }
}

function regexOf(source: JsonValue | undefined, name: string, unread: string[]): RegexNode | undefined {
  if (typeof source !== 'string') return undefined
  const parsed = parseRegex(source)
  if (parsed.type === 'regex') return parsed.node
  unread.push(`${name}: its expression cannot be read: ${parsed.why}`)
  return undefined
}

/**
 * The text before and after a group, in the branch of the expression that contains it. Without a name it is the first
 * group that takes text; without any, the whole match.
 */
function around(node: RegexNode, name: string | undefined): Around {
  return find(node, name) ?? { before: [], after: [] }
}

function find(node: RegexNode, name: string | undefined): Around | undefined {
  switch (node.type) {
    case 'group':
      if (name === undefined ? takesText(node.of) : node.name === name) return { before: [], after: [] }
      return find(node.of, name)
    // An optional part is left out with everything inside it.
    case 'repeat':
      return find(node.of, name)
    case 'choice':
      return node.of.map((one) => find(one, name)).find((one) => one !== undefined)
    case 'sequence': {
      for (const [index, part] of node.of.entries()) {
        const inner = find(part, name)
        if (!inner) continue
        const isOptional = part.type === 'repeat'
        if (isOptional && (inner.before.length > 0 || inner.after.length > 0)) return inner
        return {
          before: [...node.of.slice(0, index), ...inner.before],
          after: [...inner.after, ...node.of.slice(index + 1)],
        }
      }
      return undefined
    }
    default:
      return undefined
  }
}

/** The nodes after the last part that has a name. */
function afterAll(of: readonly RegexNode[]): RegexNode[] {
  return of.slice(of.findLastIndex(holdsName) + 1).filter(({ type }) => type !== 'look')
}

function holdsName(node: RegexNode): boolean {
  if (node.type === 'sequence' || node.type === 'choice') return node.of.some(holdsName)
  return (
    (node.type === 'group' && (node.name !== '' || holdsName(node.of))) ||
    (node.type === 'repeat' && holdsName(node.of))
  )
}

/** True for `.*?` and similar expressions. */
function takesText(node: RegexNode): boolean {
  if (node.type === 'sequence') return node.of.some(takesText)
  return node.type === 'repeat' && node.max === undefined
}

function delimiterOf(of: readonly RegexNode[]): Delimiter {
  const parts = of.filter(({ type }) => type !== 'anchor')
  return parts.length > 0 ? { type: 'delimiter', node: { type: 'sequence', of: parts } } : undefined
}
