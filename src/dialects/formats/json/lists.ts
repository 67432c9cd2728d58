import {
  close,
  closeTag,
  type Expression,
  jsonCall,
  jsonCalls,
  oneOrMore,
  openTag,
  type Pattern,
  pattern,
  repeat,
  sequence,
  token,
  tolerated,
} from '../../../grammar/index.ts'
import type { FormatData } from '../../format/format.ts'
import { reasoningForms } from '../../format/reasoning-forms.ts'
import { pythonIn } from '../functions/pythonic.ts'
import { between, blank, calls, fenced, line, noCalls, parisCall, turnEnd } from '../parts/json-parts.ts'

/** Formats in which all calls of a turn are one list, or lines, between two markers. */

type Keys = Parameters<typeof jsonCalls>[0]

/**
 * A list of calls, and the forms that models write in its place: one object, or objects without the list's brackets.
 */
function list(keys?: Keys): Expression {
  const others = repeat(sequence(token(between), jsonCalls(keys)))
  return sequence(blank, calls, fenced(jsonCalls(keys), tolerated(others)))
}

const sectionTags = sequence(openTag('tool_calls'), list(), close(closeTag('tool_calls')))

const lineBreak: Pattern = pattern.sequence(pattern.tolerated(','), pattern.space('\n'))
const sectionLines = sequence(
  openTag('tool_calls'),
  line,
  calls,
  fenced(oneOrMore(jsonCall(), lineBreak)),
  line,
  close(closeTag('tool_calls')),
)

const noSection = noCalls('<tool_calls>', '</tool_calls>')

export const minimaxM1: FormatData = {
  name: 'minimax-m1',
  families: 'MiniMax-M1',
  source: 'the function call guide of MiniMax-M1',
  example: `<tool_calls>\n${parisCall()}\n</tool_calls>`,
  blocks: [{ tree: sectionLines, place: 'anywhere' }],
  reasoning: [reasoningForms.think],
}

export const jamba: FormatData = {
  name: 'jamba',
  families: 'Jamba',
  source: 'the chat template of AI21-Jamba-1.5',
  example: `<tool_calls>[${parisCall()}]</tool_calls>`,
  blocks: [{ tree: sectionTags, place: 'anywhere' }],
  markers: [noSection],
}

export const apriel: FormatData = {
  name: 'apriel',
  families: 'Apriel 1.5 and 1.6, Hunyuan-A13B',
  source: 'the chat template of Apriel-1.5-15b-Thinker',
  example: `<tool_calls>[${parisCall()}]</tool_calls>`,
  blocks: [{ tree: sectionTags, place: 'anywhere' }],
  reasoning: [reasoningForms.think, reasoningForms.apriel],
  reasoningClosers: ['[BEGIN FINAL RESPONSE]'],
  markers: ['[BEGIN FINAL RESPONSE]', '[END FINAL RESPONSE]', '<|end|>', noSection],
  // Hunyuan-A13B.
  answers: [{ open: '<answer>', close: '</answer>' }],
}

export const nemotronNano: FormatData = {
  name: 'nemotron-nano',
  families: 'Nemotron Nano v2, Llama Nemotron',
  source: 'the chat template of NVIDIA-Nemotron-Nano-9B-v2',
  example: `<TOOLCALL>[${parisCall()}]</TOOLCALL>`,
  blocks: [
    { tree: sequence(openTag('TOOLCALL'), list(), close(closeTag('TOOLCALL'))), place: 'anywhere' },
    // Prompts for Llama Nemotron ask for Python there.
    pythonIn('TOOLCALL'),
  ],
  reasoning: [reasoningForms.think],
  markers: [noCalls('<TOOLCALL>', '</TOOLCALL>')],
}

/** Granite 3.1 and later have the singular. */
const graniteMark = (slash: string): Pattern => pattern.sequence(`<|${slash}tool_call`, pattern.tolerated('s'), '|>')
const [opener, closer] = [graniteMark(''), graniteMark('/')]

