import { describe, expect, it } from 'vitest'
import { readInPieces } from '../../../../test/support/dialects/format-reading.ts'
import { tools } from '../../../../test/support/dialects/json-formats.ts'
import type { Block } from '../../format/format.ts'
import { deepseekV3, deepseekV31 } from '../names/deepseek.ts'
import { functionaryV31 } from '../names/functionary.ts'
import { harmony } from '../names/harmony.ts'
import { kimiK2 } from '../names/kimi-k2.ts'
import { solarOpen } from '../names/marked-names.ts'
import { hermes, longcat, toolCallJson } from './in-tags.ts'
import { apertus, cohere, granite, jamba, minimaxM1, nemotronNano } from './lists.ts'
import { llamaJson } from './llama.ts'
import { gigachat3 } from './messages.ts'
import { mistral } from './mistral.ts'

const paris = 'get_weather {"city":"Paris"}'
const tokyo = 'get_weather {"city":"Tokyo"}'
const one = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
const two = '{"name": "get_weather", "arguments": {"city": "Tokyo"}}'
const city = '{"city": "Paris"}'

type Case = [title: string, blocks: readonly Block[], text: string, calls: string[], rest: string]

function readsAll(cases: readonly Case[], codes?: string[]): void {
  it.each(cases)('%s', (_, blocks, text, calls, rest) => {
    const reading = readInPieces(blocks, text, { tools })
    expect(reading).toMatchObject({ calls, rest })
    if (codes) expect(reading.notices).toEqual(codes)
  })
}

const dsCall = (name: string, args: string) => `<｜tool▁call▁begin｜>${name}<｜tool▁sep｜>${args}<｜tool▁call▁end｜>`
const kimi = (id: string, args: string = city) =>
  `<|tool_call_begin|>${id}<|tool_call_argument_begin|>${args}<|tool_call_end|>`
const solar = (id: string, args: string) =>
  `<|tool_call:begin|>${id}<|tool_call:name|>get_weather<|tool_call:args|>${args}<|tool_call:end|>`

