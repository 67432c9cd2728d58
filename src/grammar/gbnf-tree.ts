import type { JsonObject, Tool } from '../conversation/index.ts'
import type { JsonStyle } from '../json/index.ts'
import { envelopeMembers } from './envelope-members.ts'
import type { Expression, Json, TokenOrTag, TypeWords } from './expression.ts'
import { either, empty, type Gbnf, inOrder, perhaps, text, times } from './gbnf.ts'
import { CharSet } from './gbnf-chars.ts'
import { encodedInString } from './gbnf-encoded.ts'
import { envelopeObject } from './gbnf-envelope.ts'
import { headsOf, markerOf, openerOf, wordFor } from './gbnf-marker.ts'
import { notationOf, otherWord } from './gbnf-notation.ts'
import { type OfferedTool, offered } from './gbnf-offered.ts'
import type { GbnfRules } from './gbnf-rules.ts'
import { taggedValue, typesOfVariant } from './gbnf-tagged.ts'
import { ValueGrammar } from './gbnf-values.ts'
import { refersBack, writePattern } from './pattern.ts'
import { type MemberRule, membersOf } from './schema-object.ts'
import { objectParts } from './schema-object-parts.ts'
import type { Variant } from './schema-variants.ts'
import { escapeName } from './write-marker.ts'
import { holds, holdsAll, saysType, wordsOf } from './write-tree.ts'

/** How much of a format is used, as when calls are written. */
const manners = ['usual', 'tolerated', 'escaped'] as const
type Manner = (typeof manners)[number]
/** Whether the call has arguments: what is written without any differs. */
type Arity = 'any' | 'some' | 'none'

interface Member {
  key: string | Gbnf
  /** The argument's name, where it is known. */
  name: string | undefined
  variants: readonly Variant[]
  /** The words for its type, if a marker says it. */
  words: TypeWords | undefined
  type: string | undefined
}

interface Scope {
  tool?: OfferedTool
  schema?: JsonObject
  arity: Arity
  manner: Manner
  member?: Member
  /** The closing markers of what is open around the expression. */
  closers: readonly TokenOrTag[]
  /** What the next argument begins with. */
  opener?: TokenOrTag | undefined
}

const nameChars = CharSet.range('a', 'z').or(CharSet.range('A', 'Z')).or(CharSet.of('_'))

/** The calls of a format's tree for the tools of a request: what is written is what is admitted. */
export class TreeGrammar {
  readonly #rules: GbnfRules
  readonly #tools: readonly OfferedTool[]
  readonly #isParallel: boolean
  readonly #separator: string

  constructor(tools: readonly Tool[], options: { isParallel: boolean; separator: string }, rules: GbnfRules) {
    this.#rules = rules
    this.#isParallel = options.isParallel
    this.#separator = options.separator
    this.#tools = tools.map((tool) => offered(tool, rules))
  }

