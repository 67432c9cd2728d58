import {
  call,
  choice,
  type Expression,
  jsonArguments,
  jsonCalls,
  type Pattern,
  type PatternLike,
  pattern,
  sequence,
  token,
  tolerated,
  value,
} from '../../../grammar/index.ts'
import type { FormatData } from '../../format/format.ts'
import { reasoningForms } from '../../format/reasoning-forms.ts'
import { blank, fenced, nullArguments, parisArguments } from '../parts/json-parts.ts'

const functions = pattern.optional('functions.')
const name = pattern.capture('name', '^<>{}\\s"', 128)
const parallelName = 'multi_tool_use.parallel'
/**
 * The text after a name: white space, and the kind of content if its marker is left out. Models write all of it, a
 * part, or none.
 */
const after = pattern.free(
  pattern.optional(pattern.sequence(pattern.chars('\\s', 1, 4, ' '), pattern.chars('^<', 0, 40))),
)
const kind = pattern.free(pattern.optional(pattern.sequence('<|constrain|>', pattern.chars('^<', 0, 40, 'json'))))
/** The header begun again after the recipient, with a channel or the kind of content alone. */
const again = pattern.tolerated(
  pattern.sequence(
    pattern.tolerated(pattern.sequence('<|constrain|>', pattern.chars('^<', 0, 40))),
    '<|channel|>',
    pattern.choice('commentary', 'analysis', 'json', 'code'),
    pattern.chars('^<=', 0, 34),
  ),
)
const content = pattern.sequence(after, again, kind, '<|message|>')
/** LLM-jp 4.1 writes one after each special token. */
const blankAfter = pattern.tolerated(' ')
/** The same without a recipient: answers in JSON have a kind of content, too. */
const textContent = pattern.sequence(
  pattern.chars('^<=', 0, 40),
  pattern.tolerated(pattern.sequence('<|constrain|>', pattern.chars('^<', 0, 40))),
  pattern.sequence('<|message|>', blankAfter),
)
/** The header of text with its recipient, who is no tool. */
const toUser = pattern.sequence(
  '<|channel|>',
  blankAfter,
  pattern.choice('final', 'commentary'),
  ' to=user',
  textContent,
)
/** A channel's name, with any text that the model writes before and after it. */
function channel(name: string = 'commentary'): Pattern {
  return pattern.sequence('<|channel|>', pattern.chars('^<=', 0, 44, `${name} `))
}

const messageEnd = pattern.choice('<|call|>', '<|end|>', '<|return|>')
/** Followed by neither JSON nor the end of the message. */
const codeAhead = pattern.ahead(
  pattern.sequence(pattern.notAhead(nullArguments), pattern.chars('^{\uff5b\\["`<\\s', 1, 1)),
)
/** gpt-oss writes code as it is for a tool such as `python`, which has one argument. */
const messageArguments = choice(
  sequence(token(pattern.notAhead(codeAhead)), fenced(jsonArguments())),
  value(messageEnd, { isOnlyArgument: true, keepsQuotes: true, mayEnd: true }),
)

/** The token that ends a call also ends the turn, so engines remove it: its absence means nothing. */
function message(...header: PatternLike[]): Expression {
  return sequence(call(token(...header), blank, messageArguments), {
    type: 'close',
    of: token(messageEnd),
    mayBeMissing: true,
  })
}

/** A channel after the recipient, with any text that the model writes after it. */
const channelAfter = [pattern.sequence('<|channel|>', pattern.chars('^<', 0, 84, 'commentary ')), kind, '<|message|>']

const start = pattern.sequence('<|start|>', pattern.chars('^<=', 0, 40))
const inChannel = message(
  pattern.tolerated(start),
  channel(),
  'to=',
  pattern.notAhead(pattern.choice(parallelName, `functions.${parallelName}`)),
  functions,
  name,
  content,
)
/** The recipient is in the role's header, which the prompt may have begun. */
const inRole = message(start, 'to=', functions, name, after, ...channelAfter)
const inRoleBegun = message(pattern.space(' '), 'to=functions.', name, after, ...channelAfter)

