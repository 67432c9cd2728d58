import {
  ahead,
  type Capture,
  call,
  capture,
  chars,
  choice,
  close,
  type Expression,
  jsonArguments,
  maybe,
  notAhead,
  type Pattern,
  seq,
  sequence,
  some,
  space,
  token,
  tolerated,
  value,
} from '../../../grammar/index.ts'
import type { FormatData } from '../../format/format.ts'
import { reasoningForms } from '../../format/reasoning-forms.ts'
import { gap } from '../parts/invocation.ts'

/** Attributes behind those that count, and before one of them. */
const others = chars('^<|>', 0, 80)
function before(name: string): Pattern[] {
  const other = [chars('\\s', 1, 8, ' '), notAhead(`${name}=`), chars('\\w-', 1, 32), '="', chars('^<|>"', 0, 80), '"']
  return [maybe(sequence(...other)), maybe(sequence(...other)), chars('\\s', 1, 8, ' ')]
}

function attribute(name: string, as: Capture): Pattern {
  return sequence(`${name}="`, capture(as, '^<>"'), '"')
}

const index: Pattern = { type: 'capture', as: 'index', of: chars('0-9', 1, 6, '1') }

const argument: Expression = seq(
  gap(),
  token(
    '<|open|>argument',
    ...before('key'),
    attribute('key', 'key'),
    maybe(sequence(space(' '), attribute('type', 'type')), true),
    others,
    '<|sep|>',
  ),
  // Special tokens end a value, so that all that stands between them is its own.
  value('<|close|>argument<|sep|>', {
    trim: 'none',
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
    maybe(sequence(space(' '), 'index="', index, '"'), true),
    others,
    '<|sep|>',
  ),
  choice(
    some(argument),
    // The template's form for arguments that are no mapping.
    seq(
      token(space(), '<|open|>json', chars('^<|>', 0, 80, ' type="object"'), '<|sep|>', space(), ahead('{')),
      jsonArguments(),
      gap(),
      close('<|close|>json<|sep|>'),
    ),
    seq(),
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
      tree: seq('<|open|>tools<|sep|>', some(seq(gap(), one)), gap(), close('<|close|>tools<|sep|>')),
      place: 'anywhere',
    },
    { tree: seq(some(seq(one, gap())), tolerated('<|close|>tools<|sep|>')), place: 'anywhere' },
  ],
  reasoning: [reasoningForms.kimi],
  markers: [
    '<|open|>message role="assistant"<|sep|>',
    // With blanks next to special tokens, as some servers decode them.
    sequence('<|open|>', space(), 'response', space(), '<|sep|>'),
    sequence('<|close|>', space(), 'response', space(), '<|sep|>'),
    '<|close|>message<|sep|>',
    '<|end_of_msg|>',
  ],
}
