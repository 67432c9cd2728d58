import {
  ahead,
  call,
  capture,
  chars,
  type Expression,
  free,
  jsonArguments,
  maybe,
  oneOf,
  type Pattern,
  type PatternLike,
  seq,
  sequence,
  space,
  token,
  tolerated,
} from '../../../grammar/index.ts'
import type { FormatData } from '../../format/format.ts'
import { reasoningForms } from '../../format/reasoning-forms.ts'
import { blank, fenced, parisArguments } from '../parts/json-parts.ts'

const functions = maybe('functions.', true)
const name = capture('name', '^<>{}\\s"', 128)
/** What stands behind a name: white space, and the kind of content where its marker is left out. Models write all of it, a part, or none. */
const behind = free(maybe(sequence(chars('\\s', 1, 4, ' '), chars('^<', 0, 40)), true))
const kind = free(maybe(sequence('<|constrain|>', chars('^<', 0, 40, 'json')), true))
const content = sequence(behind, kind, '<|message|>')
/** LLM-jp 4.1 writes one behind each special token. */
const blankBehind = maybe(' ')
/** The same where no recipient stands: answers in JSON have a kind of content, too. */
const textContent = sequence(
  chars('^<=', 0, 40),
  maybe(sequence('<|constrain|>', chars('^<', 0, 40))),
  sequence('<|message|>', blankBehind),
)
/** A channel's name, with whatever the model has before and behind it. */
function channel(name: string = 'commentary'): Pattern {
  return sequence('<|channel|>', chars('^<=', 0, 44, `${name} `))
}

/** The token that ends a call also ends the turn, so engines strip it: that it is not there says nothing. */
function message(...header: PatternLike[]): Expression {
  const end = token(oneOf('<|call|>', '<|end|>', '<|return|>'))
  return seq(call(token(...header), blank, fenced(jsonArguments())), { type: 'close', of: end, mayBeMissing: true })
}

/** A channel behind the recipient, with whatever the model has behind it. */
const channelBehind = [sequence('<|channel|>', chars('^<', 0, 84, 'commentary ')), kind, '<|message|>']

const start = sequence('<|start|>', chars('^<=', 0, 40))
const inChannel = message(maybe(start), channel(), 'to=', functions, name, content)
/** The recipient stands in the role's header, which the prompt may have begun. */
const inRole = message(start, 'to=', functions, name, behind, ...channelBehind)
const inRoleBegun = message(space(' '), 'to=functions.', name, behind, ...channelBehind)

/** Models call in the channel of their reasoning as well, whichever of the headers they write. */
const inAnalysis = message(channel('analysis'), 'to=functions.', name, content)
const channels = free(oneOf('<|channel|>commentary', '<|channel|>analysis'))
const inRoleOfAnyChannel = message('to=functions.', name, channels, content)

/** What is left of a header of which the server dropped the special tokens, from the name to the arguments. */
const untokenedName = sequence(
  capture('name', '\\w.-', 128),
  chars(' \\t', 0, 2),
  maybe(oneOf('json', 'code')),
  space(),
  ahead('{'),
)
/** The same of the header of the answer that follows. */
const untokenedFinal = tolerated(token(space(), 'assistantfinal'))
const untokened: Expression = seq(
  call(
    token(maybe(sequence('assistant', maybe(' '))), oneOf('commentary', 'analysis'), ' to=functions.', untokenedName),
    jsonArguments(),
  ),
  untokenedFinal,
)
/** The prompt has begun the header, or the channel's name was dropped as well. */
const untokenedInRole: Expression = seq(call(token('to=functions.', untokenedName), jsonArguments()), untokenedFinal)

export const harmony: FormatData = {
  name: 'harmony',
  families: 'gpt-oss, LLM-jp 4.1',
  source: 'the response format of openai/harmony',
  example: `<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>${parisArguments}<|call|>`,
  blocks: [
    { tree: inChannel, place: 'anywhere' },
    { tree: inRole, place: 'anywhere' },
    { tree: inRoleBegun, place: 'line' },
    { tree: untokened, place: 'anywhere' },
    { tree: untokenedInRole, place: 'line' },
  ],
  alsoWritten: [
    { tree: inChannel, place: 'anywhere' },
    { tree: inAnalysis, place: 'anywhere' },
    { tree: inRoleOfAnyChannel, place: 'line' },
  ],
  reasoning: [reasoningForms.harmony, reasoningForms.spacedHarmony],
  userMessages: [
    {
      open: sequence('<|channel|>', blankBehind, 'final', textContent),
      close: oneOf('<|end|>', '<|return|>', sequence('<|start|>', blankBehind, 'assistant')),
    },
  ],
  markers: [
    sequence('<|start|>', blankBehind, 'assistant'),
    sequence('<|channel|>', blankBehind, oneOf('final', 'commentary'), textContent),
    // A header that is begun anew.
    sequence('<|channel|>', chars('^<', 0, 60), ahead('<|channel|>')),
    '<|end|>',
    '<|return|>',
    '<|call|>',
  ],
  separator: '<|start|>assistant',
}
