import { jsonCall, jsonCalls, oneOrMore, pattern, sequence, token } from '../../../grammar/index.ts'
import type { FormatData } from '../../format/format.ts'
import { pythonTag } from '../functions/pythonic.ts'
import { bareCallStart } from '../parts/bare-call-start.ts'
import { calls, parisCall, turnEnd } from '../parts/json-parts.ts'
import { aroundCallsBlock, bareCalls, embeddedCallBlock } from './bare-json.ts'
import { hermes } from './in-tags.ts'
import { mistral } from './mistral.ts'

const keys = { name: 'name', arguments: 'parameters' }
const separator = pattern.sequence(pattern.space(), pattern.choice(';', ','), pattern.space(' '), pattern.ahead('{'))

export const llamaJson: FormatData = {
  name: 'llama-json',
  families: 'Llama 3.1, 3.2 and 3.3',
  source: 'the chat template of Llama-3.1-8B-Instruct',
  example: parisCall('name', 'parameters'),
  blocks: [
    bareCalls(keys),
    embeddedCallBlock,
    // The token announces code as well, so the text after it must look like a call.
    {
      tree: sequence(token('<|python_tag|>', pattern.space()), calls, oneOrMore(jsonCall(keys), separator), turnEnd),
      place: 'anywhere',
    },
    pythonTag,
  ],
  separator: '; ',
  markers: ['<|eot_id|>', '<|eom_id|>'],
}

/** xLAM is free in its choice of form: a bare list by default, and the markers of other families. */
export const xlam: FormatData = {
  name: 'xlam',
  families: 'xLAM',
  source: 'the prompt format of Salesforce/xLAM-2',
  example: `[${parisCall()}]`,
  blocks: [
    { tree: sequence(token(pattern.ahead(bareCallStart)), jsonCalls(undefined, { isBare: true })), place: 'line' },
    // The prompt of xLAM-1 asks for an object around them.
    aroundCallsBlock,
    embeddedCallBlock,
    ...hermes.blocks,
    ...mistral.blocks,
  ],
  reasoning: hermes.reasoning ?? [],
}
