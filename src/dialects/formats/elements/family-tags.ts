import {
  choice,
  close,
  closeTag,
  type Expression,
  jsonCalls,
  oneOrMore,
  openTag,
  type Pattern,
  pattern,
  sequence,
  token,
  tolerated,
} from '../../../grammar/index.ts'
import type { Block, FormatData } from '../../format/format.ts'
import { reasoningForms } from '../../format/reasoning-forms.ts'
import { gap } from '../parts/invocation.ts'
import { calls, fenced } from '../parts/json-parts.ts'
import { keyedCall } from './glm.ts'
import { invoke } from './minimax.ts'
import { qwenCall } from './qwen3-coder.ts'

/**
 * Calls between tags that a family names after itself, `<acme_tool_call>`: new families take the tags of GLM, Hermes or
 * Qwen3-Coder and put their own word before the names, of all of them or of the outer ones.
 */

/** The word before the name of a tag inside. */
const family: Pattern = pattern.sequence(
  pattern.chars('A-Za-z', 1, 1),
  pattern.chars('\\w.-', 0, 30),
  pattern.chars('_:|-', 1, 1),
)
const word: Pattern = pattern.tolerated(family)

/** The tag of that name, with a family's word before it or without. */
function familyTag(name: string): Pattern {
  return name.startsWith('/')
    ? pattern.sequence('</', word, `${name.slice(1)}>`)
    : pattern.sequence('<', word, `${name}>`)
}

const written = { prefix: 'family', written: 'iquestcoder_' } as const

/** GLM's pairs of a key and a value. */
const keyed = keyedCall(
  familyTag,
  (name) => [openTag('tool_call', written), token(name)],
  close(closeTag('tool_call', written)),
  '',
)

export const iquest: FormatData = {
  name: 'iquest',
  families: 'IQuest Coder V2, IQuest Q1',
  source: "vLLM's iquest_coder_v2 tool parser and SGLang's iquest_q1 detector",
  example:
    '<iquestcoder_tool_call>get_weather<arg_key>city</arg_key><arg_value>Paris</arg_value><arg_key>days</arg_key><arg_value>3</arg_value></iquestcoder_tool_call>',
  keys: /^[\w.-]+$/,
  blocks: [{ tree: keyed, place: 'anywhere' }],
  reasoning: [reasoningForms.think],
  markers: ['<|im_end|>'],
  separator: '',
}

const wrappers = ['tool_call', 'tool_calls', 'function_call', 'function_calls']

/** The calls that may be between the tags of a family: JSON, Qwen3-Coder's tags and MiniMax M2's. */
const content: readonly Expression[] = [
  sequence(calls, fenced(jsonCalls())),
  oneOrMore(sequence(qwenCall, gap())),
  oneOrMore(sequence(invoke, gap())),
]
const opener = openTag(wrappers, { prefix: 'family' })
const closer = close(closeTag(wrappers, { prefix: 'family' }))
const inTags = sequence(opener, gap(), choice(...content), gap(), closer)

/** These between tags of any family, for the universal reader; tags of several calls may be around those of each. */
const taggedCalls: Block = {
  tree: sequence(opener, gap(), choice(...content, oneOrMore(sequence(inTags, gap()))), gap(), closer),
  place: 'anywhere',
}

/** The same as tokens: `<|acme_tool_call|>`. */
function familyToken(...slash: readonly Pattern[]): Pattern {
  return pattern.sequence(
    '<',
    ...slash,
    family,
    pattern.choice('tool_call', 'function_call'),
    pattern.tolerated('s'),
    '|>',
  )
}
const openToken = familyToken(pattern.literal('|'))
const closeToken = tolerated(token(familyToken(pattern.choice('|/', '/|', '|end_', '|'))))
const tokenCalls: Block = {
  tree: sequence(token(openToken), gap(), choice(...content), gap(), closeToken),
  place: 'anywhere',
}

export const familyCalls: readonly Block[] = [taggedCalls, tokenCalls]
