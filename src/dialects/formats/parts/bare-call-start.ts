import { keysOfSlot, type Pattern, type PatternLike, pattern } from '../../../grammar/index.ts'

/**
 * The beginnings of calls that are JSON without any marker. The first keys must prove the call: a brace in code, in
 * prose, or in an answer that is JSON begins no call.
 */

/** All quotes that models write, and the backslash before one. */
const quotes = '"\'`\\\\\u2018\u2019\u201c\u201d\u201e\uff02'
/**
 * Two are all that models write. V8 copies what follows an optional part for each of up to three repetitions, so that a
 * limit of two would make the code of these expressions five times as long to compile.
 */
const quote = pattern.chars(quotes, 0, 4)
/** A name, an id or similar, not text. It is matched whole, because the keys after it consist of the same letters. */
const wordSet = `^${quotes},\uff0c{}\uff5d()\\[\\]\\s`
const word = pattern.sequence(pattern.chars(wordSet, 1, 128), pattern.notAhead(pattern.chars(wordSet, 1, 1)))
const comma = pattern.sequence(pattern.space(), pattern.tolerated(pattern.choice(',', '\uff0c')), pattern.space())

/** A key in any quotes, with its colon. */
function key(...names: string[]): Pattern {
  return pattern.sequence(
    quote,
    pattern.choice(...names),
    quote,
    pattern.space(),
    pattern.chars(':=\uff1a', 1, 1, ':'),
    pattern.tolerated('>'),
    pattern.space(),
  )
}

function member(of: Pattern, value: PatternLike): Pattern {
  return pattern.sequence(of, quote, value, quote)
}

const nameKeys = keysOfSlot('name')
const argumentKeys = keysOfSlot('arguments')
const idKeys = ['id', 'call_id', 'tool_call_id', 'index']

const nameKey = pattern.sequence(pattern.choice(...nameKeys, ...argumentKeys, ...keysOfSlot('calls')), '"')

const comment = pattern.choice(
  pattern.sequence('//', pattern.chars('^\\n', 0, 200), '\n'),
  pattern.sequence('/*', pattern.chars('^*', 0, 200), '*/'),
)
const brace = pattern.sequence(
  pattern.choice('{', '\uff5b'),
  pattern.tolerated('{'),
  pattern.space(),
  pattern.tolerated(pattern.sequence(comment, pattern.space())),
)
/** Words that identify the object as a call: no other object has them. */
const typed = member(key('type'), pattern.choice('function_call', 'function', 'tool_call', 'tool_use'))
/** A key for a name alone is in many objects; with a key for arguments it begins a call. */
const aside = pattern.tolerated(pattern.sequence(member(key(...idKeys, 'type'), word), comma))
const named = pattern.sequence(member(key(...nameKeys), word), comma, aside, key(...argumentKeys))
const wrapped = pattern.sequence(
  key('function', 'tool', 'action'),
  pattern.choice('{', '\uff5b'),
  pattern.space(),
  key('name', '_name', ...argumentKeys),
)
/** Arguments first: an object, or a string of one. */
const argumentsFirst = pattern.sequence(key(...argumentKeys), quote, pattern.space(), pattern.choice('{', '\uff5b'))
const numbered = pattern.tolerated(pattern.sequence(member(key(...idKeys), word), comma))

/** A name alone is a call if the object contains nothing else; the offered tools decide whether it is one. */
const nameAlone = pattern.sequence(member(key(...nameKeys), word), pattern.space(), pattern.choice('}', '\uff5d'))
/** Some models are made to think in the call's first member. */
const thought = key(...keysOfSlot('preamble'))

const callStart = pattern.sequence(
  brace,
  pattern.choice(
    typed,
    thought,
    nameAlone,
    pattern.sequence(numbered, pattern.choice(typed, named, wrapped, argumentsFirst)),
  ),
)
/** A call within a line of text must be whole in its first members. */
const openList = pattern.sequence(pattern.choice('[', '\uff3b'), pattern.space())
export const embeddedCallStart: Pattern = pattern.sequence(
  pattern.tolerated(openList),
  brace,
  numbered,
  pattern.choice(named, wrapped),
)
export const bareCallStart: Pattern = pattern.choice(callStart, pattern.sequence(openList, callStart))

/** Members beside the calls in an object around them: an answer, a state, a list. */
const besideText = pattern.sequence('"', pattern.chars('^"', 0, 300), '"')
const besideMember = pattern.sequence(
  '"',
  pattern.notAhead(
    pattern.choice(pattern.sequence(pattern.choice('role', 'content', 'refusal', 'reasoning_content'), '"'), nameKey),
  ),
  pattern.chars('\\w.-', 1, 40),
  '"',
  pattern.space(),
  ':',
  pattern.space(),
  pattern.choice(
    besideText,
    pattern.chars('\\w.+-', 1, 40),
    pattern.sequence('[', pattern.chars('^\\[\\]{}', 0, 200), ']'),
    pattern.sequence('{', pattern.chars('^\\[\\]{}', 0, 200), '}'),
  ),
  pattern.space(),
  ',',
  pattern.space(),
)

/** An object around calls, alone or in a list. */
export const aroundCallsStart: Pattern = pattern.sequence(
  pattern.tolerated(openList),
  brace,
  pattern.tolerated(besideMember),
  pattern.tolerated(besideMember),
  pattern.tolerated(besideMember),
  pattern.sequence(key(...keysOfSlot('calls')), pattern.tolerated(openList), pattern.choice('{', '\uff5b')),
)

const messageText = pattern.choice('null', pattern.sequence('"', pattern.chars('^"\\\\', 0, 200), '"'))
const messageMember = pattern.sequence(
  pattern.choice(
    member(key('role'), pattern.choice('assistant', 'user', 'tool', 'system')),
    pattern.sequence(key('content', 'refusal', 'reasoning_content'), messageText),
  ),
  comma,
)
/** A message of a transcript: its calls were made earlier. */
export const messageStart: Pattern = pattern.sequence(
  brace,
  numbered,
  messageMember,
  pattern.tolerated(messageMember),
  pattern.tolerated(messageMember),
  key(...keysOfSlot('calls')),
  pattern.choice('[', '{'),
)
