import { call, close, pattern, repeat, sequence, token, value } from '../../../grammar/index.ts'
import type { FormatData } from '../../format/format.ts'
import { reasoningForms } from '../../format/reasoning-forms.ts'
import { gap } from '../parts/invocation.ts'

export const solarOpen2: FormatData = {
  name: 'solar-open2',
  families: 'Upstage Solar Open 2',
  source: 'the format that vLLM reads for Solar Open 2',
  example:
    '<|tool_call:start|>get_weather\n<|tool_arg:start|>city<|tool_arg:value|>Paris<|tool_arg:end|>\n<|tool_arg:start|>days<|tool_arg:value|>3<|tool_arg:end|>\n<|tool_call:end|>',
  keys: /^[\w.-]+$/,
  blocks: [
    {
      tree: call(
        token(
          '<|tool_call:start|>',
          pattern.space(),
          pattern.capture('name', '^<>\\n'),
          pattern.ahead(pattern.sequence(pattern.space(), pattern.choice('<|tool_arg:start|>', '<|tool_call:end|>'))),
        ),
        repeat(
          sequence(
            gap('\n'),
            token(
              '<|tool_arg:start|>',
              pattern.space(),
              pattern.capture('key', '^<>'),
              pattern.space(),
              '<|tool_arg:value|>',
            ),
            value('<|tool_arg:end|>', { trim: 'none', keepsQuotes: true }),
          ),
        ),
        gap('\n'),
        close('<|tool_call:end|>'),
      ),
      place: 'anywhere',
    },
  ],
  reasoning: [reasoningForms.solarOpen2, reasoningForms.solar],
}
