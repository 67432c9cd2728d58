import { call, close, jsonCall, type Pattern, pattern, sequence, token, tolerated } from '../../../grammar/index.ts'
import type { FormatData } from '../../format/format.ts'
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

/** The header has the name as well; the JSON's counts. */
const title: Pattern = { type: 'capture', as: 'title', of: pattern.chars('^<>{}\\s', 0, 128) }

export const inkling: FormatData = {
  name: 'inkling',
  families: 'Inkling',
  source: 'the parsers that vLLM and SGLang have for it',
  example: `<|message_model|>get_weather<|content_invoke_tool_json|>${parisCall('name', 'args')}<|end_message|>`,
  blocks: [
    {
      tree: sequence(
        call(
          token(
            '<|message_model|>',
            pattern.space(),
            title,
            pattern.space(),
            '<|content_invoke_tool_json|>',
            pattern.space(),
          ),
          calls,
          fenced(jsonCall({ name: 'name', arguments: 'args' })),
        ),
        close('<|end_message|>'),
        tolerated(token(pattern.space(), '<|end_message|>')),
      ),
      place: 'anywhere',
    },
  ],
  markers: ['<|end_message|>'],
  separator: '',
}
