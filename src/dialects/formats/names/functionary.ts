import {
  ahead,
  call,
  capture,
  chars,
  close,
  jsonArguments,
  oneOf,
  seq,
  sequence,
  space,
  textEnd,
  token,
} from '../../../grammar/index.ts'
import type { FormatData } from '../../format/format.ts'
import { objectStart, parisArguments } from '../parts/json-parts.ts'

/** Qwen3-Coder has the same opening tag with tags behind it; the brace tells the two apart. */
const tagged = call(
  token(
    '<function=',
    chars('"\'', 0, 1),
    capture('name', '^<>\\s"\'{}', 128),
    chars('"\'', 0, 1),
    '>',
    space(),
    ahead(oneOf(objectStart, '</function>')),
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

/** What follows `>>>` is who is spoken to; `all` is the user. */
const addressed = seq(
  call(
    token('>>>', capture('name', '\\w.:/-', 128), chars(' \\t', 0, 8), chars('\\r\\n', 1, 4, '\n'), ahead(objectStart)),
    jsonArguments(),
  ),
)

/** Without arguments. */
const addressedAlone = call(
  token(
    '>>>',
    capture('name', '\\w.:/-', 128),
    chars(' \\t', 0, 8),
    ahead(sequence(chars('\\r\\n', 0, 4), oneOf('>>>', '<|eot_id|>', textEnd))),
  ),
  { type: 'close', of: token('<|eot_id|>'), mayBeMissing: true, others: [token('>>>')] },
)

export const functionaryV32: FormatData = {
  name: 'functionary-v3.2',
  families: 'Functionary 3.2',
  source: 'the chat template of functionary-medium-v3.2',
  example: `>>>get_weather\n${parisArguments}`,
  blocks: [
    { tree: addressed, place: 'phrase' },
    { tree: addressedAlone, place: 'phrase' },
  ],
  markers: ['>>>all\n', '<|eot_id|>'],
}
