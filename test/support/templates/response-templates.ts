import type { JsonObject } from '../../../src/conversation/index.ts'
import type { FormatData } from '../../../src/dialects/format/format.ts'
import {
  parseResponseTemplate,
  type ResponseFormat,
} from '../../../src/templates/response-template/response-template.ts'

/** Response templates as they are published: in Transformers' documentation, tests and server, and in TRL. */

const call = { type: 'function', function: { name: '{name}', arguments: '{content}' } }
const think = { open: '<think>', close: '</think>', content: 'text' }
const chat = { defaults: { role: 'assistant' }, start_anchor: '<|im_start|>assistant\n' }
const nonJson = { name: 'json', args: { allow_non_json: true } }

export const smollm: JsonObject = {
  ...chat,
  fields: {
    thinking: think,
    tool_calls: {
      open: '<tool_call>',
      close: '</tool_call>',
      repeats: true,
      content: 'json',
      transform: { type: 'function', function: '{content}' },
    },
    content: { close: '<|im_end|>', content: 'text' },
  },
}

export const gptOss: JsonObject = {
  defaults: { role: 'assistant' },
  start_anchor: '<|start|>assistant',
  fields: {
    thinking: { open: '<|channel|>analysis<|message|>', close: '<|end|>', content: 'text' },
    content: { open: '<|channel|>final<|message|>', close: '<|end|>', content: 'text' },
    tool_calls: {
      open_pattern: '<\\|channel\\|>commentary to=functions\\.(?P<name>\\w+).*?<\\|message\\|>',
      close: '<|call|>',
      repeats: true,
      content: 'json',
      transform: call,
    },
  },
}

export const trlGptOss: JsonObject = {
  defaults: { role: 'assistant' },
  start_anchor: '<|start|>assistant',
  fields: {
    thinking: { open: '<|channel|>analysis<|message|>', close_pattern: '<\\|end\\|>\\s*', content: 'text' },
    content: { open: '<|channel|>final<|message|>', close_pattern: '<\\|return\\|>\\s*', content: 'text' },
    tool_calls: {
      open_pattern: 'to=functions\\.(?P<name>\\S+?)<\\|channel\\|>commentary\\s+json<\\|message\\|>',
      close_pattern: '<\\|call\\|>\\s*',
      repeats: true,
      content: 'json',
      transform: call,
    },
  },
}

export const cohere: JsonObject = {
  defaults: { role: 'assistant' },
  start_anchor: '<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>',
  fields: {
    content: { open: '<|START_RESPONSE|>', close: '<|END_RESPONSE|>', content: 'text' },
    thinking: { open: '<|START_THINKING|>', close: '<|END_THINKING|>', content: 'text' },
    tool_calls: {
      open: '<|START_ACTION|>',
      close: '<|END_ACTION|>',
      content: 'json',
      transform_each: true,
      transform: { type: 'function', function: { name: '{tool_name}', arguments: '{parameters}' } },
    },
  },
}

export const qwenCoder: JsonObject = {
  ...chat,
  fields: {
    thinking: think,
    tool_calls: {
      open_pattern: '<tool_call>\\s*<function=(?P<name>\\w+)>',
      close: '</tool_call>',
      repeats: true,
      content: 'xml-inline',
      content_args: {
        tag_pattern: '<parameter=(?P<key>\\w+)>\\s*(?P<value>.*?)\\s*</parameter>',
        value_parser: nonJson,
      },
      transform: call,
    },
  },
}

/** The template of Transformers' server; its white space and its end of turn differ. */
export const servedQwen: JsonObject = {
  ...chat,
  fields: {
    thinking: think,
    tool_calls: {
      open_pattern: '\\s*<tool_call>\\s*<function=(?P<name>[^>\\n]+)>',
      close_pattern: '</function>\\s*</tool_call>',
      repeats: true,
      content: 'xml-inline',
      content_args: { tag_pattern: '<parameter=(?P<key>[^>\\n]+)>\\s*(?P<value>.*?)\\s*</parameter>' },
      transform: call,
    },
    content: { close_pattern: '\\s*(?:<\\|im_end\\|>|<\\|endoftext\\|>)' },
  },
}

