import type { Tool } from '../../conversation/index.ts'
import { escapeText, isEscapedText, mapStrings, objectMembers, SchemaTypes, unescapeJson } from '../../json/index.ts'
import { envelopeKeys } from '../read/values/arguments-object.ts'
import type { Expression, Json, TokenOrTag, TypeWords } from '../tree/expression.ts'
import type { Captures } from '../tree/pattern.ts'
import { writePattern } from '../tree/pattern-queries.ts'
import { writeEnvelope } from './envelope.ts'
import { escapeName, writeMarker } from './marker.ts'
import { holds, holdsAll, saysType, typeWord, typeWordsOf } from './tree.ts'
import { memberObject, type WrittenMember, writeJson, writeText } from './value.ts'

/** A call as it is to be written. */
export interface WrittenCall {
  name: string
  id?: string
  /** An object as JSON text. */
  arguments: string
}

export interface WriteOptions {
  /** The text between two calls, if the tree contains a single call. Default: a line break. */
  separator?: string
  /** Breaks the marks of the format in the content of a string. */
  neutralise?: (content: string) => string
}

/**
 * The modes of writing. `usual`: the format's own form. `tolerated`: if that has no place for an argument's key, all
 * arguments as one object, if the reader accepts it. `escaped`: characters that no form can express are replaced, `a"b`
 * by `a_b`.
 */
const printModes = ['usual', 'tolerated', 'escaped'] as const
type PrintMode = (typeof printModes)[number]

/**
 * Calls as a format writes them, such that its reader reads them back. If a call does not fit the first of several
 * forms, the first that it fits is taken.
 */
export function writeCalls(
  tree: Expression,
  calls: readonly WrittenCall[],
  tools: readonly Tool[],
  options: WriteOptions = {},
): string {
  const prepared = calls.map((call, index) => prepare(call, index, tools, options))
  const groups = holdsAll(tree) ? [prepared] : prepared.map((call) => [call])
  return groups.map((group) => writeGroup(tree, group)).join(options.separator ?? '\n')
}

function writeGroup(tree: Expression, calls: readonly Prepared[]): string {
  for (const mode of printModes) {
    const written = new Writer(calls, mode).write(tree, {})
    if (written !== undefined) return written
  }
  return ''
}

/** A call with its arguments taken apart, each value as JSON text. */
interface Prepared {
  name: string
  id: string
  /** Its place among the calls. */
  index: string
  shape: SchemaTypes
  /** The names that the tool's schema has for arguments. */
  properties: readonly string[]
  members: readonly WrittenMember[]
}

/** The schema of unknown tools: most arguments are strings. */
const stringArguments: SchemaTypes = SchemaTypes.of({ additionalProperties: { type: 'string' } })

function prepare(call: WrittenCall, index: number, tools: readonly Tool[], options: WriteOptions): Prepared {
  const tool = tools.find(({ name }) => name === call.name)
  const { neutralise } = options
  const neutral = (json: string) =>
    neutralise ? mapStrings(json, (content) => broken(content, neutralise).json) : json
  const member = (name: string, json: string): WrittenMember => {
    const key = String(JSON.parse(neutral(JSON.stringify(name))))
    if (!neutralise || !json.startsWith('"')) return [key, neutral(json)]
    const content = json.slice(1, -1)
    const { json: other, text } = broken(content, neutralise)
    return [key, other === content ? json : `"${other}"`, text]
  }
  const members = objectMembers(call.arguments) ?? []
  return {
    name: call.name,
    id: call.id ?? `call_${index}`,
    index: String(index),
    shape: tool ? SchemaTypes.of(tool.schema) : stringArguments,
    properties: Object.keys(Object(tool?.schema.properties)),
    // A key comes to the reader as its JSON text, too.
    members: members.map(([key, json]) => member(key, json)),
  }
}

/**
 * The text of a JSON string with the marks broken in it, and its content as JSON, escaped no more than necessary, as readers emit it.
 */
function broken(content: string, neutralise: (text: string) => string): { json: string; text: string } {
  const text = unescapeJson(content)
  const neutral = neutralise(text)
  return { json: neutral === text && isEscapedText(content) ? content : escapeText(neutral), text: neutral }
}

/** The current part of the output. */
interface Scope {
  call?: Prepared | undefined
  member?: WrittenMember
  /** The names of types in a marker before the value. Undefined if it has none. */
  words?: TypeWords | undefined
}

/** Writes a tree; undefined if the calls do not fit it. */
class Writer {
  readonly #calls: readonly Prepared[]
  readonly #mode: PrintMode

  constructor(calls: readonly Prepared[], mode: PrintMode) {
    this.#calls = calls
    this.#mode = mode
  }

