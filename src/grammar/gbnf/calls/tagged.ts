import { type JsonStyle, SchemaTypes, types } from '../../../json/index.ts'
import { CharSet } from '../../regex/chars.ts'
import type { SchemaVariants, Variant } from '../../schema/variants.ts'
import type { Value } from '../../tree/expression.ts'
import { refersBack } from '../../tree/pattern-queries.ts'
import { jsonTypeOf, writeText } from '../../write/value.ts'
import { counted } from '../counted.ts'
import { charsOf, choice, type Gbnf, sequence, text } from '../gbnf.ts'
import type { GbnfRules } from '../rules.ts'
import { textUntilKey } from '../until/key.ts'
import type { Mistaken } from '../until/text-kind.ts'
import { textUntil, type Until } from '../until/until.ts'
import { encodedInMarkup } from '../values/encoded.ts'
import { elementsOf, emptyOf } from '../values/markup.ts'
import { notationOf } from '../values/notation.ts'
import { stringContent } from '../values/string.ts'
import { ValueGrammar } from '../values/values.ts'

/** One argument's value between its markers. */
export interface TaggedGrammar {
  format: Value
  variants: readonly Variant[]
  /** The types that the reader expects of the value. */
  shape: SchemaTypes
  key: string
  /** True if a marker before the value names its type. */
  saysType: boolean
  closer: string
  /** Texts that must not occur in the value. */
  marks: readonly string[]
}

const jsonTypes = ['number', 'boolean', 'null', 'object', 'array'] as const

/** The value and its closing marker; undefined if no value fits. */
export function taggedValue(value: TaggedGrammar, schemas: SchemaVariants, rules: GbnfRules): Gbnf | undefined {
  const { format, shape, closer, key } = value
  const variants = rules.isFull ? anything(rules) : value.variants
  const kept = format.entities ? [] : value.marks
  let made: ValueGrammar | undefined
  const json = () => {
    made ??= new ValueGrammar(notationOf({}, kept, rules), schemas, rules)
    return made
  }
  let madePrinted: ValueGrammar | undefined
  const printed = () => {
    madePrinted ??= new ValueGrammar(notationOf(asPrinted, kept, rules), schemas, rules)
    return madePrinted
  }
  const [before, after] = format.lines ? ['\n', '\n'] : ['', '']
  const closed = (gbnf: Gbnf | undefined): Gbnf | undefined => gbnf && sequence(before, gbnf, `${after}${closer}`)
  const asJson = (variant: Variant): Gbnf | undefined =>
    choice([
      json().ofVariant(variant, key),
      format.pythonWords && isPrintable(variant, shape) ? printed().ofVariant(variant, `${key}-printed`) : undefined,
    ])
  const isText = shape.isString || isNullableString(shape)
  return choice(
    variants.map((variant): Gbnf | undefined => {
      if (format.encoding === 'json') return closed(asJson(variant))
      if (variant.type === 'const') {
        const written = writeText(format, [key, variant.json], shape, value.saysType)
        return text(format.trim === 'none' ? written + closer : `${written}${closer}`)
      }
      const plain = (one: Gbnf | undefined) => (one && format.entities ? encodedInMarkup(one, rules) : one)
      if (variant.type === 'any') {
        if (!value.saysType) return rawText(value, 'any', rules)
        return closed(plain(choice(jsonTypes.map((type) => asJson(anyOf(type))))))
      }
      if (variant.type !== 'string') {
        const markup = { prefix: format.tagPrefix, marks: value.marks, schemas, json, rules }
        const isMarkup = format.encoding === 'markup'
        return choice([
          closed(isMarkup ? elementsOf(variant, shape, key, markup) : undefined),
          closed(isMarkup ? emptyOf(variant, shape, rules) : undefined),
          closed(plain(asJson(variant))),
        ])
      }
      const content = stringContent(variant.schema, rules)
      if (isText || (value.saysType && shape.untyped)) return textOf(value, content, rules)
      // If other types are possible, a string that looks like one of them is written in quotes.
      const quoted = closed(plain(asJson(variant)))
      return content ? quoted : choice([quoted, rawText(value, 'safe', rules)])
    }),
  )
}

/** Any value: used for the remaining schemas once the grammar has reached its largest size. */
function anything(rules: GbnfRules): readonly Variant[] {
  rules.notice('schemas that are too large: their remaining parts may be anything')
  return [{ type: 'any' }]
}

/** Values as Python prints them: `{'a': True}`. */
const asPrinted: JsonStyle = { python: true, singleQuotes: true }

/**
 * True for a type that Python prints differently from JSON. If a string fits as well, a list or an object that is not
 * JSON is read as a string.
 */
function isPrintable({ type }: Variant, shape: SchemaTypes): boolean {
  if (type === 'object' || type === 'array') return !shape.allows(types.string)
  return type === 'boolean' || type === 'null'
}

function anyOf(type: (typeof jsonTypes)[number]): Variant {
  return type === 'boolean' || type === 'null' ? { type } : { type, schema: {} }
}

function isNullableString(shape: SchemaTypes): boolean {
  return shape.types === nullableString.types
}
const nullableString: SchemaTypes = SchemaTypes.of({ type: ['string', 'null'] })