describe('what models write as the format says', () => {
  readsAll(
    [
      ['a tag without line breaks', hermes.blocks, `<tool_call>${one}</tool_call> on`, [paris], ' on'],
      ['a call that leaves its arguments out', hermes.blocks, '<tool_call>{"name": "now"}</tool_call>', ['now {}'], ''],
      [
        'arguments before the name',
        hermes.blocks,
        `<tool_call>{"arguments": ${city}, "name": "get_weather"}</tool_call>`,
        [paris],
        '',
      ],
      [
        'a whole call in a string',
        hermes.blocks,
        '<tool_call>{"name": "get_weather", "arguments": {"city": "<tool_call>{}</tool_call>"}}</tool_call>!',
        ['get_weather {"city":"<tool_call>{}</tool_call>"}'],
        '!',
      ],
      ['lines in a section', minimaxM1.blocks, `<tool_calls>\n${one}\n${two}\n</tool_calls>\n`, [paris, tokyo], '\n'],
      ['a list in a section', jamba.blocks, `<tool_calls>[\n${one},\n${two}\n]</tool_calls>`, [paris, tokyo], ''],
      ['a list after a token', granite.blocks, `<|tool_call|>[${one}, ${two}]`, [paris, tokyo], ''],
      ['a tag that is not closed', granite.blocks, `<function_call> ${one}`, [paris], ''],
      [
        'names as keys',
        apertus.blocks,
        `<|tools_prefix|>[{"get_weather": ${city}}, {"now": {}}]<|tools_suffix|>.`,
        [paris, 'now {}'],
        '.',
      ],
      [
        'a list in lines',
        cohere.blocks,
        `<|START_ACTION|>[\n    {"tool_call_id": "0", "tool_name": "get_weather", "parameters": ${city}}\n]<|END_ACTION|>`,
        [paris],
        '',
      ],
      [
        'several objects with semicolons',
        llamaJson.blocks,
        `<|python_tag|>{"name": "get_weather", "parameters": ${city}}; {"name": "now", "parameters": {}}`,
        [paris, 'now {}'],
        '',
      ],
      [
        'a bare object with its type',
        llamaJson.blocks,
        `{"type": "function", "name": "get_weather", "parameters": ${city}}; {"name": "now", "parameters": {}}. So`,
        [paris, 'now {}'],
        '. So',
      ],
      [
        'a list without ids',
        mistral.blocks,
        `[TOOL_CALLS] [${one}, ${two}]\nI wait [x].`,
        [paris, tokyo],
        '\nI wait [x].',
      ],
      [
        'an id after the name',
        mistral.blocks,
        `[TOOL_CALLS]get_weather[CALL_ID]123456789[ARGS]${city} I wait {x}.`,
        [paris],
        ' I wait {x}.',
      ],
      [
        'no marker before the arguments',
        mistral.blocks,
        `[TOOL_CALLS]get_weather${city}[TOOL_CALLS]`,
        [paris],
        '[TOOL_CALLS]',
      ],
      ['the form of 3.1', gigachat3.blocks, `<|function_call|>${one}`, [paris], ''],
      [
        'a fence after the name, and a second call',
        deepseekV3.blocks,
        `<｜tool▁calls▁begin｜>${dsCall('function', `get_weather\n\`\`\`json\n${city}\n\`\`\``)}\n${dsCall('function', 'now\n```json\n{}\n```')}<｜tool▁calls▁end｜>.`,
        [paris, 'now {}'],
        '.',
      ],
      [
        'a line break after the separator',
        deepseekV31.blocks,
        `<｜tool▁calls▁begin｜>${dsCall('get_weather', `\n${city}`)}${dsCall('now', '{}')}<｜tool▁calls▁end｜>\nI wait.`,
        [paris, 'now {}'],
        '\nI wait.',
      ],
      [
        'a section in the singular',
        kimiK2.blocks,
        `<|tool_call_section_begin|>${kimi('functions.get_weather:0')}<|tool_call_section_end|>`,
        [paris],
        '',
      ],
      [
        'ids that say nothing, with calls in the JSON',
        kimiK2.blocks,
        `<|tool_calls_section_begin|>${kimi('call_1', one)}${kimi('functions.now:0', '{}')}${kimi('chatcmpl-tool-0af3', two)}<|tool_calls_section_end|>`,
        [paris, 'now {}', tokyo],
        '',
      ],
      [
        'two calls with ids',
        solarOpen.blocks,
        `<|tool_calls|>${solar('c1', city)}${solar('c2', city)}`,
        [paris, paris],
        '',
      ],
      [
        'a recipient in the role, and no end',
        harmony.blocks,
        `<|start|>assistant to=functions.get_weather<|channel|>commentary json<|message|>${city}`,
        [paris],
        '',
      ],
      [
        'a recipient at the head',
        harmony.blocks,
        ` to=functions.get_weather<|channel|>analysis code<|message|>${city}<|call|>`,
        [paris],
        '',
      ],
      [
        'a header without a format',
        harmony.blocks,
        `<|start|>assistant<|channel|>––commentary to=functions.web-browsing<|message|>{}<|call|> x`,
        ['web-browsing {}'],
        ' x',
      ],
      [
        'a recipient that is no function',
        harmony.blocks,
        `<|channel|>analysis to=now code<|message|>{}<|call|>`,
        ['now {}'],
        '',
      ],
    ],
    [],
  )
})

describe('what models write instead', () => {
  const call = (json: string) => `<tool_call>\n${json}\n</tool_call>`
  readsAll([
    ['a fence within the tags', hermes.blocks, call(`\`\`\`json\n${one}\n\`\`\``), [paris], ''],
    ['a bracket too many', hermes.blocks, call(`${one}}`), [paris], ''],
    ['a bracket too few', hermes.blocks, call(one.slice(0, -1)), [paris], ''],
    ['two calls in one tag', hermes.blocks, call(`${one}\n${two}`), [paris, tokyo], ''],
    ['a list in the tag', hermes.blocks, call(`[${one}, ${two}]`), [paris, tokyo], ''],
    [
      'no closing tag',
      hermes.blocks,
      `<tool_call>\n${one}\n<tool_call>\n${two}`,
      [paris],
      '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Tokyo"}}',
    ],
    [
      'no closing tag, and an answer in JSON',
      hermes.blocks,
      `<tool_call>\n${one}\n{"temperature": 21}`,
      [paris],
      '{"temperature": 21}',
    ],
    ['an opening tag too many', hermes.blocks, `<tool_call>\n${call(one)}\n</tool_call>.`, [paris], '.'],
    [
      'tags around the tags',
      hermes.blocks,
      `<tool_calls>\n${call(one)}\n${call(two)}\n</tool_calls>`,
      [paris, tokyo],
      '',
    ],
    ['the name before the object', hermes.blocks, `<tool_call>get_weather\n${city}\n</tool_call>`, [paris], ''],
    [
      'pairs of tags for JSON',
      longcat.blocks,
      '<longcat_tool_call>get_weather\n<longcat_arg_key>city</longcat_arg_key>\n<longcat_arg_value>Paris</longcat_arg_value>\n</longcat_tool_call>',
      [paris],
      '',
    ],
    [
      'quotes around the arguments, which are not escaped',
      hermes.blocks,
      call('{"name": "get_weather", "arguments": "{"city": "Paris"}"}'),
      [paris],
      '',
    ],
    [
      'a bracket too few before the end of the turn',
      llamaJson.blocks,
      `<|python_tag|>{"name": "get_weather", "parameters": ${city}<|eom_id|>`,
      [paris],
      '',
    ],
    ['a bracket too many before it', llamaJson.blocks, `${one}}<|eot_id|>`, [paris], ''],
    ['the end of the message', gigachat3.blocks, `<|function_call|>${one}<|message_sep|>\n`, [paris], '\n'],
    ['the marker twice', mistral.blocks, `[TOOL_CALLS][TOOL_CALLS]get_weather[ARGS]${city}`, [paris], ''],
    ['single quotes', hermes.blocks, call("{'name': 'get_weather', 'arguments': {'city': 'Paris'}}"), [paris], ''],
    ['words after the name of the tag', toolCallJson.blocks, `<TOOL_CALL id="1" x>${one}</TOOL_CALL>`, [paris], ''],
    [
      'objects without the brackets of their list',
      hermes.blocks,
      call('{"name": "get_weather", "arguments": {"stops": {"a": 1}, {"a": 2}, "city": "Paris"}}'),
      ['get_weather {"stops":[{"a":1},{"a":2}],"city":"Paris"}'],
      '',
    ],
    [
      'no brackets around lists in arguments alone',
      functionaryV31.blocks,
      '<function=get_weather>{"stops": {"a": 1}, {"a": 2}, "city": "Paris"}</function>',
      ['get_weather {"stops":[{"a":1},{"a":2}],"city":"Paris"}'],
      '',
    ],
    ['one object for the list', granite.blocks, `<|tool_call|>${one}`, [paris], ''],
    ['objects for the list', nemotronNano.blocks, `<TOOLCALL>${one}, ${two}</TOOLCALL>`, [paris, tokyo], ''],
    ['commas between lines', minimaxM1.blocks, `<tool_calls>${one},\n${two}</tool_calls>`, [paris, tokyo], ''],
    ['a list for the lines', minimaxM1.blocks, `<tool_calls>\n[${one}]\n</tool_calls>`, [paris], ''],
    [
      'plain bars and underscores',
      deepseekV31.blocks,
      `<|tool_calls_begin|><|tool_call_begin|>now<|tool_sep|>{}<|tool_call_end|>`,
      ['now {}'],
      '',
    ],
    ['no arguments at all', deepseekV31.blocks, dsCall('now', ''), ['now {}'], ''],
    ['no fence', deepseekV3.blocks, dsCall('function', `get_weather\n${city}\n`), [paris], ''],
    [
      'no end of a call',
      kimiK2.blocks,
      kimi('get_weather:0').replace('<|tool_call_end|>', '<|tool_calls_section_end|>'),
      [paris],
      '',
    ],
    ['no arguments in a section', kimiK2.blocks, `${kimi('functions.now:0', '')}.`, ['now {}'], '.'],
    [
      'ids of all kinds, and no end of the section',
      kimiK2.blocks,
      `<|tool_calls_section_begin|>\n${[kimi('functions_get_weather_2'), kimi('get_weather:0'), kimi('now', '{}'), kimi('functions.now_3:12', '{}')].join('\n')}`,
      [paris, paris, 'now {}', 'now_3 {}'],
      '',
    ],
    ['calls without a section', kimiK2.blocks, `${kimi('functions.now:1', '{}')} x`, ['now {}'], ' x'],
    [
      'a fence in a message',
      harmony.blocks,
      `<|channel|>commentary to=functions.get_weather<|message|>\`\`\`json\n${city}\n\`\`\`<|call|>`,
      [paris],
      '',
    ],
    ['arguments as a string', functionaryV31.blocks, '<function=now>{"a": "b"}', ['now {"a":"b"}'], ''],
  ])
})