/** Models call in the channel of their reasoning as well, whichever of the headers they write. */
const inAnalysis = message(channel('analysis'), 'to=functions.', name, content)
const channels = pattern.free(pattern.choice('<|channel|>commentary', '<|channel|>analysis'))
const inRoleOfAnyChannel = message('to=functions.', name, channels, content)

/** The remains of a header whose special tokens the server dropped, from the name to the arguments. */
const untokenedName = pattern.sequence(
  pattern.capture('name', '\\w.-', 128),
  pattern.tolerated(
    pattern.sequence(
      pattern.chars(' \\t', 0, 2),
      pattern.choice('<|constrain|>json', '<|constrain|>', ' json', ' code'),
    ),
  ),
  pattern.tolerated('<|message|>'),
  pattern.space(),
  pattern.ahead('{'),
)
/** The same of the header of the answer that follows. */
const untokenedFinal = tolerated(token(pattern.space(), 'assistantfinal'))
const untokened: Expression = sequence(
  call(
    token(
      pattern.choice(
        pattern.sequence(
          pattern.tolerated(pattern.sequence('assistant', pattern.tolerated(' '))),
          pattern.choice('commentary', 'analysis'),
        ),
        'assistant',
      ),
      ' to=functions.',
      untokenedName,
    ),
    jsonArguments(),
  ),
  untokenedFinal,
)
/** The same if the prompt has begun the header, or the channel's name was dropped as well. */
const untokenedInRole: Expression = sequence(
  call(token('to=functions.', untokenedName), jsonArguments()),
  untokenedFinal,
)

/** The wrapper of parallel calls, which is not a tool: its arguments are the calls. */
const parallel: Expression = sequence(
  token(
    pattern.choice(
      pattern.sequence(pattern.tolerated(start), channel(), 'to=', functions, parallelName, content),
      pattern.sequence(
        pattern.tolerated('assistant'),
        'commentary to=',
        functions,
        parallelName,
        pattern.tolerated(' json'),
        pattern.space(),
        pattern.ahead('{'),
      ),
    ),
    pattern.space(),
  ),
  jsonCalls(),
  tolerated(token(pattern.choice('<|call|>', '<|end|>', '<|return|>'))),
)

export const harmony: FormatData = {
  name: 'harmony',
  families: 'gpt-oss, LLM-jp 4.1',
  source: 'the response format of openai/harmony',
  example: `<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>${parisArguments}<|call|>`,
  blocks: [
    { tree: inChannel, place: 'anywhere' },
    { tree: parallel, place: 'anywhere' },
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
  reasoning: [
    reasoningForms.harmony,
    reasoningForms.spacedHarmony,
    reasoningForms.harmonyCode,
    reasoningForms.harmonyJson,
    reasoningForms.harmonyHeaderOfRole,
    reasoningForms.harmonyHeader,
  ],
  userMessages: [
    {
      open: pattern.choice(pattern.sequence('<|channel|>', blankAfter, 'final', textContent), toUser),
      close: pattern.choice('<|end|>', '<|return|>', pattern.sequence('<|start|>', blankAfter, 'assistant')),
    },
  ],
  markers: [
    pattern.sequence('<|start|>', blankAfter, 'assistant'),
    pattern.sequence('<|channel|>', blankAfter, pattern.choice('final', 'commentary'), textContent),
    toUser,
    // A header that is begun again, if its recipient is not the only one.
    pattern.sequence('<|channel|>', pattern.chars('^<=', 0, 60), pattern.tolerated('='), pattern.ahead('<|channel|>')),
    pattern.sequence(
      '<|channel|>',
      pattern.chars('^<', 0, 60),
      pattern.ahead(pattern.choice(pattern.sequence(channel(), 'to='), '<|channel|>final', '<|channel|>analysis')),
    ),
    '<|end|>',
    '<|return|>',
    '<|call|>',
  ],
  separator: '<|start|>assistant',
}