/** The type of a variant, as a marker names it; several if it may be any. */
export function typesOfVariant(variant: Variant): readonly string[] {
  if (variant.type === 'any') return ['string', ...jsonTypes]
  return [variant.type === 'const' ? jsonTypeOf(variant.json) : variant.type]
}

/** Characters with a special meaning in the text of a value. A pattern cannot be kept free of that meaning. */
const delicate = CharSet.of('<"&\n\r\uff1c\u3008]')

function textOf(value: TaggedGrammar, content: Gbnf | undefined, rules: GbnfRules): Gbnf {
  const { format, closer } = value
  if (!content) return rawText(value, 'string', rules)
  if (isLength(content)) {
    const kind = content.min > 0 ? 'non-empty' : 'string'
    const isCounted = format.entities && content.min <= 1
    if (!isCounted && (content.max !== undefined || content.min > 1)) {
      rules.notice(`the length of argument "${value.key}" is not expressed: text between tags is not counted`)
    }
    return rawText(value, kind, rules, isCounted ? content.max : undefined)
  }
  if (!mayHold(content, delicate, rules)) {
    return format.lines ? sequence('\n', content, `\n${closer}`) : sequence(content, closer)
  }
  rules.notice(`the pattern or grammar of argument "${value.key}" is not expressed: it may admit markers of the format`)
  return rawText(value, 'string', rules)
}

function isLength(gbnf: Gbnf): gbnf is Extract<Gbnf, { type: 'repeat' }> {
  return gbnf.type === 'repeat' && gbnf.of.type === 'chars' && CharSet.all.without(gbnf.of.set).isEmpty
}

/** True if a text of an expression may have a character of the set. */
function mayHold(gbnf: Gbnf, set: CharSet, rules: GbnfRules, open: Set<string> = new Set()): boolean {
  switch (gbnf.type) {
    case 'literal':
      return [...gbnf.text].some((char) => set.has(char))
    case 'chars':
      return !gbnf.set.and(set).isEmpty
    case 'sequence':
    case 'choice':
      return gbnf.of.some((part) => mayHold(part, set, rules, open))
    case 'repeat':
      return mayHold(gbnf.of, set, rules, open)
    case 'rule': {
      if (open.has(gbnf.name)) return false
      open.add(gbnf.name)
      const body = rules.all.get(gbnf.name)
      return body === undefined || mayHold(body, set, rules, open)
    }
  }
}

type TextKind = 'string' | 'non-empty' | 'safe' | 'any'

/**
 * Raw text up to the closing marker. In formats with entities, characters are counted, up to `max`. In others the text
 * needs a state for each prefix of a marker, and counting would multiply these by the number of characters.
 */
function rawText(value: TaggedGrammar, kind: TextKind, rules: GbnfRules, max?: number): Gbnf {
  const { format, closer, marks } = value
  const isVerbatim = format.keepsQuotes === true && value.shape.isString
  if (format.entities) return sequence(entityText(kind, isVerbatim, rules, max), closer)
  const not: Until['not'] =
    kind === 'safe' ? othersOf(value.shape) : kind === 'any' || isVerbatim ? ['cdata'] : ['cdata', 'quoted']
  const isNonEmpty = kind === 'non-empty' || kind === 'safe'
  const until: Until = {
    closer: `${format.lines ? '\n' : ''}${closer}`,
    marks,
    isLineStart: format.lines,
    not,
    isNonEmpty,
  }
  const isKeyed = format.close.type === 'token' && refersBack(format.close.pattern)
  const found = (isKeyed ? textUntilKey(until, rules) : undefined) ?? textUntil(until, rules)
  return sequence(format.lines ? '\n' : '', found)
}

/**
 * The other types for which a string must not be mistaken. Even if there are none, it must not begin with a quote or a
 * tag.
 */
function othersOf(shape: SchemaTypes): Until['not'] {
  const found: Mistaken[] = []
  if (shape.allows(types.number | types.integer)) found.push('number')
  if (shape.allows(types.boolean | types.null)) found.push('word')
  if (shape.allows(types.object | types.array)) found.push('structure')
  return found.length > 0 ? found : ['number', 'word', 'structure']
}

const entityNames = ['&lt;', '&gt;', '&amp;']
const entityChars = CharSet.all.without(CharSet.of('<>&'))

/**
 * Text with XML's entities in place of special characters; it does not begin with a quote that would be removed. Each
 * entity is one character.
 */
function entityText(kind: TextKind, isVerbatim: boolean, rules: GbnfRules, max?: number): Gbnf {
  const char = rules.add('text-char', choice([charsOf(entityChars), ...entityNames.map(text)]) ?? text(' '))
  const blank = CharSet.of(' \t\n\r\u00a0\u3000\ufeff\u2028\u2029\u000b\f')
  const unsafe = kind === 'safe' ? CharSet.of("'{[-+.0123456789tfnuTFNUI") : CharSet.none
  const first = entityChars.without(blank.or(CharSet.of(isVerbatim ? '' : '"')).or(unsafe))
  const start = kind === 'safe' ? charsOf(first) : (choice([charsOf(first), ...entityNames.map(text)]) ?? text(' '))
  if (max === 0) return text('')
  const whole = sequence(start, counted(char, 0, max === undefined ? undefined : max - 1, rules))
  return kind === 'non-empty' || kind === 'safe' ? whole : (choice([whole, text('')]) ?? whole)
}
