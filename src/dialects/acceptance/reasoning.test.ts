import { type AcceptanceCase, call } from '../../../test/support/dialects/acceptance-case.ts'
import { testCases } from '../../../test/support/dialects/acceptance-table.ts'
import { run, weather } from '../../../test/support/dialects/acceptance-tools.ts'

/** AC31 to AC33: the end of reasoning, and calls in it. */

const paris = call('get_weather', { city: 'Paris' })
const hermesParis = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>'
const qwenLs = '<tool_call>\n<function=run>\n<parameter=command>\nls\n</parameter>\n</function>\n</tool_call>'

testCases('reasoning ends where it ends, and calls in it are as the caller wants them', [
  {
    id: 'AC31a',
    title: 'a call in reasoning stays reasoning',
    source: 'vllm#39056, vllm#16511',
    dialect: 'hermes',
    text: `<think>I may call:\n${hermesParis}\nor not.</think>\nDone.`,
    tools: [weather],
    reply: [{ think: `I may call:\n${hermesParis}\nor not.` }, 'Done.'],
  },
  {
    id: 'AC31b',
    title: 'a call in reasoning is a call where the caller wants it so',
    source: 'vllm#39056, vllm#42021',
    dialect: 'hermes',
    text: `<think>I call.\n${hermesParis}\n</think>\nDone.`,
    tools: [weather],
    options: { accept: { callsInReasoning: true } },
    reply: [{ think: 'I call.' }, paris, 'Done.'],
  },
  {
    id: 'AC31c',
    title: 'the same where the reasoning is never closed',
    source: 'vllm#39056',
    dialect: 'qwen3-coder',
    text: `I list the files.\n${qwenLs}`,
    tools: [run],
    options: { accept: { callsInReasoning: true }, reasoning: 'open' },
    reply: [{ think: 'I list the files.' }, call('run', { command: 'ls' })],
  },
  {
    id: 'AC32a',
    title: 'an answer is text where the prompt has closed the reasoning',
    source: 'vllm#53284',
    dialect: 'qwen3-coder',
    text: 'The answer is 4.',
    tools: [run],
    reply: ['The answer is 4.'],
  },
  {
    id: 'AC32b',
    title: 'a bare closing tag before an answer is no text',
    source: 'vllm#53284',
    dialect: 'dsml',
    text: '</think>The answer is 4.',
    tools: [run],
    reply: ['The answer is 4.'],
  },
  {
    id: 'AC32c',
    title: 'an answer in its own section is text',
    source: 'vllm#53284',
    dialect: 'kimi-k3',
    text: '<|open|>response<|sep|>The answer is 4.<|close|>response<|sep|><|close|>message<|sep|>',
    tools: [run],
    reply: ['The answer is 4.'],
  },
  {
    id: 'AC32d',
    title: 'reasoning that the prompt has opened ends where the model closes it',
    source: 'vllm#53284',
    dialect: 'hermes',
    text: 'I add them.\n</think>\n\nThe answer is 4.',
    tools: [run],
    options: { reasoning: 'open' },
    reply: [{ think: 'I add them.' }, 'The answer is 4.'],
  },
  {
    id: 'AC33a',
    title: 'the end of the reasoning and a call in one piece',
    source: 'vllm#51679',
    dialect: 'qwen3-coder',
    text: ['I list', ` the files.</think>${qwenLs.slice(0, 20)}`, qwenLs.slice(20)],
    tools: [run],
    options: { reasoning: 'open' },
    reply: [{ think: 'I list the files.' }, call('run', { command: 'ls' })],
  },
  {
    id: 'AC33b',
    title: 'the whole reasoning and a call in one piece',
    source: 'vllm#51679',
    dialect: 'hermes',
    text: `<think>I look.</think>${hermesParis}`,
    tools: [weather],
    reply: [{ think: 'I look.' }, paris],
  },
])

testCases('names that models give the tags of their reasoning', [
  ...['thought', 'Thought', 'thinking', 'reasoning', 'seed:think'].map(
    (tag, index): AcceptanceCase => ({
      id: `AC67${'abcde'.charAt(index)}`,
      title: `<${tag}>`,
      source: 'zed-industries/zed#58042; Seed-OSS',
      dialect: 'universal',
      text: `<${tag}>I look.</${tag}>\nDone.`,
      tools: [weather],
      reply: [{ think: 'I look.' }, 'Done.'],
    }),
  ),
  ...['[/THINK]', '<channel|>', '</think>', '</thought>', '◁/think▷', '<|END_THINKING|>'].map(
    (closer, index): AcceptanceCase => ({
      id: `AC68${'abcdef'.charAt(index)}`,
      title: `${closer} closes what the prompt has opened`,
      source: 'Magistral, Gemma 4, Qwen3, Kimi VL, Command A',
      dialect: 'universal',
      text: `I look.${closer}Done.`,
      tools: [weather],
      options: { reasoning: 'open' },
      reply: [{ think: 'I look.' }, 'Done.'],
    }),
  ),
  ...(['gemma4', 'universal'] as const).map(
    (dialect, index): AcceptanceCase => ({
      id: `AC69${'ab'.charAt(index)}`,
      title: `Gemma 4's channel without its name, in text that begins like it, ${dialect}`,
      source: 'vLLM test_gemma4_reasoning_parser',
      dialect,
      text: 'I look.\n<|channel>Those are near.<channel|>\nDone.',
      tools: [weather],
      reply: ['I look.\n', { think: 'Those are near.' }, 'Done.'],
    }),
  ),
])
