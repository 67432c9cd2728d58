import {
  ahead,
  call,
  capture,
  chars,
  choice,
  close,
  type Expression,
  jsonArguments,
  jsonCall,
  maybe,
  notAhead,
  oneOf,
  optional,
  type Pattern,
  type PatternLike,
  seq,
  sequence,
  some,
  space,
  token,
  tolerated,
} from '../../../grammar/index.ts'
import type { FormatData } from '../../format/format.ts'
import { reasoningForms } from '../../format/reasoning-forms.ts'
import { blank, fenced, parisArguments } from '../parts/json-parts.ts'

const name = capture('name', '^<>{}|\\s"', 128)
/** The call's number among all of the conversation. */
const index: Pattern = { type: 'capture', as: 'index', of: chars('0-9', 1, 6, '0') }

const argumentMark = '<|tool_call_argument_begin|>'
const callEnd = '<|tool_call_end|>'
const argumentBegin = sequence(space(), argumentMark)
/** Where the markers are dropped, the arguments follow the id. */
const bareArguments = sequence(space(), ahead(oneOf('{"', '{}')))
/** A call without arguments may lack their marker. */
const argumentBeginOrEnd = oneOf(sequence(space(), oneOf(argumentMark, ahead(callEnd))), bareArguments)

function head(...id: PatternLike[]): ReturnType<typeof token> {
  return token(space(), '<|tool_call_begin|>', space(), ...id, argumentBeginOrEnd)
}

/** An id as servers make them up, which Kimi K2 copies from earlier calls: it says nothing, and the JSON behind it names the tool. */
const idAlone = sequence(oneOf('call_', 'chatcmpl-tool-', 'toolu_'), chars('\\w-', 1, 64))
const nameIn = sequence('{', space(), '"name"', space(), ':', space(), '"')

/** The id stands for the name. K2.7 writes it with underscores, others without the name space or the number. */
const heads = choice(
  head('functions.', name, ':', index),
  head('functions_', name, '_', index),
  head(
    notAhead(sequence(idAlone, argumentBegin, space(), nameIn)),
    maybe('functions.'),
    name,
    maybe(sequence(':', index)),
  ),
)

const end = close(callEnd)
const named = call(heads, blank, fenced(jsonArguments()), end)
const namedInside = seq(head(idAlone), token(space(), ahead(nameIn)), jsonCall(), blank, end)

/** In the singular, too. */
const sectionBegin = sequence('<|tool_call', maybe('s', true), '_section_begin|>')
const sectionEnd = sequence('<|tool_call', maybe('s', true), '_section_end|>')

function section(one: Expression): Expression {
  return seq(optional(token(sectionBegin)), some(one), close(sectionEnd))
}

const unopenedEnd = oneOf(argumentBegin, bareArguments)
const unopenedStart = sequence('functions.', chars('^<>{}|\\s"', 1, 128), ':', chars('0-9', 1, 6), unopenedEnd)

/** Calls without their opening markers, which servers drop as special tokens, and models forget. */
const unopened: Expression = some(
  call(token(space(), 'functions.', name, ':', index, unopenedEnd), blank, fenced(jsonArguments()), {
    type: 'close',
    of: token(callEnd),
    mayBeMissing: true,
  }),
)
const unopenedAlone = seq(token(ahead(unopenedStart)), unopened, tolerated(token(space(), sectionEnd)))
const unopenedInSection = seq(token(sectionBegin, space(), ahead(unopenedStart)), unopened, close(sectionEnd))

export const kimiK2: FormatData = {
  name: 'kimi-k2',
  families: 'Kimi K2, K2.5 to K2.7, Kimi-Linear',
  source: 'the tool call guidance of Kimi-K2-Instruct',
  example: `<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>${parisArguments}<|tool_call_end|><|tool_calls_section_end|>`,
  blocks: [
    { tree: section(named), place: 'anywhere' },
    { tree: section(choice(namedInside, named)), place: 'anywhere' },
    { tree: unopenedInSection, place: 'anywhere' },
    { tree: unopenedAlone, place: 'phrase' },
  ],
  reasoning: [reasoningForms.think],
  // Text between two calls of a section leaves its end without a beginning, and a section may hold none.
  markers: ['<|im_end|>', sequence(sectionBegin, ahead(sequence(space(), sectionEnd))), sectionEnd],
}
