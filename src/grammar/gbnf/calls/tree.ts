import { memoize, type Tool } from '../../../conversation/index.ts'
import type { Expression, Json, TokenOrTag, Value } from '../../tree/expression.ts'
import { objectId } from '../../tree/object-id.ts'
import type { Captures } from '../../tree/pattern.ts'
import { writePattern } from '../../tree/pattern-queries.ts'
import { differsByTool, holds, holdsAll, isNoSpace } from '../../write/tree.ts'
import { withSharedEnds } from '../affixes.ts'
import { choice, empty, type Gbnf, optional, repeat, sequence, text } from '../gbnf.ts'
import type { OfferedTool } from '../made-once.ts'
import type { GbnfRules } from '../rules.ts'
import { signsOf } from '../values/envelope.ts'
import { objectParts } from '../values/object-parts.ts'
import { offered } from '../values/offered.ts'
import { JsonGrammar } from './json.ts'
import { headsOf, isBound, markerOf } from './marker.ts'
import { MembersGrammar } from './members.ts'
import { type ArgumentCount, type PrintMode, printModes, type Scope } from './scope.ts'
import { taggedValue } from './tagged.ts'

/** The calls of a format's tree for the tools of a request: the written form is the admitted form. */
export class TreeGrammar {
  readonly #rules: GbnfRules
  readonly #tools: readonly OfferedTool[]
  readonly #names: string
  readonly #isParallel: boolean
  readonly #separator: string
  readonly #jsons: JsonGrammar
  readonly #members: MembersGrammar

  constructor(tools: readonly Tool[], options: { isParallel: boolean; separator: string }, rules: GbnfRules) {
    this.#rules = rules
    this.#isParallel = options.isParallel
    this.#separator = options.separator
    this.#tools = tools.map((tool) => offered(tool, rules))
    this.#names = JSON.stringify(tools.map(({ name }) => name))
    this.#jsons = new JsonGrammar(rules)
    this.#members = new MembersGrammar((tree, scope) => this.#print(tree, scope), rules)
  }

