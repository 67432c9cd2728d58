import { call, close, jsonArguments, type Pattern, pattern, sequence, token } from '../../../grammar/index.ts'
import type { BegunCall, FormatData } from '../../format/format.ts'
import { argumentsStart, parisArguments } from '../parts/json-parts.ts'

/** Qwen3-Coder has the same opening tag with tags after it; the brace distinguishes the two. */
const tagged = call(
  token(
    '<function=',
    pattern.chars('"\'', 0, 1),
    pattern.capture('name', '^<>\\s"\'{}', 128),
    pattern.chars('"\'', 0, 1),
    '>',
    pattern.space(),
    pattern.ahead(pattern.choice(argumentsStart, '</function>')),
  ),
  jsonArguments(),
  close('</function>'),
)

export const functionaryV31: FormatData = {
  name: 'functionary-v3.1',
  families: 'Functionary 3.1, Llama 3 with its own tools',
  source: 'the chat template of functionary-small-v3.1',
  example: `<function=get_weather>${parisArguments}</function>`,
  blocks: [{ tree: tagged, place: 'anywhere' }],
  markers: ['<|eot_id|>', '<|eom_id|>'],
  separator: '',
}

/** The text after `>>>` is the recipient; `all` is the user. The prompt ends with `>>>`. */
const recipient: BegunCall = {
  marker: (name) =>
    pattern.sequence(
      name,
      pattern.chars(' \\t', 0, 8),
      pattern.chars('\\r\\n', 1, 4, '\n'),
      // Functionary 2.
      pattern.tolerated('<|content|>'),
      pattern.ahead(argumentsStart),
    ),
  call: (marker) => sequence(call(token(marker), jsonArguments())),
}
const addressed = recipient.call(pattern.sequence('>>>', recipient.marker(pattern.capture('name', '\\w.:/-', 128))))

/** Without arguments. */
const addressedAlone = call(
  token(
    '>>>',
    pattern.capture('name', '\\w.:/-', 128),
    pattern.chars(' \\t', 0, 8),
    pattern.ahead(
      pattern.sequence(pattern.chars('\\r\\n', 0, 4), pattern.choice('>>>', '<|eot_id|>', pattern.textEnd)),
    ),
  ),
  { type: 'close', of: token('<|eot_id|>'), mayBeMissing: true, others: [token('>>>')] },
)

/** The same before an empty line and text. */
const addressedBeforeText = call(token('>>>', pattern.capture('name', '\\w.:/-', 128), pattern.ahead('\n\n')))

const toRecipient: Pattern = pattern.sequence(
  pattern.tolerated(pattern.sequence('<|from|>', pattern.space(), 'assistant', pattern.space())),
  '<|recipient|>',
  pattern.space(),
)
/** Functionary 2, whose prompt ends with the first token: the recipient, and the content on the next line. */
const inMessage = call(
  token(
    toRecipient,
    pattern.notAhead(pattern.sequence('all', pattern.space(), '<')),
    pattern.capture('name', '\\w.:/-', 128),
    pattern.space('\n'),
    '<|content|>',
    pattern.space(),
    pattern.ahead(argumentsStart),
  ),
  jsonArguments(),
  { type: 'close', of: token('<|stop|>'), mayBeMissing: true, others: [token('<|from|>')] },
)
const toAll: Pattern = pattern.sequence(toRecipient, 'all', pattern.space(), '<|content|>', pattern.space())

export const functionaryV32: FormatData = {
  name: 'functionary-v3.2',
  families: 'Functionary 3.2; reads Functionary 2 as well',
  source: 'the chat template of functionary-medium-v3.2',
  example: `>>>get_weather\n${parisArguments}`,
  blocks: [
    { tree: addressed, place: 'phrase' },
    { tree: addressedAlone, place: 'phrase' },
    { tree: addressedBeforeText, place: 'phrase' },
    { tree: inMessage, place: 'anywhere' },
  ],
  markers: ['>>>all\n', '<|eot_id|>', toAll, '<|stop|>'],
  begunMarkers: ['all\n<|content|>', 'all\n'],
  namedCalls: { begun: recipient },
}