  /** Undefined where no tool can be called. */
  print(tree: Expression): Gbnf | undefined {
    if (holdsAll(tree)) return this.#fitting((manner) => this.#print(tree, { arity: 'any', manner, closers: [] }))
    const one = either(this.#tools.map((tool) => this.#call(tree, tool, [])))
    if (!one || !this.#isParallel) return one
    const call = this.#rules.add('call', one)
    return inOrder(call, times(inOrder(this.#separator, call), 0))
  }

  #fitting(print: (manner: Manner) => Gbnf | undefined): Gbnf | undefined {
    for (const manner of manners) {
      const found = print(manner)
      if (found) return found
    }
    return undefined
  }

  /** A call of one tool, with whatever stands around it in the tree. */
  #call(tree: Expression, tool: OfferedTool, closers: Scope['closers']): Gbnf | undefined {
    const forms = tool.objects.flatMap((schema) => {
      const parts = objectParts(schema, this.#rules)
      const isAnyNeeded = parts.isNonEmpty || parts.members.some(({ isRequired }) => isRequired)
      const isEmpty = parts.members.length === 0 && parts.extra === undefined
      const each: Arity[] = isAnyNeeded ? ['some'] : isEmpty ? ['none'] : ['some', 'none']
      const arities: Arity[] = holds(tree, 'argument') ? each : ['any']
      return arities.map((arity) =>
        this.#fitting((manner) => this.#print(tree, { tool, schema, arity, manner, closers })),
      )
    })
    const all = either(forms)
    if (!all) this.#rules.notice(`calls of "${tool.name}" cannot be expressed`)
    return all && this.#rules.add(`call-${tool.label}`, all)
  }

  #print(tree: Expression, scope: Scope): Gbnf | undefined {
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
      case 'optional': {
        if (!tree.isWritten || (scope.arity === 'none' && holds(tree.of, 'argument'))) return empty
        return this.#print(tree.of, scope) ?? (scope.manner === 'escaped' ? empty : undefined)
      }
      case 'call':
        return scope.tool
          ? this.#print(tree.of, scope)
          : either(this.#tools.map((tool) => this.#call(tree, tool, scope.closers)))
      case 'repeat':
        return this.#repeat(tree, scope)
      case 'json':
        return this.#json(tree, scope)
      case 'value':
        return this.#value(tree, scope)
    }
  }

  #sequence(of: readonly Expression[], scope: Scope): Gbnf | undefined {
    const behind = closersBehind(of)
    const inside = (index: number): Scope => {
      const own = behind[index] ?? []
      return own.length === 0 ? scope : { ...scope, closers: [...own, ...scope.closers] }
    }
    const isEach = (part: Expression) => part.type === 'repeat' && holds(part, 'argument')
    // The arguments as one object stand for each by itself.
    const one =
      scope.manner === 'tolerated' && scope.tool && of.some(isEach)
        ? of.findIndex((part) => part.type === 'optional' && !part.isWritten && holds(part, 'arguments'))
        : -1
    const parts = of.map((part, index) => {
      if (one >= 0 && index === one && part.type === 'optional') return this.#print(part.of, inside(index))
      if (one >= 0 && isEach(part)) return empty
      const isGap = this.#rules.isLoose && of[index + 1]?.type === 'close' && isNoSpace(part)
      // Models put what closes calls on a line of its own, even where the template does not.
      const printed = isGap ? perhaps(text('\n')) : this.#print(part, inside(index))
      // A token at the very end also ends the turn, and engines do not write it then.
      const isLast = index === of.length - 1 && scope.closers.length === 0
      return printed && isLast && part.type === 'optional' && part.isWritten ? perhaps(printed) : printed
    })
    return parts.every((part) => part !== undefined) ? inOrder(...parts) : undefined
  }

  #choice(of: readonly Expression[], scope: Scope): Gbnf | undefined {
    const isObject = (part: Expression) => holds(part, 'arguments')
    const isEmpty = scope.arity === 'none'
    const sorted = isEmpty ? [...of.filter((part) => !isObject(part)), ...of.filter(isObject)] : of
    for (const part of sorted) {
      const found = this.#print(part, scope)
      if (found) return found
    }
    return undefined
  }

  #marker(of: TokenOrTag, scope: Scope): Gbnf | undefined {
    const { tool, member, manner } = scope
    const name = tool?.name ?? this.#tools[0]?.name
    const values = { name, key: member?.key, type: member?.type, isLoose: this.#rules.isLoose }
    return markerOf(of, values, manner === 'escaped')
  }

  #repeat(tree: Extract<Expression, { type: 'repeat' }>, scope: Scope): Gbnf | undefined {
    const separator = tree.separator ? writePattern(tree.separator, {}) : ''
    if (!scope.tool && holds(tree.of, 'call')) {
      const one = either(this.#tools.map((tool) => this.#call(tree.of, tool, scope.closers)))
      if (!one || !this.#isParallel) return one
      const call = this.#rules.add('call', one)
      return inOrder(call, times(inOrder(separator, call), 0))
    }
    if (!holds(tree.of, 'call') && !holds(tree.of, 'argument'))
      return tree.isOptional ? empty : this.#print(tree.of, scope)
    if (scope.arity === 'none') return tree.isOptional ? empty : undefined
    return this.#members(tree.of, separator, scope)
  }

  /** All arguments, each as the tree has it. */
  #members(tree: Expression, separator: string, scope: Scope): Gbnf | undefined {
    const { tool, schema } = scope
    if (!tool || !schema) return undefined
    const words = saysType(tree) ? wordsOf(tree) : undefined
    const opener = openerOf(tree)
    const parts = objectParts(schema, this.#rules)
    const members: MemberRule[] = []
    for (const { key, schema: one, isRequired } of parts.members) {
      const variants = tool.schemas.of(one)
      if (variants.length === 0 && !isRequired) continue
      const member: Member = { key, name: key, variants, words, type: undefined }
      const gbnf =
        this.#member(tree, member, { ...scope, opener }) ?? this.#misfit(tree, member, isRequired, { ...scope, opener })
      if (gbnf === 'left-out') continue
      if (!gbnf) return undefined
      members.push({ key, isRequired, gbnf: this.#rules.add(`${tool.label}-${key}`, gbnf) })
    }
    let extra: Gbnf | undefined
    if (parts.extra !== undefined) {
      // The word is cut off where the marker goes on, which begins with none of its characters.
      const word = otherWord(
        parts.members.map(({ key }) => key),
        { first: nameChars, rest: nameChars.or(CharSet.range('0', '9')), end: '' },
        this.#rules,
      )
      const variants = tool.schemas.of(parts.extra)
      extra = this.#member(tree, { key: word, name: undefined, variants, words, type: undefined }, { ...scope, opener })
      if (extra) this.#rules.notice('arguments that a schema has no names for may come twice')
      else this.#rules.notice('arguments that a schema has no names for have no place in the format')
    }
    const format = { separator: text(separator), extra, isNonEmpty: true, label: tool.label }
    return membersOf(members, format, this.#rules)
  }

  /** An argument whose key fits no marker: it is left out where it may be, else written with what does not fit replaced. */
  #misfit(tree: Expression, member: Member, isRequired: boolean, scope: Scope): Gbnf | 'left-out' | undefined {
    if (scope.manner !== 'escaped') return undefined
    this.#rules.notice(`${scope.tool?.name}: the name of argument "${member.name}" has no place in the format`)
    return isRequired ? this.#member(tree, { ...member, key: escapeName(member.name ?? '') }, scope) : 'left-out'
  }

  /** One argument; where a marker says its type, once for each. */
  #member(tree: Expression, member: Member, scope: Scope): Gbnf | undefined {
    const { words, variants } = member
    if (!words) return this.#print(tree, { ...scope, member })
    const byWord = new Map<string, Variant[]>()
    for (const variant of variants) {
      for (const type of typesOfVariant(variant)) {
        const named: Variant = variant.type === 'any' ? typed(type) : variant
        byWord.set(wordFor(type, words), [...(byWord.get(wordFor(type, words)) ?? []), named])
        // A whole number may be named as one or as any.
        const whole: Variant =
          variant.type === 'number' ? { ...variant, type: 'integer' } : { type: 'integer', schema: {} }
        const word = wordFor('integer', words)
        if (type === 'number' && word !== wordFor(type, words)) byWord.set(word, [...(byWord.get(word) ?? []), whole])
      }
    }
    return either(
      [...byWord].map(([type, some]) => this.#print(tree, { ...scope, member: { ...member, type, variants: some } })),
    )
  }

  #value(tree: Extract<Expression, { type: 'value' }>, scope: Scope): Gbnf | undefined {
    const { tool, member } = scope
    const close = this.#marker(tree.close, scope)
    if (!tool || !member || tree.encoding === 'arguments' || close?.type !== 'literal') return undefined
    const captures = member.name === undefined ? {} : { key: member.name }
    const isBound = tree.close.type === 'token' && refersBack(tree.close.pattern)
    const heads = [tree.close, ...scope.closers].flatMap((closer) => headsOf(closer, captures))
    const nexts =
      scope.opener && !isBound && tree.trim === 'line' ? headsOf(scope.opener, {}).map((head) => `\n${head}`) : []
    const shape = member.name === undefined ? tool.shape.property('') : tool.shape.property(member.name)
    const value = {
      format: tree,
      variants: member.variants,
      shape,
      key: member.name ?? 'other',
      saysType: member.words !== undefined,
      closer: close.text,
      marks: [...new Set([...heads, ...nexts])],
    }
    return taggedValue(value, tool.schemas, this.#rules)
  }

  #json(tree: Json, scope: Scope): Gbnf | undefined {
    const { tool, schema, member } = scope
    if (tree.holds === 'calls' && !tool) return this.#list(tree)
    if (!tool || !schema) return undefined
    switch (tree.holds) {
      case 'value': {
        const values = this.#values(tree.style, tool)
        const objects = tree.style.jsonObjects && this.#values(jsonInPython, tool)
        const label = `${tool.label}-${member?.name ?? 'other'}`
        const asJson = (variant: Variant): (Gbnf | undefined)[] => {
          if (!objects || !['object', 'array', 'any'].includes(variant.type)) return []
          const kinds = variant.type === 'any' ? [typed('object'), typed('array')] : [variant]
          return kinds.map((kind) => objects.ofVariant(kind, `${label}-${kind.type}`))
        }
        return (
          member && either(member.variants.flatMap((variant) => [values.ofVariant(variant, label), ...asJson(variant)]))
        )
      }
      case 'arguments':
        return this.#arguments(tree.style, tool, schema, scope.arity)
      case 'call':
      case 'calls':
        return this.#envelope(tree, tool, schema, scope.arity)
    }
  }

  #values(style: JsonStyle, tool: OfferedTool): ValueGrammar {
    return new ValueGrammar(notationOf(style, [], this.#rules), tool.schemas, this.#rules)
  }

  /** The same in all ways in which calls can be written. */
  #arguments(style: JsonStyle, tool: OfferedTool, schema: JsonObject, arity: Arity): Gbnf | undefined {
    const place = tool.objects.indexOf(schema)
    const make = () => this.#writeArguments(style, tool, schema, arity)
    if (place < 0) return make()
    return this.#rules.once(`args ${notationOf(style, [], this.#rules).id} ${arity} ${place} ${tool.name}`, make)
  }

  #writeArguments(style: JsonStyle, tool: OfferedTool, schema: JsonObject, arity: Arity): Gbnf | undefined {
    const object = this.#values(style, tool).object(schema, tool.label, { arity, isTop: true })
    const rule = object && this.#rules.add(`args-${tool.label}`, object)
    // Engines that know JSON schemas take the tool's own.
    if (rule?.type === 'rule' && isPlain(style) && tool.objects.length === 1)
      this.#rules.schemas.set(rule.name, tool.schema)
    return rule
  }

  #list(tree: Json): Gbnf | undefined {
    const one = either(
      this.#tools.map((tool) => {
        const forms = tool.objects.map((schema) => this.#envelope(tree, tool, schema, 'any'))
        const all = either(forms)
        return all && this.#rules.add(`call-${tool.label}`, all)
      }),
    )
    if (!one) return undefined
    const call = this.#rules.add('call', one)
    const isLoose = this.#rules.isLoose && !tree.isBare
    const [edge, comma] = isLoose ? [this.#rules.space, inOrder(',', this.#rules.space)] : [empty, ', ']
    return inOrder('[', edge, call, this.#isParallel ? times(inOrder(comma, call), 0) : empty, edge, ']')
  }

  #envelope({ keys, style, isBare }: Json, tool: OfferedTool, schema: JsonObject, arity: Arity): Gbnf | undefined {
    const args = this.#arguments(style, tool, schema, arity)
    const written = args && (keys.isEncoded ? inOrder('"', encodedInString(args, this.#rules), '"') : args)
    if (!written) return undefined
    const space = this.#rules.isLoose && !isBare ? this.#rules.space : undefined
    return envelopeObject(envelopeMembers(keys), tool.name, written, space)
  }
}

/** Its reader takes escapes as Python has them. */
const jsonInPython: JsonStyle = { python: true, bothWords: true }

const closers = new WeakMap<readonly Expression[], readonly (readonly TokenOrTag[])[]>()

/** The closing markers behind each part of a sequence. */
function closersBehind(of: readonly Expression[]): readonly (readonly TokenOrTag[])[] {
  let found = closers.get(of)
  if (!found) {
    found = of.map((_, index) => of.slice(index + 1).flatMap((part) => (part.type === 'close' ? [part.of] : [])))
    closers.set(of, found)
  }
  return found
}

/** True for white space of which none is written. */
function isNoSpace(part: Expression): boolean {
  if (part.type !== 'token') return false
  const [one, ...rest] = part.pattern.type === 'sequence' ? part.pattern.of : [part.pattern]
  return one?.type === 'chars' && one.set === '\\s' && one.min === 0 && one.as === '' && rest.length === 0
}

function isPlain({ python, singleQuotes, delimiters }: JsonStyle): boolean {
  return !python && !singleQuotes && (delimiters ?? []).length === 0
}

function typed(type: string): Variant {
  if (type === 'boolean' || type === 'null') return { type }
  return { type: type === 'array' || type === 'object' || type === 'number' ? type : 'string', schema: {} }
}
