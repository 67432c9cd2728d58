import type { JsonObject } from '../../../conversation/index.ts'
import type { JsonStyle } from '../../../json/index.ts'
import { envelopeMembers } from '../../read/values/envelope-members.ts'
import type { Variant } from '../../schema/variants.ts'
import type { Json } from '../../tree/expression.ts'
import { choice, type Gbnf, sequence } from '../gbnf.ts'
import type { OfferedTool } from '../made-once.ts'
import type { GbnfRules } from '../rules.ts'
import { encodedInString } from '../values/encoded.ts'
import { envelopeObject, signsOf } from '../values/envelope.ts'
import { notationOf } from '../values/notation.ts'
import { ValueGrammar } from '../values/values.ts'
import { type ArgumentCount, type Member, typed } from './scope.ts'

/** Its reader takes escapes as Python has them. */
const jsonInPython: JsonStyle = { python: true, bothWords: true }

/** Types that may be written as JSON in a format that otherwise writes Python's values. */
const jsonKinds: readonly string[] = ['object', 'array', 'any']

/** The JSON parts of a tool's call: one argument, all of them, or the call itself. */
export class JsonGrammar {
  readonly #rules: GbnfRules

  constructor(rules: GbnfRules) {
    this.#rules = rules
  }

  /** The value of one argument. */
  value(style: JsonStyle, tool: OfferedTool, { variants, name = 'other' }: Member): Gbnf | undefined {
    const values = this.#values(style, tool)
    const objects = style.jsonObjects && this.#values(jsonInPython, tool)
    const asJson = (variant: Variant): (Gbnf | undefined)[] => {
      if (!objects || !jsonKinds.includes(variant.type)) return []
      const kinds = variant.type === 'any' ? [typed('object'), typed('array')] : [variant]
      return kinds.map((kind) => objects.ofVariant(kind, `${name}-${kind.type}`))
    }
    return choice(variants.flatMap((variant) => [values.ofVariant(variant, name), ...asJson(variant)]))
  }

  /** All arguments as one object: the same in all ways in which calls can be written. */
  arguments(style: JsonStyle, tool: OfferedTool, schema: JsonObject, argumentCount: ArgumentCount): Gbnf | undefined {
    const place = tool.objects.indexOf(schema)
    const make = () => this.#writeArguments(style, tool, schema, argumentCount)
    if (place < 0) return make()
    return this.#rules.once(
      `args ${notationOf(style, [], this.#rules).id} ${argumentCount} ${place} ${tool.name}`,
      make,
    )
  }

  /** The call as an object that holds its name and its arguments. */
  envelope(
    { keys, style, isBare }: Json,
    tool: OfferedTool,
    schema: JsonObject,
    argumentCount: ArgumentCount,
  ): Gbnf | undefined {
    const args = this.arguments(style, tool, schema, argumentCount)
    const written = args && (keys.isEncoded ? sequence('"', encodedInString(args, this.#rules), '"') : args)
    if (!written) return undefined
    const space = this.#rules.isLoose && !isBare ? this.#rules.space : undefined
    return envelopeObject(envelopeMembers(keys), { name: tool.name, args: written }, signsOf(keys.signs, space))
  }

  #writeArguments(
    style: JsonStyle,
    tool: OfferedTool,
    schema: JsonObject,
    argumentCount: ArgumentCount,
  ): Gbnf | undefined {
    const object = this.#values(style, tool).object(schema, tool.label, { argumentCount, isTop: true })
    const rule = object && this.#rules.add(`args-${tool.label}`, object)
    // Engines that support JSON schemas use the tool's own.
    if (rule?.type === 'rule' && isPlain(style) && tool.objects.length === 1 && !tool.hasGrammar)
      this.#rules.schemas.set(rule.name, tool.schema)
    return rule
  }

  #values(style: JsonStyle, tool: OfferedTool): ValueGrammar {
    return new ValueGrammar(notationOf(style, [], this.#rules), tool.schemas, this.#rules)
  }
}

function isPlain({ python, singleQuotes, delimiters }: JsonStyle): boolean {
  return !python && !singleQuotes && (delimiters ?? []).length === 0
}
