import {
  chars,
  maybe,
  notAhead,
  oneOf,
  type Pattern,
  type PatternLike,
  sequence,
  space,
} from '../../../grammar/index.ts'

/**
 * How calls begin that are JSON without any marker. The first keys must prove the call: a brace in code, in prose, or
 * in an answer that is JSON itself begins nothing.
 */

/** All quotes that models write, and the backslash before one. */
const quotes = '"\'`\\\\\u2018\u2019\u201c\u201d\u201e\uff02'
const quote = chars(quotes, 0, 2)
/** A name, an id or the like: no text. It is taken whole: the keys behind it are made of the same letters. */
const wordSet = `^${quotes},\uff0c{}\uff5d()\\[\\]\\s`
const word = sequence(chars(wordSet, 1, 128), notAhead(chars(wordSet, 1, 1)))
const comma = sequence(space(), maybe(oneOf(',', '\uff0c')), space())

/** A key in whatever quotes, with its colon. */
function key(...names: string[]): Pattern {
  return sequence(quote, oneOf(...names), quote, space(), chars(':=\uff1a', 1, 1, ':'), maybe('>'), space())
}

function member(of: Pattern, value: PatternLike): Pattern {
  return sequence(of, quote, value, quote)
}

const nameKeys = ['name', 'tool', 'tool_name', 'toolName', 'function', 'function_name', 'recipient_name', 'action']
const argumentKeys = ['input', 'arguments', 'args', 'parameters', 'params', 'tool_input', 'action_input']
const idKeys = ['id', 'call_id', 'tool_call_id', 'index']

const nameKey = sequence(
  oneOf(...nameKeys, ...argumentKeys, 'tool_calls', 'tool_uses', 'function_calls', 'tool_call', 'function_call'),
  '"',
)

const comment = oneOf(sequence('//', chars('^\\n', 0, 200), '\n'), sequence('/*', chars('^*', 0, 200), '*/'))
const brace = sequence(oneOf('{', '\uff5b'), maybe('{'), space(), maybe(sequence(comment, space())))
/** Words that say what the object is: nothing else has them. */
const typed = member(key('type'), oneOf('function_call', 'function', 'tool_call', 'tool_use'))
/** A name by itself is in every second object of the world; with arguments it is a call's. */
const aside = maybe(sequence(member(key(...idKeys, 'type'), word), comma))
const named = sequence(member(key(...nameKeys), word), comma, aside, key(...argumentKeys))
const wrapped = sequence(key('function', 'tool'), oneOf('{', '\uff5b'), space(), key('name', ...argumentKeys))
/** Arguments first: an object, or a string of one. */
const argumentsFirst = sequence(key(...argumentKeys), quote, space(), oneOf('{', '\uff5b'))
const numbered = maybe(sequence(member(key(...idKeys), word), comma))

/** A name alone is a call where the object holds nothing else; the offered tools say whether it is one. */
const nameAlone = sequence(member(key(...nameKeys), word), space(), oneOf('}', '\uff5d'))
/** Some models are made to think in the call's first member. */
const thought = key('thought', 'thoughts', 'thinking', 'reasoning', 'explanation', 'analysis', 'plan')

const callStart = sequence(
  brace,
  oneOf(typed, thought, nameAlone, sequence(numbered, oneOf(typed, named, wrapped, argumentsFirst))),
)
/** A call within a line of text must be whole in its first members. */
const openList = sequence(oneOf('[', '\uff3b'), space())
export const embeddedCallStart: Pattern = sequence(maybe(openList), brace, numbered, oneOf(named, wrapped))
export const bareCallStart: Pattern = oneOf(callStart, sequence(openList, callStart))

/** What stands beside calls in an object around them: an answer, a state, a list. */
const besideText = sequence('"', chars('^"', 0, 300), '"')
const besideMember = sequence(
  '"',
  notAhead(oneOf(sequence(oneOf('role', 'content', 'refusal', 'reasoning_content'), '"'), nameKey)),
  chars('\\w.-', 1, 40),
  '"',
  space(),
  ':',
  space(),
  oneOf(
    besideText,
    chars('\\w.+-', 1, 40),
    sequence('[', chars('^\\[\\]{}', 0, 200), ']'),
    sequence('{', chars('^\\[\\]{}', 0, 200), '}'),
  ),
  space(),
  ',',
  space(),
)

/** An object around calls, alone or in a list. */
export const aroundCallsStart: Pattern = sequence(
  maybe(openList),
  brace,
  maybe(besideMember),
  maybe(besideMember),
  maybe(besideMember),
  oneOf(
    sequence(key('tool_calls', 'tool_uses', 'function_calls'), maybe(openList), oneOf('{', '\uff5b')),
    sequence(key('tool_calls', 'tool_call', 'function_calls', 'function_call'), oneOf('{', '\uff5b')),
  ),
)

const messageText = oneOf('null', sequence('"', chars('^"\\\\', 0, 200), '"'))
const messageMember = sequence(
  oneOf(
    member(key('role'), oneOf('assistant', 'user', 'tool', 'system')),
    sequence(key('content', 'refusal', 'reasoning_content'), messageText),
  ),
  comma,
)
/** A message of a transcript: what was called in it was called. */
export const messageStart: Pattern = sequence(
  brace,
  numbered,
  messageMember,
  maybe(messageMember),
  maybe(messageMember),
  key('tool_calls', 'function_call'),
  oneOf('[', '{'),
)
