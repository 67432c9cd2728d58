import { close, closeTag, type Expression, openTag, seq } from '../../grammar/index.ts'
import type { FormatData } from '../format.ts'
import { reasoningForms } from '../reasoning-forms.ts'
import { line, oneCall, parisCall } from './json-parts.ts'

/** One call as JSON between two tags. */
function inTags(name: string, keys?: Parameters<typeof oneCall>[0]): Expression {
  return seq(openTag(name), line, oneCall(keys), line, close(closeTag(name)))
}

export const hermes: FormatData = {
  name: 'hermes',
  families: 'Hermes 2 and 3, Qwen 2.5, Qwen 3, QwQ, Granite 4, EXAONE 4, MiMo, Ernie 4.5',
  source: 'the prompt format of NousResearch/Hermes-Function-Calling',
  example: `<tool_call>\n${parisCall()}\n</tool_call>`,
  blocks: [{ tree: inTags('tool_call'), place: 'anywhere' }],
  reasoning: [reasoningForms.think],
  // Ernie has its answer in a tag of its own.
  markers: ['<|im_end|>', '<response>', '</response>'],
}

export const longcat: FormatData = {
  name: 'longcat',
  families: 'LongCat-Flash',
  source: 'the chat template of LongCat-Flash-Chat',
  example: `<longcat_tool_call>\n${parisCall()}\n</longcat_tool_call>`,
  blocks: [{ tree: inTags('longcat_tool_call'), place: 'anywhere' }],
  reasoning: [reasoningForms.longcat],
  markers: ['</longcat_s>'],
}

/** The generic models of OCI put all kinds of things behind the tag's name, which any opening tag may have. */
export const toolCallJson: FormatData = {
  name: 'tool-call-json',
  families: 'models that write JSON well; made for the generic models of OCI Generative AI',
  source: 'the prompt format of the OCI-Anthropic gateway',
  example: `<TOOL_CALL>\n${parisCall('name', 'input')}\n</TOOL_CALL>`,
  blocks: [{ tree: inTags('TOOL_CALL', { name: 'name', arguments: 'input' }), place: 'anywhere' }],
}
