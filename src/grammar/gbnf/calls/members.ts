import { CharSet } from '../../regex/chars.ts'
import { schemaKey } from '../../schema/key.ts'
import type { Variant } from '../../schema/variants.ts'
import type { Expression } from '../../tree/expression.ts'
import { objectId } from '../../tree/object-id.ts'
import { escapeName } from '../../write/marker.ts'
import { namesTool, saysType, typeWordsOf } from '../../write/tree.ts'
import { choice, type Gbnf, text } from '../gbnf.ts'
import type { GbnfRules } from '../rules.ts'
import type { MemberRule } from '../values/member-places.ts'
import { otherWord } from '../values/notation.ts'
import { mayBeList, membersOf } from '../values/object.ts'
import { anyOther, objectParts } from '../values/object-parts.ts'
import { argumentOpenerOf, wordFor } from './marker.ts'
import { type Member, type Scope, typed } from './scope.ts'
import { typesOfVariant } from './tagged.ts'

const nameChars = CharSet.range('a', 'z').or(CharSet.range('A', 'Z')).or(CharSet.of('_'))

type CallScope = Scope & Required<Pick<Scope, 'tool' | 'schema'>>

/** Prints an expression of the tree in a scope. */
type Print = (tree: Expression, scope: Scope) => Gbnf | undefined

/** The arguments of a call, each by itself as the tree has it. */
export class MembersGrammar {
  readonly #print: Print
  readonly #rules: GbnfRules

  constructor(print: Print, rules: GbnfRules) {
    this.#print = print
    this.#rules = rules
  }

  /**
   * All arguments; undefined if a required one has no place in the format. Calls with another opening share the result.
   */
  all(tree: Expression, separator: string, scope: Scope): Gbnf | undefined {
    const { tool, schema } = scope
    if (!tool || !schema) return undefined
    const place = [objectId(tree), scope.mode, ...scope.closers.map(objectId)].join(' ')
    return this.#rules.once([tool.name, objectId(schema), scope.argumentCount, place, separator].join(' '), () =>
      this.#all(tree, separator, place, { ...scope, tool, schema }),
    )
  }

  #all(tree: Expression, separator: string, place: string, scope: CallScope): Gbnf | undefined {
    const { tool, schema } = scope
    const words = saysType(tree) ? typeWordsOf(tree) : undefined
    const inside = { ...scope, opener: argumentOpenerOf(tree) }
    // A schema that combines others makes more of a property than the property's own schema does.
    const isPlain = tool.objects.length === 1 && schema === tool.schema && ![tree, ...scope.closers].some(namesTool)
    const parts = objectParts(schema, this.#rules)
    const members: MemberRule[] = []
    for (const { key, schema: one, isRequired } of parts.members) {
      const variants = tool.schemas.of(one)
      if (variants.length === 0 && !isRequired) continue
      const member: Member = { key, name: key, variants, words, type: undefined }
      const ofSchema = isPlain ? schemaKey(one) : undefined
      const same = ofSchema && `${place} ${JSON.stringify(key)} ${ofSchema}`
      const fitting = this.#rules.perSchema(same, () => {
        const found = this.#one(tree, member, inside)
        return found && this.#rules.add(`${key}-arg`, found)
      })
      const gbnf = fitting ?? this.#misfit(tree, member, isRequired, inside)
      if (gbnf === 'left-out') continue
      if (!gbnf) return undefined
      members.push({
        key,
        isRequired,
        isOnce: mayBeList(variants),
        gbnf: fitting ?? this.#rules.add(`${key}-arg`, gbnf),
      })
    }
    let extra: Gbnf | undefined
    const other = anyOther(parts, this.#rules)
    if (other !== undefined) {
      // The word ends before the rest of the marker, which begins with none of its characters.
      const word = otherWord(
        parts.members.map(({ key }) => key),
        { first: nameChars, rest: nameChars.or(CharSet.range('0', '9')), end: '' },
        this.#rules,
      )
      const variants = tool.schemas.of(other)
      extra = this.#one(tree, { key: word, name: undefined, variants, words, type: undefined }, inside)
      if (extra) this.#rules.notice('arguments that the schema does not name may come twice')
      else this.#rules.notice('arguments that the schema does not name cannot be written in the format')
    }
    return membersOf(members, { separator: text(separator), extra, isNonEmpty: true }, this.#rules)
  }

  /**
   * An argument whose key fits no marker: it is left out if it is optional, otherwise written with the characters that
   * do not fit replaced.
   */
  #misfit(tree: Expression, member: Member, isRequired: boolean, scope: Scope): Gbnf | 'left-out' | undefined {
    if (scope.mode !== 'escaped') return undefined
    this.#rules.notice(`${scope.tool?.name}: the name of argument "${member.name}" cannot be written in the format`)
    return isRequired ? this.#one(tree, { ...member, key: escapeName(member.name ?? '') }, scope) : 'left-out'
  }

  /** One argument; if a marker names its type, one alternative for each type. */
  #one(tree: Expression, member: Member, scope: Scope): Gbnf | undefined {
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
        if (type === 'number' && variant.type !== 'const' && word !== wordFor(type, words))
          byWord.set(word, [...(byWord.get(word) ?? []), whole])
      }
    }
    return choice(
      [...byWord].map(([type, some]) => this.#print(tree, { ...scope, member: { ...member, type, variants: some } })),
    )
  }
}