  write(tree: Expression, scope: Scope): string | undefined {
    switch (tree.type) {
      case 'token':
      case 'tag':
        return this.#marker(tree, scope)
      case 'close':
        return this.#marker(tree.of, scope)
      case 'sequence':
        return this.#sequence(tree.of, scope)
      case 'choice':
        return this.#choice(tree.of, scope)
      case 'optional':
        return this.#optional(tree, scope)
      case 'call':
        return this.write(tree.of, { call: scope.call ?? this.#calls[0] })
      case 'repeat':
        return this.#repeat(tree, scope)
      case 'json':
        return this.#json(tree, scope)
      case 'value': {
        const { call, member } = scope
        const close = this.#marker(tree.close, scope)
        if (!call || !member || close === undefined) return undefined
        return writeText(tree, member, call.shape.property(member[0]), scope.words !== undefined) + close
      }
    }
  }

  #sequence(of: readonly Expression[], scope: Scope): string | undefined {
    if (this.#mode !== 'tolerated' || !scope.call) return join(of.map((part) => this.write(part, scope)))
    // The arguments as one object replace each argument.
    const one = of.findIndex((part) => part.type === 'optional' && !part.isWritten && holds(part, 'arguments'))
    const isEach = (part: Expression) => part.type === 'repeat' && holds(part, 'argument')
    if (one < 0 || !of.some(isEach)) return join(of.map((part) => this.write(part, scope)))
    return join(
      of.map((part, index) => {
        if (index === one && part.type === 'optional') return this.write(part.of, scope)
        return isEach(part) ? '' : this.write(part, scope)
      }),
    )
  }

  #optional(tree: Extract<Expression, { type: 'optional' }>, scope: Scope): string | undefined {
    if (!tree.isWritten) return ''
    const isEmpty = scope.call?.members.length === 0
    if (isEmpty && holds(tree.of, 'argument')) return ''
    return this.write(tree.of, scope) ?? (this.#mode === 'escaped' ? '' : undefined)
  }

  #marker(of: TokenOrTag, scope: Scope): string | undefined {
    return writeMarker(of, this.#captures(scope), this.#mode === 'escaped')
  }

  #captures({ call = this.#calls[0], member, words = {} }: Scope): Captures {
    return {
      ...(call && { name: call.name, id: call.id, index: call.index }),
      ...(member && { key: member[0], type: typeWord(member[1], words) }),
    }
  }

  #choice(of: readonly Expression[], scope: Scope): string | undefined {
    // A call without arguments needs no empty object, if there is any other way.
    const isEmpty = scope.call?.members.length === 0
    const isObject = (part: Expression) => holds(part, 'arguments')
    const sorted = isEmpty ? [...of.filter((part) => !isObject(part)), ...of.filter(isObject)] : of
    for (const part of sorted) {
      const written = this.write(part, scope)
      if (written !== undefined) return written
    }
    return undefined
  }

  #repeat(tree: Extract<Expression, { type: 'repeat' }>, scope: Scope): string | undefined {
    const scopes: Scope[] =
      scope.call || !holds(tree.of, 'call')
        ? (scope.call?.members ?? []).map((member) => ({
            ...scope,
            member,
            words: saysType(tree.of) ? typeWordsOf(tree.of) : undefined,
          }))
        : this.#calls.map((call) => ({ call }))
    if (scopes.length === 0 && !tree.isOptional) return undefined
    if (!holds(tree.of, 'call') && !holds(tree.of, 'argument')) return tree.isOptional ? '' : this.write(tree.of, scope)
    const separator = tree.separator ? writePattern(tree.separator, {}) : ''
    return join(
      scopes.map((one) => this.#each(tree.of, one)),
      separator,
    )
  }

  /** One of several calls; each that does not fit is escaped separately. */
  #each(tree: Expression, scope: Scope): string | undefined {
    if (this.#mode !== 'escaped') return this.write(tree, scope)
    const written = new Writer(this.#calls, 'usual').write(tree, scope)
    if (written !== undefined) return written
    const { member } = scope
    return this.write(tree, member ? { ...scope, member: [escapeName(member[0]), member[1]] } : scope)
  }

  #json(tree: Json, scope: Scope): string | undefined {
    const call = scope.call ?? this.#calls[0]
    switch (tree.holds) {
      case 'value':
        return scope.member && writeJson(scope.member[1], tree.style)
      case 'arguments':
        return call && writeJson(tree.isWrapped ? wrapped(call) : memberObject(call.members), tree.style, tree.entities)
      case 'call':
        return call && writeJson(writeEnvelope(call, tree.keys), tree.style)
      case 'calls':
        return writeJson(`[${this.#calls.map((one) => writeEnvelope(one, tree.keys)).join(', ')}]`, tree.style)
    }
  }
}

/** Wraps arguments in an object if their first one would be taken for such an object. */
function wrapped({ members, properties }: Prepared): string {
  const object = memberObject(members)
  const [key, json] = members[0] ?? ['', '']
  const isTaken = envelopeKeys.has(key) && json.startsWith('{') && !properties.includes(key)
  return isTaken ? memberObject([[key, object]]) : object
}

/** Added one to the other: `join` copies each part, for large arguments once in each sequence around them. */
function join(parts: readonly (string | undefined)[], separator: string = ''): string | undefined {
  let text = ''
  for (const [index, part] of parts.entries()) {
    if (part === undefined) return undefined
    text += index === 0 ? part : separator + part
  }
  return text
}
