import {
  type Capture,
  call,
  choice,
  close,
  type Expression,
  jsonArguments,
  oneOrMore,
  type Pattern,
  pattern,
  sequence,
  token,
  tolerated,
  value,
} from '../../../grammar/index.ts'
import type { FormatData } from '../../format/format.ts'
import { reasoningForms } from '../../format/reasoning-forms.ts'
import { gap } from '../parts/invocation.ts'

/** Attributes after those that count, and before one of them. */
const others = pattern.chars('^<|>', 0, 80)
function before(name: string): Pattern[] {
  const other = [
    pattern.chars('\\s', 1, 8, ' '),
    pattern.notAhead(`${name}=`),
    pattern.chars('\\w-', 1, 32),
    '="',
    pattern.chars('^<|>"', 0, 80),
    '"',
  ]
  return [
    pattern.tolerated(pattern.sequence(...other)),
    pattern.tolerated(pattern.sequence(...other)),
    pattern.chars('\\s', 1, 8, ' '),
  ]
}

function attribute(name: string, as: Capture): Pattern {
  return pattern.sequence(`${name}="`, pattern.capture(as, '^<>"'), '"')
}

const index: Pattern = { type: 'capture', as: 'index', of: pattern.chars('0-9', 1, 6, '1') }

const argument: Expression = sequence(
  gap(),
  token(
    '<|open|>argument',
    ...before('key'),
    attribute('key', 'key'),
    pattern.optional(pattern.sequence(pattern.space(' '), attribute('type', 'type'))),
    others,
    '<|sep|>',
  ),
  // Special tokens end a value, so all text between them is the value.
  value('<|close|>argument<|sep|>', {
    trim: 'none',
    keepsQuotes: true,
    typeWords: {
      string: 'string',
      number: 'number',
      integer: 'number',
      boolean: 'boolean',
      null: 'null',
      object: 'object',
      array: 'array',
    },
  }),
)

const one: Expression = call(
  token(
    '<|open|>call',
    ...before('tool'),
    attribute('tool', 'name'),
    pattern.optional(pattern.sequence(pattern.space(' '), 'index="', index, '"')),
    others,
    '<|sep|>',
  ),
  choice(
    oneOrMore(argument),
    // The template's form for arguments that are no mapping.
    sequence(
      token(
        pattern.space(),
        '<|open|>json',
        pattern.chars('^<|>', 0, 80, ' type="object"'),
        '<|sep|>',
        pattern.space(),
        pattern.ahead('{'),
      ),
      jsonArguments(),
      gap(),
      close('<|close|>json<|sep|>'),
    ),
    sequence(),
  ),
  gap(),
  close('<|close|>call<|sep|>'),
)

export const kimiK3: FormatData = {
  name: 'kimi-k3',
  families: 'Kimi K3',
  source: 'the chat template of Kimi K3',
  example:
    '<|open|>tools<|sep|><|open|>call tool="get_weather" index="1"<|sep|><|open|>argument key="city" type="string"<|sep|>Paris<|close|>argument<|sep|><|open|>argument key="days" type="number"<|sep|>3<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
  blocks: [
    {
      tree: sequence('<|open|>tools<|sep|>', oneOrMore(sequence(gap(), one)), gap(), close('<|close|>tools<|sep|>')),
      place: 'anywhere',
    },
    { tree: sequence(oneOrMore(sequence(one, gap())), tolerated('<|close|>tools<|sep|>')), place: 'anywhere' },
  ],
  reasoning: [reasoningForms.kimi],
  markers: [
    '<|open|>message role="assistant"<|sep|>',
    // With blanks next to special tokens, as some servers decode them.
    pattern.sequence('<|open|>', pattern.space(), 'response', pattern.space(), '<|sep|>'),
    pattern.sequence('<|close|>', pattern.space(), 'response', pattern.space(), '<|sep|>'),
    '<|close|>message<|sep|>',
    '<|end_of_msg|>',
  ],
}
