import {
  call,
  choice,
  close,
  type Expression,
  jsonArguments,
  jsonCall,
  oneOrMore,
  optional,
  type Pattern,
  type PatternLike,
  pattern,
  sequence,
  token,
  tolerated,
  unnamedCall,
} from '../../../grammar/index.ts'
import type { FormatData } from '../../format/format.ts'
import { reasoningForms } from '../../format/reasoning-forms.ts'
import { blank, fenced, parisArguments } from '../parts/json-parts.ts'

const name = pattern.capture('name', '^<>{}|\\s"', 128)
/** The call's number among all of the conversation. */
const index: Pattern = { type: 'capture', as: 'index', of: pattern.chars('0-9', 1, 6, '0') }

const argumentMark = '<|tool_call_argument_begin|>'
const callEnd = '<|tool_call_end|>'
const argumentBegin = pattern.sequence(pattern.space(), argumentMark)
/** The arguments directly after the id, if the markers were dropped. */
const bareArguments = pattern.sequence(pattern.space(), pattern.ahead(pattern.choice('{"', '{}')))
/** A call without arguments may lack their marker. */
const argumentBeginOrEnd = pattern.choice(
  pattern.sequence(pattern.space(), pattern.choice(argumentMark, pattern.ahead(callEnd))),
  bareArguments,
)

function head(...id: PatternLike[]): ReturnType<typeof token> {
  return token(pattern.space(), '<|tool_call_begin|>', pattern.space(), ...id, argumentBeginOrEnd)
}

/**
 * An id as servers generate it, or a number, which Kimi K2 copies from earlier calls: it has no meaning. The JSON after it names the
 * tool; otherwise its arguments decide.
 */
const idAlone: Pattern = {
  type: 'capture',
  as: 'id',
  of: pattern.choice(
    pattern.sequence(
      pattern.choice('call_', 'call-', 'chatcmpl-tool-', 'toolu_', 'tool_call_'),
      pattern.chars('\\w-', 1, 64),
    ),
    pattern.sequence(pattern.tolerated('functions.'), pattern.choice(':', '_', ''), pattern.chars('0-9', 1, 6)),
  ),
}
const idEnd = pattern.sequence(pattern.space(), argumentMark, pattern.space(), pattern.ahead('{'))
/** The name space and the number with other separators than usual: the names of the offered tools decide. */
const numbered = pattern.sequence('functions.', pattern.chars('\\w.-', 1, 128), '_', pattern.chars('0-9', 1, 6), idEnd)
const nameIn = pattern.sequence('{', pattern.space(), '"name"', pattern.space(), ':', pattern.space(), '"')

/** The id contains the name. K2.7 writes it with underscores; other models leave out the name space or the number. */
const heads = choice(
  head('functions.', name, ':', index),
  head('functions_', name, '_', index),
  head(
    pattern.notAhead(pattern.sequence(idAlone, idEnd)),
    pattern.choice(pattern.ahead(numbered), pattern.tolerated('functions.')),
    name,
    pattern.tolerated(pattern.sequence(':', index)),
  ),
)

const end = close(callEnd)
const named = call(heads, blank, fenced(jsonArguments()), end)
/** A call whose id does not contain its name. */
function unnamed(begin: Pattern, json: Expression): Expression {
  const opener = token(pattern.space(), '<|tool_call_begin|>', pattern.space(), idAlone, idEnd, begin)
  return sequence(opener, json, blank, end)
}
const namedInside = unnamed(pattern.ahead(nameIn), jsonCall())
const namedByArguments = unnamed(pattern.ahead('{'), unnamedCall())

/** In the singular, too. */
const sectionBegin = pattern.sequence('<|tool_call', pattern.optional('s'), '_section_begin|>')
const sectionEnd = pattern.sequence('<|tool_call', pattern.optional('s'), '_section_end|>')

function section(one: Expression): Expression {
  return sequence(optional(token(sectionBegin)), oneOrMore(one), close(sectionEnd))
}

const unopenedEnd = pattern.choice(argumentBegin, bareArguments)
const unopenedStart = pattern.sequence(
  'functions.',
  pattern.chars('^<>{}|\\s"', 1, 128),
  ':',
  pattern.chars('0-9', 1, 6),
  unopenedEnd,
)

/** Calls without their opening markers, which servers drop as special tokens, and models forget. */
const unopened: Expression = oneOrMore(
  call(token(pattern.space(), 'functions.', name, ':', index, unopenedEnd), blank, fenced(jsonArguments()), {
    type: 'close',
    of: token(callEnd),
    mayBeMissing: true,
  }),
)
const unopenedAlone = sequence(
  token(pattern.ahead(unopenedStart)),
  unopened,
  tolerated(token(pattern.space(), sectionEnd)),
)
const unopenedInSection = sequence(
  token(sectionBegin, pattern.space(), pattern.ahead(unopenedStart)),
  unopened,
  close(sectionEnd),
)

export const kimiK2: FormatData = {
  name: 'kimi-k2',
  families: 'Kimi K2, K2.5 to K2.7, Kimi-Linear',
  source: 'the tool call guidance of Kimi-K2-Instruct',
  example: `<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>${parisArguments}<|tool_call_end|><|tool_calls_section_end|>`,
  blocks: [
    { tree: section(named), place: 'anywhere' },
    { tree: section(choice(namedInside, namedByArguments, named)), place: 'anywhere' },
    { tree: unopenedInSection, place: 'anywhere' },
    { tree: unopenedAlone, place: 'phrase' },
  ],
  reasoning: [reasoningForms.think, reasoningForms.kimiVl],
  // Text between two calls leaves the section's end without a beginning, and a section may be empty.
  markers: [
    '<|im_end|>',
    pattern.sequence(sectionBegin, pattern.ahead(pattern.sequence(pattern.space(), sectionEnd))),
    sectionEnd,
  ],
}
