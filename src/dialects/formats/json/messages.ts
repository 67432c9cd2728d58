import { call, close, jsonCall, type Pattern, pattern, sequence, token, tolerated } from '../../../grammar/index.ts'
import type { BegunCall, FormatData } from '../../format/format.ts'
import { reasoningForms } from '../../format/reasoning-forms.ts'
import { calls, fenced, parisCall, turnEnd } from '../parts/json-parts.ts'

/** Formats in which a call is a separate message. */

const functionCall = token(
  '<|message_sep|>',
  pattern.space('\n\n'),
  'function call',
  pattern.space(),
  '<|role_sep|>',
  pattern.space('\n'),
)

/** It ends a message, and begins the header of the next. */
const messageEnd = tolerated(
  token(pattern.space(), '<|message_sep|>', pattern.notAhead(pattern.sequence(pattern.space(), 'function call'))),
)

export const gigachat3: FormatData = {
  name: 'gigachat3',
  families: 'GigaChat 3 and 3.1',
  source: 'the chat templates of GigaChat3-10B-A1.8B and its successor',
  example: `<|message_sep|>\n\nfunction call<|role_sep|>\n${parisCall()}`,
  blocks: [
    { tree: sequence(functionCall, calls, fenced(jsonCall()), messageEnd, turnEnd), place: 'anywhere' },
    {
      tree: sequence(token('<|function_call|>', pattern.space()), calls, fenced(jsonCall()), messageEnd, turnEnd),
      place: 'anywhere',
    },
  ],
}

/** The header has the name as well; the JSON's counts. The prompt ends with `<|message_model|>`. */
const message: BegunCall = {
  marker: (name) => pattern.sequence(titleOf(name), pattern.space(), '<|content_invoke_tool_json|>', pattern.space()),
  call: (marker) =>
    sequence(
      call(token(marker), calls, fenced(jsonCall({ name: 'name', arguments: 'args' }))),
      close('<|end_message|>'),
      tolerated(token(pattern.space(), '<|end_message|>')),
    ),
}

function titleOf(name: Pattern): Pattern {
  return { type: 'capture', as: 'title', of: name.type === 'capture' ? name.of : name }
}

export const inkling: FormatData = {
  name: 'inkling',
  families: 'Inkling',
  source: 'the parsers that vLLM and SGLang have for it',
  example: `<|message_model|>get_weather<|content_invoke_tool_json|>${parisCall('name', 'args')}<|end_message|>`,
  blocks: [
    {
      tree: message.call(
        pattern.sequence('<|message_model|>', pattern.space(), message.marker(pattern.chars('^<>{}\\s', 0, 128))),
      ),
      place: 'anywhere',
    },
  ],
  reasoning: [reasoningForms.inkling],
  markers: [pattern.sequence('<|message_model|>', pattern.ahead('<|content_t')), '<|content_text|>', '<|end_message|>'],
  namedCalls: { begun: message },
  separator: '',
}