  /** Undefined if no tool can be called. */
  print(tree: Expression): Gbnf | undefined {
    if (holdsAll(tree)) return this.#fitting((mode) => this.#print(tree, { argumentCount: 'any', mode, closers: none }))
    const one = this.#calls(tree, none)
    if (!one || !this.#isParallel) return one
    const call = this.#rules.add('call', one)
    return sequence(call, repeat(sequence(this.#separator, call), 0))
  }

  #fitting(print: (mode: PrintMode) => Gbnf | undefined): Gbnf | undefined {
    for (const mode of printModes) {
      const found = print(mode)
      if (found) return found
    }
    return undefined
  }

  /** A call of one tool, with the markers around it in the tree. */
  #call(tree: Expression, tool: OfferedTool, closers: Scope['closers']): Gbnf | undefined {
    const forms = tool.objects.flatMap((schema) => {
      const parts = objectParts(schema, this.#rules)
      // An argument that must be there and that no value fits.
      if (parts.members.some((one) => one.isRequired && tool.schemas.of(one.schema).length === 0)) return []
      const isAnyNeeded = parts.least > 0 || parts.members.some(({ isRequired }) => isRequired)
      const isEmpty = parts.members.length === 0 && parts.others.length === 0
      const each: ArgumentCount[] = isAnyNeeded ? ['some'] : isEmpty ? ['none'] : ['some', 'none']
      const arities: ArgumentCount[] = holds(tree, 'argument') ? each : ['any']
      return arities.map((argumentCount) =>
        this.#fitting((mode) => this.#print(tree, { tool, schema, argumentCount, mode, closers })),
      )
    })
    const all = this.#alike(forms)
    if (!all) this.#rules.notice(`calls of "${tool.name}" cannot be expressed`)
    return all
  }

  /** A call of any tool. The parts around the one that differs are printed once for all. */
  #calls(tree: Expression, closers: Scope['closers']): Gbnf | undefined {
    if (tree.type === 'call') return this.#calls(tree.of, closers)
    if (this.#rules.isShared && tree.type === 'sequence' && tree.of.filter(differsByTool).length === 1)
      return this.#fitting((mode) => this.#sequence(tree.of, { argumentCount: 'any', mode, closers }))
    const key = `${this.#names} ${treeKey(tree)}`
    const make = () => this.#each((tool) => this.#call(tree, tool, closers))
    // Calls without a section equal those in a section if the latter were printed: neither may contain the section's
    // end.
    if (closers.length === 0) return this.#rules.once(mayLackEnd(tree) ? `${key} alone` : key, make)
    const found = this.#rules.once([key, ...closers.map(objectId)].join(' '), make)
    this.#rules.once(key, () => found)
    return found
  }

  #each(callOf: (tool: OfferedTool) => Gbnf | undefined): Gbnf | undefined {
    const labels: string[] = []
    const calls = this.#tools.flatMap((tool) => {
      const call = callOf(tool)
      if (call) labels.push(`call-${tool.label}`)
      return call ? [call] : []
    })
    const ruleOf = (of: readonly Gbnf[]) => choice(of.map((one, at) => this.#rules.add(labels[at] ?? 'call', one)))
    if (!this.#rules.isShared) return ruleOf(calls)
    return withSharedEnds(calls, (of) => {
      const found = ruleOf(of)
      const rule = found && this.#rules.add('tool', found)
      if (rule?.type === 'rule') this.#rules.calls.add(rule.name)
      return rule
    })
  }

  /** One of several ways to write a call. */
  #alike(forms: readonly (Gbnf | undefined)[]): Gbnf | undefined {
    return this.#rules.isShared ? withSharedEnds(forms.filter((form) => form !== undefined)) : choice(forms)
  }

  #print(tree: Expression, scope: Scope): Gbnf | undefined {
    if (!scope.tool && !holdsAll(tree) && differsByTool(tree)) return this.#calls(tree, scope.closers)
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
        if (!tree.isWritten || (scope.argumentCount === 'none' && holds(tree.of, 'argument'))) return empty
        return this.#print(tree.of, scope) ?? (scope.mode === 'escaped' ? empty : undefined)
      }
      case 'call':
        return this.#print(tree.of, scope)
      case 'repeat':
        return this.#repeat(tree, scope)
      case 'json':
        return this.#json(tree, scope)
      case 'value':
        return this.#value(tree, scope)
    }
  }

  #sequence(of: readonly Expression[], scope: Scope): Gbnf | undefined {
    const after = closersAfter(of)
    const inside = (index: number): Scope => {
      const own = after[index] ?? none
      return own.length === 0 ? scope : { ...scope, closers: joined(own, scope.closers) }
    }
    const isEach = (part: Expression) => part.type === 'repeat' && holds(part, 'argument')
    // The object with all arguments replaces the repeated single arguments.
    const one =
      scope.mode === 'tolerated' && scope.tool && of.some(isEach)
        ? of.findIndex((part) => part.type === 'optional' && !part.isWritten && holds(part, 'arguments'))
        : -1
    const parts = of.map((part, index) => {
      if (one >= 0 && index === one && part.type === 'optional') return this.#print(part.of, inside(index))
      if (one >= 0 && isEach(part)) return empty
      const isGap = this.#rules.isLoose && of[index + 1]?.type === 'close' && isNoSpace(part)
      // Models write the marker that closes calls on its own line, even if the template does not.
      const printed = isGap ? optional(text('\n')) : this.#print(part, inside(index))
      // A token at the very end also ends the turn, and engines do not write it then.
      const isLast = index === of.length - 1 && scope.closers.length === 0
      return printed && isLast && mayBeMissing(part) ? optional(printed) : printed
    })
    return parts.every((part) => part !== undefined) ? sequence(...parts) : undefined
  }

  #choice(of: readonly Expression[], scope: Scope): Gbnf | undefined {
    const isObject = (part: Expression) => holds(part, 'arguments')
    const holdsAny = (part: Expression) => isObject(part) || holds(part, 'argument')
    // If arguments are required and this is their place, an empty alternative is not allowed.
    const [first] = of
    const fitting = scope.argumentCount === 'some' && first && holdsAny(first) ? of.filter(holdsAny) : of
    const isEmpty = scope.argumentCount === 'none'
    const sorted = isEmpty ? [...fitting.filter((part) => !isObject(part)), ...fitting.filter(isObject)] : fitting
    for (const part of sorted) {
      const found = this.#print(part, scope)
      if (found) return found
    }
    return undefined
  }

  #marker(of: TokenOrTag, scope: Scope): Gbnf | undefined {
    const { tool, member, mode } = scope
    const name = tool?.name ?? this.#tools[0]?.name
    const values = { name, key: member?.key, type: member?.type, isLoose: this.#rules.isLoose }
    return markerOf(of, values, mode === 'escaped')
  }

  #repeat(tree: Extract<Expression, { type: 'repeat' }>, scope: Scope): Gbnf | undefined {
    const separator = tree.separator ? writePattern(tree.separator, {}) : ''
    if (!scope.tool && holds(tree.of, 'call')) {
      const one = this.#calls(tree.of, scope.closers)
      if (!one || !this.#isParallel) return one
      const call = this.#rules.add('call', one)
      return sequence(call, repeat(sequence(separator, call), 0))
    }
    if (!holds(tree.of, 'call') && !holds(tree.of, 'argument'))
      return tree.isOptional ? empty : this.#print(tree.of, scope)
    if (scope.argumentCount === 'none') return tree.isOptional ? empty : undefined
    return this.#members.all(tree.of, separator, scope)
  }

  #value(tree: Value, scope: Scope): Gbnf | undefined {
    const { tool, member } = scope
    const close = this.#marker(tree.close, scope)
    if (!tool || !member || tree.encoding === 'arguments' || close?.type !== 'literal') return undefined
    const shape = member.name === undefined ? tool.shape.property('') : tool.shape.property(member.name)
    const value = {
      format: tree,
      variants: member.variants,
      shape,
      key: member.name ?? 'other',
      saysType: member.words !== undefined,
      closer: close.text,
      marks: marksOf(tree, scope, { name: tool.name, ...(member.name !== undefined && { key: member.name }) }),
    }
    return taggedValue(value, tool.schemas, this.#rules)
  }

  #json(tree: Json, scope: Scope): Gbnf | undefined {
    const { tool, schema, member } = scope
    if (tree.holds === 'calls' && !tool) return this.#list(tree)
    if (!tool || !schema) return undefined
    switch (tree.holds) {
      case 'value':
        return member && this.#jsons.value(tree.style, tool, member)
      case 'arguments':
        return this.#jsons.arguments(tree.style, tool, schema, scope.argumentCount)
      case 'call':
      case 'calls':
        return this.#jsons.envelope(tree, tool, schema, scope.argumentCount)
    }
  }

  #list(tree: Json): Gbnf | undefined {
    const one = this.#calls(tree, none)
    if (!one) return undefined
    const call = this.#rules.add('call', one)
    const isLoose = this.#rules.isLoose && !tree.isBare
    const { signs } = tree.keys
    const { comma } = signsOf(signs && { ...signs, comma: signs.items }, isLoose ? this.#rules.space : undefined)
    const edge = isLoose ? this.#rules.space : empty
    return sequence('[', edge, call, this.#isParallel ? repeat(sequence(comma, call), 0) : empty, edge, ']')
  }
}

