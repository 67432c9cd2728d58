import {
  call,
  choice,
  close,
  closeTag,
  type Expression,
  jsonArguments,
  oneOrMore,
  openTag,
  pattern,
  repeat,
  sequence,
  token,
  tolerated,
  value,
} from '../../../grammar/index.ts'
import type { Block } from '../../format/format.ts'
import { argumentsOf, gap, invocation } from '../parts/invocation.ts'

/** Elements around one call, under the names that prompts and models have given them. */
const wrappers = ['tool_call', 'function_call', 'tool_use', 'ccx_tool']
/** Elements around several. */
const sections = ['tool_calls', 'function_calls', 'tool_uses']
/** Elements that hold the tool's name. */
const nameElements = ['name', 'tool_name', 'tool_call_name', 'function', 'function_name', 'tool', 'ccx_name']
const namespace = { prefix: 'namespace' } as const
const parameters = ['parameter', 'argument', 'param', 'arg']

/**
 * Calls as XML in the forms that prompts request and that models invent: a wrapper with elements for the
 * name and the arguments, or an element with the name in an attribute. `entities`: XML's entities are decoded in values.
 * Try the formats of model families before these blocks, because values in them are not XML. Try DSML after these blocks:
 * its tags may lack their prefix, and it would read these elements as its own.
 */
export function xmlBlocks(entities: boolean): Block[] {
  const format = {
    parameters,
    typeAttributes: ['type', 'string'],
    typeWords: { string: 'true' },
    entities,
    between: '',
  }
  const attributed = { ...format, ...namespace, nameAttributes: ['name', 'function', 'tool'], hasId: true }
  const elements = ['invoke', 'function', 'tool']
  const element = invocation({ ...attributed, elements })
  // Nothing announces it: prose about the element has no element for the name right after it.
  const named = call(
    openTag('invoke', {
      ...namespace,
      attributes: { id: ['id'] },
      before: pattern.sequence(pattern.space(), '<', pattern.choice(...nameElements), '>'),
    }),
    gap(),
    name,
    argumentsOf(format),
    gap(),
    close(closeTag('invoke', namespace)),
  )
  const bare = choice(invocation({ ...attributed, elements, isBare: true }), named)
  // An element for the name counts more than an attribute.
  const wrapped = choice(
    call(openWrapper, gap(), tolerated(id), gap(), name, argumentsOf(format), gap(), close(closeWrapper)),
    invocation({ ...attributed, elements: wrappers }),
    sequence(openWrapper, oneOrMore(sequence(gap(), element)), gap(), close(closeWrapper)),
    paired(entities),
  )
  return [
    {
      tree: sequence(
        openSection,
        oneOrMore(sequence(gap(), choice(wrapped, element, named))),
        tolerated(stray),
        gap(),
        close(closeSection),
      ),
      place: 'anywhere',
    },
    // The section's opening tag may be missing although its closing tag is there.
    { tree: several(wrapped), place: 'anywhere' },
    { tree: several(bare), place: 'phrase' },
  ]
}

function several(one: Expression): Expression {
  return sequence(one, tolerated(oneOrMore(sequence(gap(), one))), tolerated(gap(), closeAround))
}

const openSection = openTag(sections, namespace)
const closeSection = closeTag(sections, namespace)
/** The closing tags of elements around calls whose opening tags are missing. */
const closeAround = closeTag([...sections, ...wrappers, 'dots_function_call'], namespace)
/** Unknown tags, directly before the end. */
const stray: Expression = sequence(
  gap(),
  token(
    '<',
    pattern.tolerated('/'),
    pattern.chars('\\w.:-', 1, 40),
    '>',
    pattern.ahead(pattern.sequence(pattern.space(), '</')),
  ),
)
const openWrapper = openTag(wrappers, { ...namespace, attributes: { id: ['id'] } })
const closeWrapper = closeTag(wrappers, namespace)

const id: Expression = token('<id>', pattern.space(), pattern.capture('id', '\\w-'), pattern.space(), '</id>')

const nameSpace = pattern.tolerated(pattern.sequence(pattern.chars('\\w.-', 1, 30), ':'))

/** `<name>f</name>`: the tags must be of one name, for text about functions has others. */
const name: Expression = choice(
  ...nameElements.map((element) =>
    token(
      '<',
      nameSpace,
      `${element}>`,
      pattern.space(),
      pattern.tolerated('<![CDATA['),
      pattern.capture('name', '^<>\\[\\]{}\\n'),
      pattern.tolerated(']]>'),
      pattern.space(),
      '</',
      nameSpace,
      `${element}>`,
    ),
  ),
)

/** `<function_call>f</function_call><function parameter name="city">Paris</function parameter>` */
function paired(entities: boolean): Expression {
  const quote = pattern.choice('"', "'")
  return call(
    token('<function_call>', pattern.space(), pattern.capture('name', '\\w.:-'), pattern.space(), '</function_call>'),
    repeat(
      sequence(
        gap(),
        token('<function parameter name=', quote, pattern.capture('key', '^<>"\''), quote, pattern.space(), '>'),
        value('</function parameter>', { entities }),
      ),
    ),
  )
}

/** JSON that does not name the tool. */
const unnamedJson = pattern.sequence(
  pattern.space(),
  '{',
  pattern.space(),
  pattern.notAhead(pattern.sequence('"', pattern.choice(...nameElements), '"')),
)

/**
 * `<tool_call name="f">{"city": "Paris"}</tool_call>`: tried before the formats with the name in the JSON, because
 * these read further before they fail.
 */
export const attributedJson: Block = {
  tree: call(
    openTag(wrappers, {
      ...namespace,
      attributes: { id: ['id'], name: ['name', 'function', 'tool'] },
      needs: ['name'],
      before: unnamedJson,
    }),
    token(pattern.space()),
    jsonArguments({}, { isWrapped: true, entities: true }),
    gap(),
    close(closeWrapper),
  ),
  place: 'anywhere',
}

/** For readers that are not given the format. */
export const xmlCalls: readonly Block[] = xmlBlocks(true)