export const granite: FormatData = {
  name: 'granite',
  families: 'Granite 3, Granite 20B function calling',
  source: 'the chat template of granite-3.1-8b-instruct, and that of granite-20b-functioncalling',
  example: `<|tool_call|>[${parisCall()}]`,
  blocks: [
    { tree: sequence(token(opener), list(), tolerated(token(pattern.space(), closer)), turnEnd), place: 'anywhere' },
    {
      tree: sequence(openTag('function_call'), list(), tolerated(blank, closeTag('function_call'))),
      place: 'anywhere',
    },
    { tree: sequence(openTag('tool_call'), list(), close(closeTag('tool_call'))), place: 'anywhere' },
  ],
  reasoning: [reasoningForms.think, reasoningForms.granite, reasoningForms.graniteShort],
  markers: ['<|end_of_text|>', noCalls('<|tool_call|>')],
  // Granite 3.3, and Granite 4.0 H Small.
  namedCalls: { lines: true },
  // Granite 3.2 and 3.3, which think.
  answers: [{ open: '<response>', close: '</response>' }],
}

/** The header of a message of calls comes after the role, which the prompt may have begun. */
const hyperclovaHeader = token(
  pattern.tolerated('<|im_start|>assistant '),
  '-> tool/function_call',
  pattern.space('\n'),
)

export const hyperclova: FormatData = {
  name: 'hyperclova',
  families: 'HyperCLOVA X SEED Think 14B',
  source: "vLLM's hyperclovax_seed_think_14b tool parser",
  example: `-> tool/function_call\n[${parisCall()}]`,
  blocks: [{ tree: sequence(hyperclovaHeader, list(), turnEnd), place: 'anywhere' }],
  reasoning: [reasoningForms.hyperclova, reasoningForms.hyperclovaBegun],
  markers: [
    pattern.sequence('<|im_start|>assistant', pattern.notAhead(pattern.choice(' ->', '/'))),
    '<|im_end|>',
    '<|stop|>',
    '<|endofturn|>',
  ],
  separator: '',
}

export const openpangu: FormatData = {
  name: 'openpangu',
  families: 'openPangu',
  source: "vLLM's pangu tool parser; openPangu 2 has other tokens for the same",
  example: `[unused11][${parisCall()}][unused12]`,
  blocks: [
    { tree: sequence('[unused11]', list(), blank, close('[unused12]')), place: 'anywhere' },
    { tree: sequence('<|tool_call_start|>', list(), blank, close('<|tool_call_end|>')), place: 'anywhere' },
  ],
  reasoning: [reasoningForms.pangu],
  markers: ['[unused10]', noCalls('[unused11]', '[unused12]'), noCalls('<|tool_call_start|>', '<|tool_call_end|>')],
  separator: '',
}

/** The tool's name is the key of its arguments. */
const nameAsKey = { name: undefined, arguments: 'arguments' }

export const apertus: FormatData = {
  name: 'apertus',
  families: 'Apertus',
  source: 'the chat template of Apertus-8B-Instruct-2509',
  example: '<|tools_prefix|>[{"get_weather": {"city": "Paris", "days": 3}}]<|tools_suffix|>',
  blocks: [{ tree: sequence('<|tools_prefix|>', list(nameAsKey), close('<|tools_suffix|>')), place: 'anywhere' }],
  reasoning: [reasoningForms.apertus],
  markers: ['<|assistant_end|>', noCalls('<|tools_prefix|>', '<|tools_suffix|>')],
}

const cohereKeys = { name: 'tool_name', arguments: 'parameters', id: 'tool_call_id', order: ['tool_call_id'] }

/**
 * The markers around a citation: `<co>in 1969</co: 0:[1,2]>` with the call and its results, `<co: 1>in 1969</co: 1>` of
 * Command R+.
 */
const citationMarks: readonly Pattern[] = [
  pattern.sequence('<co', pattern.tolerated(pattern.sequence(':', pattern.space(), pattern.chars('\\d,', 1, 32))), '>'),
  pattern.sequence('</co', pattern.tolerated(pattern.sequence(':', pattern.chars('\\d:,\\[\\] ', 1, 256))), '>'),
]

