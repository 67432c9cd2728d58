import {
  call,
  close,
  closeTag,
  type Expression,
  jsonArguments,
  oneOrMore,
  openTag,
  type Pattern,
  pattern,
  sequence,
  token,
  tolerated,
} from '../../../grammar/index.ts'
import type { FormatData } from '../../format/format.ts'
import { reasoningForms } from '../../format/reasoning-forms.ts'
import { keyedCall } from '../elements/glm.ts'
import { embeddedCallStart } from '../parts/bare-call-start.ts'
import { argumentsStart, blank, line, oneCall, parisArguments, parisCall } from '../parts/json-parts.ts'

/** Some models announce the object within the tags, and add a word after it: the generic models of OCI. */
const announced: Expression = tolerated(
  token(
    pattern.chars('^<>{}\\[\\]`:\uff1a\\n', 1, 100),
    pattern.choice(':', '\uff1a', '\n'),
    pattern.space(),
    // A single word may be the tool's name. The arguments after it may begin with one called `name`.
    pattern.ahead(embeddedCallStart),
  ),
)
const aside = (names: readonly string[]): Expression =>
  tolerated(
    token(pattern.chars('^<>{}\\[\\]`', 1, 100), pattern.ahead(pattern.sequence('</', pattern.choice(...names)))),
  )

/** One call as JSON between two tags. */
function inTags(name: string | readonly string[], keys?: Parameters<typeof oneCall>[0]): Expression {
  // The opening tag may come twice, and then the closing one as well.
  const again = tolerated(openTag(name), line)
  const end = [line, aside([name].flat()), close(closeTag(name)), tolerated(blank, closeTag(name))]
  return sequence(openTag(name), line, again, announced, oneCall(keys), ...end)
}

/** Models trained on the tags of several families put others around these. */
const section: Expression = sequence(
  openTag('tool_calls'),
  blank,
  oneOrMore(inTags('tool_call'), pattern.space('\n')),
  line,
  close(closeTag('tool_calls')),
)

/** The name in GLM's place, and the arguments as JSON, with a name space as in the types that prompts show or without. */
const nameBefore = (tag: string): Expression =>
  call(
    openTag(tag),
    token(
      pattern.space(),
      pattern.tolerated('functions.'),
      pattern.capture('name', '^\\s<>{}()\\[\\]"\'', 128),
      pattern.space('\n'),
      pattern.tolerated('('),
      pattern.space(),
      pattern.ahead(argumentsStart),
    ),
    jsonArguments(),
    tolerated(blank, ')'),
    line,
    close(closeTag(tag)),
  )

/** The kind of tool, the name and the arguments, on a line each. */
const linewise: Expression = call(
  openTag('tool_call'),
  token(
    pattern.chars('\\s', 0, 8),
    'function',
    pattern.chars('\\r\\n', 1, 2, '\n'),
    pattern.capture('name', '^\\s<>{}()\\[\\]"\'', 128),
    pattern.space('\n'),
    pattern.ahead(pattern.choice(argumentsStart, '</tool_call')),
  ),
  jsonArguments(),
  blank,
  close(closeTag('tool_call')),
)

export const stepAudio2: FormatData = {
  name: 'step-audio-2',
  families: 'Step-Audio 2',
  source: "vLLM's step_audio_2 tool parser",
  example: `<tool_call>function\nget_weather\n${parisArguments}</tool_call>`,
  blocks: [{ tree: linewise, place: 'anywhere' }],
  markers: ['<|EOT|>'],
  separator: '',
}

export const hermes: FormatData = {
  name: 'hermes',
  families: 'Hermes 2 and 3, Qwen 2.5, Qwen 3, QwQ, Granite 4, EXAONE 4, MiMo, Ernie 4.5',
  source: 'the prompt format of NousResearch/Hermes-Function-Calling',
  example: `<tool_call>\n${parisCall()}\n</tool_call>`,
  blocks: [
    { tree: inTags(['tool_call', 'tool-call']), place: 'anywhere' },
    { tree: section, place: 'anywhere' },
    { tree: nameBefore('tool_call'), place: 'anywhere' },
  ],
  reasoning: [reasoningForms.think],
  markers: ['<|im_end|>', '<|endoftext|>', '[|endofturn|]'],
}

const longcatTag = (tag: string): Pattern =>
  pattern.sequence(tag.startsWith('/') ? `</longcat_${tag.slice(1)}>` : `<longcat_${tag}>`)

/** Newer models of LongCat write GLM's pairs of tags under their own names. */
const longcatKeyed = keyedCall(
  longcatTag,
  (name) => [token(longcatTag('tool_call'), name)],
  close(longcatTag('/tool_call')),
  '\n',
)

export const longcat: FormatData = {
  name: 'longcat',
  families: 'LongCat-Flash',
  source: 'the chat template of LongCat-Flash-Chat',
  example: `<longcat_tool_call>\n${parisCall()}\n</longcat_tool_call>`,
  blocks: [
    { tree: inTags('longcat_tool_call'), place: 'anywhere' },
    { tree: longcatKeyed, place: 'anywhere' },
    { tree: nameBefore('longcat_tool_call'), place: 'anywhere' },
  ],
  reasoning: [reasoningForms.longcat],
  markers: ['</longcat_s>'],
}

/** The generic models of OCI put many texts after the tag's name; any opening tag may have them. */
export const toolCallJson: FormatData = {
  name: 'tool-call-json',
  families: 'models that write JSON well; made for the generic models of OCI Generative AI',
  source: 'the prompt format of the OCI-Anthropic gateway',
  example: `<TOOL_CALL>\n${parisCall('name', 'input')}\n</TOOL_CALL>`,
  blocks: [{ tree: inTags('TOOL_CALL', { name: 'name', arguments: 'input' }), place: 'anywhere' }],
}
