import {
  call,
  choice,
  close,
  closeTag,
  type Expression,
  jsonArguments,
  oneOrMore,
  openTag,
  type Pattern,
  type PatternLike,
  pattern,
  repeat,
  sequence,
  type Tag,
  type TypeWords,
  textArguments,
  token,
  tolerated,
  value,
} from '../../../grammar/index.ts'

/** White space between two tags: any is read, `as` is written. */
export function gap(as: string = ''): Expression {
  return token(pattern.space(as))
}

/** A closing marker that is repeated. */
export function again(closer: Tag | PatternLike): Expression {
  return tolerated(gap(), typeof closer !== 'string' && closer.type === 'tag' ? closer : token(closer))
}

/** A call as an element that names the tool in an attribute: `<invoke name="f">`, with its arguments inside. */
export interface Invocation {
  /** Names of the call's element; the first is written. */
  elements: readonly string[]
  /** Names of an argument's element; the first is written. */
  parameters: readonly string[]
  prefix?: Tag['prefix']
  /** The prefix that is written. */
  written?: string
  /** The attributes that may name the tool; `name` by default. */
  nameAttributes?: readonly string[]
  /** True if the element has the call's id. */
  hasId?: boolean
  /** The attributes that may name an argument's type. */
  typeAttributes?: readonly string[]
  typeWords?: TypeWords
  /** XML's entities are decoded in values. */
  entities?: boolean
  /** Quotes around a string are part of it. */
  keepsQuotes?: boolean
  /** The text between tags. */
  between: string
  /** True if nothing surrounds the call. Prose may then mention its tag, so a part of a call must follow the tag. */
  isBare?: boolean
}

/** The beginnings of a call's content. A description belongs to a tool. */
const body: Pattern = pattern.sequence(
  pattern.space(),
  pattern.notAhead('<description>'),
  pattern.choice('<', '{', '"{', '```'),
)

export function invocation(format: Invocation): Expression {
  const { elements, prefix = 'none', written = '', nameAttributes = ['name'], hasId, between, isBare } = format
  const attributes = { ...(hasId && { id: ['id'] }), name: nameAttributes }
  const closer = closeTag(elements, { prefix, written })
  const one = call(
    openTag(elements, { attributes, needs: ['name'], prefix, written, ...(isBare && { before: body }) }),
    argumentsOf(format),
    gap(between),
    close(closer),
  )
  // The opening tag may come twice, or around the call that is meant: the inner one has the arguments.
  const inner = pattern.sequence(pattern.space(), '<', pattern.chars('^<>/"', 0, 24), pattern.choice(...elements), ' ')
  return sequence(tolerated(openTag(elements, { prefix, before: inner, isOpen: true }), gap()), one, again(closer))
}

/**
 * The arguments between a call's tags. Whatever a model was told, it may write them in any of these forms: one element
 * each, all as JSON, in one more element, or in elements that are named like the arguments.
 */
export function argumentsOf(format: Parameters<typeof parameter>[0]): Expression {
  const { entities = false } = format
  // A vendor's tags are known by their first letters, so that this one would be taken for that of an argument.
  const stray = closeTag(surelyArguments, { prefix: 'namespace' })
  return sequence(
    choice(
      oneOrMore(parameter(format)),
      jsonBody(entities),
      // Models continue with arguments after the element that contains the others.
      sequence(argumentsElement(format), repeat(choice(parameter(format), namedElement(format)))),
      oneOrMore(namedElement(format)),
      sequence(),
    ),
    // The element around the arguments is closed though it was not opened.
    tolerated(gap(), stray),
  )
}

/** `<parameter name="city">Paris</parameter>` */
function parameter(format: Omit<Invocation, 'elements'>): Expression {
  const { parameters, prefix = 'none', written = '', typeAttributes } = format
  const attributes = { key: ['name', 'key'], value: ['value'], ...(typeAttributes && { type: typeAttributes }) }
  const closer = closeTag(parameters, { prefix, written })
  return sequence(
    gap(format.between),
    openTag(parameters, { attributes, needs: ['key'], prefix, written }),
    value(closer, format),
    again(closer),
  )
}

/** `<city>Paris</city>`: objects and lists inside are elements as well. */
export function namedElement(format: Pick<Invocation, 'entities' | 'keepsQuotes'>): Expression {
  return sequence(
    gap(),
    token(
      '<',
      pattern.notAhead(argumentsWord),
      pattern.capture('key', '\\w.:-'),
      pattern.space(),
      pattern.tolerated('/'),
      '>',
    ),
    value(pattern.sequence('</', pattern.captured('key'), pattern.space(), '>'), { ...format, encoding: 'markup' }),
  )
}

/** Arguments as one object, or an object that has them under one key. */
function jsonBody(entities: boolean): Expression {
  return sequence(
    token(pattern.space(), pattern.ahead(pattern.choice('{', '"{'))),
    jsonArguments({}, { isWrapped: true, entities }),
  )
}

const surelyArguments = ['arguments', 'parameters', 'args', 'params']
const argumentsNames = [...surelyArguments, 'input', 'args_json', 'argument', 'parameter', 'ccx_arguments']
/** An element with one of these names holds all arguments, or its content is unreadable. */
const argumentsWord = pattern.sequence(pattern.choice(...argumentsNames), pattern.choice('>', ' '))

/** Texts that mean no arguments in place of an object. */
const nothing: Expression = tolerated(token(pattern.choice('null', '<![CDATA[]]>')), gap())

/** `<arguments>{"city": "Paris"}</arguments>`: with the JSON bare, in CDATA or in a fence, or with elements instead. */
function argumentsElement(format: Omit<Invocation, 'elements'>): Expression {
  const { entities = false, prefix = 'none' } = format
  const tagged = { prefix: prefix === 'vendor' ? prefix : 'namespace' } as const
  const argumentsOpener = openTag(argumentsNames, tagged)
  const argumentsCloser = closeTag(argumentsNames, tagged)
  const end = [gap(), close(argumentsCloser)]
  // The JSON of a CDATA section is text: a section is split if the text contains its end.
  const inCdata = token(
    pattern.ahead(pattern.sequence(pattern.space(), '<![CDATA[', pattern.space(), pattern.choice('{', '"{'))),
  )
  return choice(
    sequence(gap(), argumentsOpener, jsonBody(entities), ...end),
    sequence(gap(), argumentsOpener, inCdata, textArguments(argumentsCloser)),
    sequence(
      gap(),
      argumentsOpener,
      token(pattern.space(), '```', pattern.tolerated('json')),
      jsonBody(entities),
      gap(),
      close('```'),
      ...end,
    ),
    sequence(gap(), argumentsOpener, oneOrMore(parameter(format)), ...end),
    sequence(gap(), argumentsOpener, gap(), nothing, argumentsCloser),
    sequence(gap(), argumentsOpener, oneOrMore(namedElement(format)), ...end),
  )
}