/** The prompt has opened the reasoning, and the expression checks if it is closed. */
export const nemotron: JsonObject = {
  defaults: { role: 'assistant' },
  start_anchor_pattern: '<\\|im_start\\|>assistant\\n<think>(?:\\n|</think>)?',
  fields: {
    reasoning_content: { open_pattern: '(?=[\\s\\S]*?</think>)', close_pattern: '</think>\\s*', content: 'text' },
    tool_calls: {
      open_pattern: '<tool_call>\\s*<function=(?P<name>[^\\n>]+)>',
      close_pattern: '</tool_call>\\s*',
      repeats: true,
      content: 'xml-inline',
      content_args: {
        tag_pattern: '<parameter=(?P<key>[^>\\n]+)>\\s*(?P<value>.*?)\\s*</parameter>',
        value_parser: nonJson,
      },
      transform: call,
    },
    content: { close_pattern: '<\\|im_end\\|>\\s*', content: 'text' },
  },
}

export const gemma: JsonObject = {
  defaults: { role: 'assistant' },
  start_anchor: ['<|turn>model\n', '<tool_response|>'],
  fields: {
    thinking: { open: '<|channel>thought\n', close: '<channel|>', content: 'text' },
    tool_calls: {
      open_pattern: '<\\|tool_call>call:(?P<name>\\w+)',
      close: '<tool_call|>',
      repeats: true,
      content: 'json',
      content_args: { unquoted_keys: true, string_delims: [['<|"|>', '<|"|>']] },
      transform: call,
    },
    content: { close: ['<turn|>', '<|tool_response>', '<eos>'], content: 'text' },
  },
}

export const glm: JsonObject = {
  defaults: { role: 'assistant' },
  start_anchor: '<|assistant|>',
  fields: {
    reasoning_content: { open: '<think>', close_pattern: '</think>\\s*', content: 'text' },
    tool_calls: {
      open_pattern: '<tool_call>(?P<name>\\S+)\\n?',
      close_pattern: '</tool_call>\\s*',
      repeats: true,
      content: 'xml-inline',
      content_args: {
        tag_pattern: '<arg_key>(?P<key>[^<]+)</arg_key>\\s*\\n<arg_value>(?P<value>.*?)</arg_value>',
        value_parser: nonJson,
      },
      transform: call,
    },
    content: { close_pattern: '<\\|user\\|>\\s*|$', content: 'text' },
  },
}

export const llama: JsonObject = {
  defaults: { role: 'assistant' },
  start_anchor: '<|start_header_id|>assistant<|end_header_id|>\n\n',
  fields: {
    tool_calls: {
      open_pattern: '\\{"name":\\s*"(?P<name>[^"]+)",\\s*"parameters":\\s*',
      close_pattern: '\\}<\\|eot_id\\|>\\s*',
      repeats: true,
      content: 'json',
      transform: call,
    },
    content: { close_pattern: '<\\|eot_id\\|>\\s*', content: 'text' },
  },
}

export const ernie: JsonObject = {
  defaults: { role: 'assistant' },
  start_anchor: 'Assistant:',
  fields: {
    thinking: { open_pattern: '(?:^|<think>\\s*)', close: '</think>', content: 'text' },
    content: { open: '<response>\n', close_pattern: '\\n?</response>', content: 'text' },
    tool_calls: {
      open: '<tool_call>',
      close: '</tool_call>',
      repeats: true,
      content: 'json',
      transform: { type: 'function', function: '{content}' },
    },
  },
}

export const inkling: JsonObject = {
  defaults: { role: 'assistant' },
  start_anchor: '<|message_model|>',
  fields: {
    thinking: {
      open_pattern: '(?:<\\|message_model\\|>)?[^<]*<\\|content_thinking\\|>',
      close: '<|end_message|>',
      repeats: true,
      join: '',
      content_args: { strip: false },
    },
    content: {
      open_pattern: '(?:<\\|message_model\\|>)?[^<]*<\\|content_text\\|>',
      close: '<|end_message|>',
      repeats: true,
      join: '',
    },
    tool_calls: {
      open_pattern: '(?:<\\|message_model\\|>)?[^<]*<\\|content_invoke_tool_json\\|>',
      close: '<|end_message|>',
      repeats: true,
      content: 'json',
      transform: { type: 'function', function: { name: '{content.name}', arguments: '{content.args}' } },
    },
  },
}

