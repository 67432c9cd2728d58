import {
  call,
  close,
  type Expression,
  jsonArguments,
  oneOrMore,
  optional,
  type Pattern,
  pattern,
  sequence,
  token,
  tolerated,
} from '../../../grammar/index.ts'
import type { Block, FormatData } from '../../format/format.ts'
import { reasoningForms } from '../../format/reasoning-forms.ts'
import { barMarker } from '../parts/bar-marker.ts'
import { emptySection, fenceClose, nullArguments, parisArguments } from '../parts/json-parts.ts'

function marker(...words: string[]): Pattern {
  return barMarker('\u2581', ...words)
}

/** Distilled models leave out the last word at times. */
const sectionBegin = pattern.choice(marker('tool', 'calls', 'begin'), marker('tool', 'calls'))
const begin = marker('tool', 'call', 'begin')
const separator = marker('tool', 'sep')
const end = marker('tool', 'call', 'end')
const sectionEnd = marker('tool', 'calls', 'end')
const name = pattern.capture('name', '^<>{}\\s`"\uff5c', 128)

/** The section's own opener is left out at times, and its end often. */
function section(one: Expression, between: Pattern): Block {
  const tree = sequence(optional(token(sectionBegin)), oneOrMore(one, between), close(sectionEnd))
  return { tree, place: 'anywhere' }
}

const fence = pattern.sequence('```', pattern.optional('json'), pattern.space('\n'))

/** V3 and R1: the kind of tool, then its name and a fence. */
function inFence(opener: Pattern): Expression {
  return call(
    token(
      pattern.space(),
      opener,
      'function',
      separator,
      name,
      pattern.space('\n'),
      pattern.optional(fence),
      // Without arguments the fence is empty, or not there.
      pattern.tolerated('```'),
      pattern.ahead(pattern.choice('{', '"', nullArguments, end)),
    ),
    jsonArguments(),
    optional(token(pattern.space('\n'), '```')),
    close(end),
  )
}
const fenced = section(inFence(begin), pattern.space('\n'))
/** The opening markers were left out. */
const unopened: Block = {
  tree: sequence(
    oneOrMore(inFence(pattern.tolerated(begin)), pattern.space()),
    tolerated(token(pattern.space(), sectionEnd)),
  ),
  place: 'line',
}

/** V3.1: the name, and nothing around the JSON. */
const plain = section(
  call(
    token(
      pattern.space(),
      begin,
      pattern.space(),
      name,
      pattern.space(),
      pattern.choice(
        pattern.sequence(
          separator,
          pattern.space(),
          pattern.tolerated(fence),
          pattern.ahead(pattern.choice('{', '"', nullArguments, end)),
        ),
        pattern.ahead(end),
      ),
    ),
    jsonArguments(),
    fenceClose,
    close(end),
  ),
  pattern.space(),
)

const markers = [
  '<\uff5cend\u2581of\u2581sentence\uff5c>',
  '<\uff5ctool\u2581calls\u2581end\uff5c>',
  emptySection(sectionBegin, sectionEnd),
  // Markers of results: models invent results after their calls.
  ...['outputs', 'output'].flatMap((word) => [marker('tool', word, 'begin'), marker('tool', word, 'end')]),
]

export const deepseekV3: FormatData = {
  name: 'deepseek-v3',
  families: 'DeepSeek V3 and R1',
  source: 'the chat template of DeepSeek-V3-0324',
  example: `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n\`\`\`json\n${parisArguments}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  blocks: [fenced, plain, unopened],
  reasoning: [reasoningForms.think],
  markers,
}

export const deepseekV31: FormatData = {
  name: 'deepseek-v3.1',
  families: 'DeepSeek V3.1, Cogito 2',
  source: 'the chat template of DeepSeek-V3.1',
  example: `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>${parisArguments}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  blocks: [plain, fenced],
  reasoning: [reasoningForms.think],
  markers,
}