/** True if the end of a call may be missing: only possible if no section ends after it. */
function mayLackEnd(tree: Expression): boolean {
  const last = tree.type === 'sequence' ? tree.of.at(-1) : undefined
  return last !== undefined && mayBeMissing(last)
}

function mayBeMissing(part: Expression): boolean {
  return (part.type === 'optional' && part.isWritten) || (part.type === 'close' && part.mayBeMissing === true)
}

/** Trees with the same key are written alike. */
function treeKey(tree: Expression): string | number {
  return tree.type === 'json' ? JSON.stringify([tree.keys, tree.style, tree.isBare]) : objectId(tree)
}

/** The texts that a value must not contain. */
function marksOf(tree: Value, { closers, opener }: Scope, captures: Captures): readonly string[] {
  const known = marks.get(tree)
  if (known?.closers === closers && known.opener === opener) return known.marks
  const heads = [tree.close, ...closers].flatMap((closer) => headsOf(closer, captures))
  const nexts =
    opener && !isBound(tree.close) && tree.trim === 'line' ? headsOf(opener, {}).map((head) => `\n${head}`) : []
  const found = [...new Set([...heads, ...nexts])]
  if (![tree.close, ...closers].some(isBound)) marks.set(tree, { closers, opener, marks: found })
  return found
}

/** If no marker repeats captured text, they are the same for each argument of a format. */
const marks = new WeakMap<Value, Pick<Scope, 'closers' | 'opener'> & { marks: readonly string[] }>()

const none: readonly TokenOrTag[] = []

const joins = new WeakMap<readonly TokenOrTag[], WeakMap<readonly TokenOrTag[], readonly TokenOrTag[]>>()

/** Closing markers, and those around them: the same each time. */
function joined(own: readonly TokenOrTag[], around: readonly TokenOrTag[]): readonly TokenOrTag[] {
  const known = joins.get(own) ?? new WeakMap<readonly TokenOrTag[], readonly TokenOrTag[]>()
  joins.set(own, known)
  const found = known.get(around) ?? [...own, ...around]
  known.set(around, found)
  return found
}

/** The closing markers after each part of a sequence. */
const closersAfter = memoize((of: readonly Expression[]): readonly (readonly TokenOrTag[])[] =>
  of.map((_, index) => of.slice(index + 1).flatMap((part) => (part.type === 'close' ? [part.of] : []))),
)