/** Muse Glimmer's checkpoint: a recipient before each message, calls as elements. */
export const muse: JsonObject = {
  defaults: { role: 'assistant' },
  start_anchor: '<|start|>assistant',
  fields: {
    reasoning_content: { open_pattern: 'to=self<\\|message\\|>', close: '<|eom|>', content: 'text' },
    content: { open_pattern: 'to=user<\\|message\\|>', close: ['<|eot|>', '<|eom|>'], content: 'text' },
    tool_calls: {
      open_pattern: '<atem:invoke\\b[^>]*?\\bname="(?P<name>[^"]+)">',
      close: '</atem:invoke>',
      content: 'xml-inline',
      repeats: true,
      content_args: {
        tag_pattern: '<atem:parameter\\b[^>]*?\\bname="(?P<key>[^"]+)"[^>]*?>(?P<value>.*?)</atem:parameter>',
        value_parser: nonJson,
      },
      transform: call,
    },
  },
}

/** Mistral's newer format: nothing closes a call but the next one. */
export const mistral: JsonObject = {
  start_anchor: ['[/INST]', '[/TOOL_RESULTS]'],
  fields: {
    thinking: { open: '[THINK]', close: '[/THINK]' },
    tool_calls: {
      open_pattern: '\\[TOOL_CALLS\\](?P<name>[A-Za-z0-9_.:-]+)\\[ARGS\\]',
      close_pattern: '(?=\\[TOOL_CALLS\\]|</s>)',
      repeats: true,
      content: 'json',
      transform: call,
    },
    content: { close: '</s>' },
  },
}

/** Mistral's older format: all calls are one list, up to the end of the turn. */
export const mistralList: JsonObject = {
  start_anchor: '[/INST]',
  fields: {
    tool_calls: {
      open: '[TOOL_CALLS]',
      close: '</s>',
      content: 'json',
      transform_each: true,
      transform: { type: 'function', id: '{id}', function: { name: '{name}', arguments: '{arguments}' } },
    },
    content: { close: '</s>' },
  },
}

/** A format of lines, which no known model uses. */
export const lines: JsonObject = {
  ...chat,
  fields: {
    thinking: { open: '<think>', close: '</think>' },
    tool_calls: {
      open_pattern: '<tool_call>\\s*<function=(?P<name>\\w+)>\\n',
      close: '</tool_call>',
      repeats: true,
      content: 'kv-lines',
      transform: call,
    },
    content: { close: '<|im_end|>' },
  },
}

const atom = '[^\\[\\]{}\'"]|\'[^\']*\'|"[^"]*"'
const nested = [1, 2, 3].reduce((inner) => `${atom}|[\\[{](?:${inner})*[\\]}]`, atom)

/** TRL's for LFM2.5: Python calls in one list, so that a comma opens each but the first. */
export const lfm: JsonObject = {
  ...chat,
  fields: {
    thinking: { open: '<think>', close_pattern: '</think>\\s*', content: 'text' },
    tool_calls: {
      open_pattern: '(?:<\\|tool_call_start\\|>\\[|,\\s*)(?P<name>\\w+)\\(',
      close_pattern: '\\)(?:\\]<\\|tool_call_end\\|>)?\\s*',
      repeats: true,
      content: 'xml-inline',
      content_args: {
        tag_pattern: `(?P<key>\\w+)=(?P<value>'[^']*'|[\\[{](?:${nested})*[\\]}]|[^,)]*)`,
        value_parser: { name: 'json', args: { string_delims: [["'", "'"]], allow_non_json: true } },
      },
      transform: call,
    },
    content: { close_pattern: '<\\|im_end\\|>\\s*', content: 'text' },
  },
}

/** The format of a template that has one. */
export function formatOf(spec: JsonObject): ResponseFormat {
  const format = parseResponseTemplate(spec)
  if (format.type === 'none') throw new Error(format.why)
  return format
}

/** The same as the data of a dialect. */
export function dataOf(spec: JsonObject): FormatData {
  const { reasoning, markers, blocks } = formatOf(spec)
  return { name: 'test', families: '', source: '', example: '', reasoning, markers, blocks, separator: '' }
}