export const cohere: FormatData = {
  name: 'cohere',
  families: 'Command R7B, Command A, North',
  source: 'the chat template of c4ai-command-r7b-12-2024',
  example: `<|START_ACTION|>[{"tool_call_id": "0", ${parisCall('tool_name', 'parameters').slice(1)}]<|END_ACTION|>`,
  blocks: [{ tree: sequence('<|START_ACTION|>', list(cohereKeys), close('<|END_ACTION|>')), place: 'anywhere' }],
  reasoning: [reasoningForms.cohere],
  markers: [
    '<|START_RESPONSE|>',
    '<|END_RESPONSE|>',
    '<|START_TEXT|>',
    '<|END_TEXT|>',
    '<|END_OF_TURN_TOKEN|>',
    ...citationMarks,
    noCalls('<|START_ACTION|>', '<|END_ACTION|>'),
  ],
}

/** The fence is the format's own, so its content is not an example. */
const action = token('Action:', pattern.space('\n'), '```', pattern.optional('json'), pattern.space('\n'))

export const commandRPlus: FormatData = {
  name: 'command-r-plus',
  families: 'Command R, Command R+',
  source: 'the tool use prompt of c4ai-command-r-plus',
  example: `Action:\n\`\`\`json\n[${parisCall('tool_name', 'parameters')}]\n\`\`\``,
  blocks: [
    {
      tree: sequence(action, calls, jsonCalls({ name: 'tool_name', arguments: 'parameters' }), line, close('```')),
      place: 'phrase',
    },
  ],
  markers: ['<|END_OF_TURN_TOKEN|>', ...citationMarks],
}

export const rwkv: FormatData = {
  name: 'rwkv',
  families: 'RWKV-7',
  source: "vLLM's rwkv tool parser",
  example: `**Tool Call:**\n\`\`\`json\n${parisCall()}\n\`\`\``,
  blocks: [
    {
      tree: sequence(
        token('**Tool Call:**', pattern.space('\n'), '```', pattern.optional('json'), pattern.space('\n')),
        calls,
        jsonCall(),
        line,
        close('```'),
      ),
      place: 'phrase',
    },
  ],
  reasoning: [reasoningForms.think],
}

/** Phi-4-mini writes the token of its vocabulary before the word of its prompt as well. */
const tokenBefore: Pattern = pattern.tolerated(pattern.sequence('<|tool_call|>', pattern.space()))

export const phi4: FormatData = {
  name: 'phi4',
  families: 'Phi-4-mini, Firefunction v2',
  source: 'the function calling format of Phi-4-mini-instruct',
  example: `functools[${parisCall()}]`,
  blocks: [
    { tree: sequence(token(tokenBefore, 'functools', pattern.space()), calls, jsonCalls(), turnEnd), place: 'phrase' },
    // The tokens of Phi-4-mini's vocabulary.
    {
      tree: sequence(
        token('<|tool_call|>', pattern.space()),
        calls,
        jsonCalls(),
        tolerated(token(pattern.space(), '<|/tool_call|>')),
      ),
      place: 'anywhere',
    },
  ],
  markers: ['<|end|>'],
}

export const internlm: FormatData = {
  name: 'internlm',
  families: 'InternLM 2.5, Intern-S1',
  source: 'the chat format of InternLM 2.5',
  example: `<|action_start|><|plugin|>${parisCall('name', 'parameters')}<|action_end|>`,
  blocks: [
    {
      tree: sequence(
        token(pattern.choice(pattern.sequence('<|action_start|>', pattern.space(), '<|plugin|>'), '<|plugin|>')),
        blank,
        calls,
        fenced(jsonCall({ name: 'name', arguments: 'parameters' })),
        close('<|action_end|>'),
      ),
      place: 'anywhere',
    },
  ],
  reasoning: [reasoningForms.think],
  markers: ['<|im_end|>'],
}
