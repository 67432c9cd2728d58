import { describe, expect, it } from 'vitest'
import { coveringTests } from '../../test/support/covering-tests.ts'
import { brokenLaw } from '../../test/support/dialects/fuzz-case.ts'
import { tools } from '../../test/support/dialects/replies.ts'
import { isThorough } from '../../test/support/draws.ts'
import type { FuzzCase } from '../../tools/fuzz/types.ts'
import { createReader } from './create-reader.ts'

/** Texts that once broke a law: `npm run fuzz` found them and reduced them. `what` describes them. */
const cases: readonly (FuzzCase & { what: string })[] = [
  {
    what: 'more white space than is between markers, before the marker of calls that were read',
    dialect: 'inkling',
    text: `<|message_model|><|content_invoke_tool_json|>{"name":"write_file","args":{"path":"a"}}${' \n'.repeat(40)}<|message_model|>`,
    options: {},
  },
  {
    what: 'what follows calls is no marker that could be written twice, in a reply that was cut',
    dialect: 'deepseek-v3.1',
    text: '<｜tool▁call▁begin｜>write_file<｜tool▁sep｜>{path:e}<ll>',
    options: { reason: 'stop-sequence' },
  },
  {
    what: 'what stands in angle brackets and is no tag, before a comment, for the report',
    dialect: 'kimi-k2',
    text: '<|><!--tool_calls',
    options: {},
  },
  {
    what: 'the word of a call on the line before a fence, for the report',
    dialect: 'functionary-v3.2',
    text: '<invoke\n```',
    options: {},
  },
  {
    what: 'the word of a call on a line that looks like a fence until its last backtick',
    dialect: 'mistral',
    text: '```tool_calls`',
    options: {},
  },
  {
    what: 'the notice of a closing tag left out comes after the value',
    dialect: 'qwen3-coder',
    text: '<function=write_file<parameter=path>>\n<parameter=content>',
    options: {},
  },
  {
    what: 'the notice of a closing tag left out, where values end with the next key',
    dialect: 'glm',
    text: '<tool_call>search_code<arg_key>query</arg_key><arg_value>>\n<arg_key>options</arg_key><arg_value>',
    options: {},
  },
  {
    what: 'a bracket after a call, with which another may begin',
    dialect: 'universal',
    text: '<invoke name=applyedits></invoke>]<]minimax[>[<tool_call>',
    options: {},
  },
  {
    what: 'the same after a list of calls',
    dialect: 'universal',
    text: '<function_calls>getweather("")</call>]<]minimax[>[<tool_call>',
    options: {},
  },
  {
    what: 'the same after a message',
    dialect: 'universal',
    text: '<|channel|>to=getweather<|message|><|call|>]<]minimax[>[<tool_call>',
    options: {},
  },
  {
    what: 'a whole call after a broken one whose next tag may go on, in a reply that was cut',
    dialect: 'universal',
    text: '<cofl:tool_callname=getweather><cofl:value\n[TOOL_CALLS]runcommand[ARGS]{}',
    options: { reason: 'length' },
  },
  {
    what: 'a list after a character of reasoning begins no line',
    dialect: 'universal',
    text: '>[{name:eargs":"',
    options: { reasoning: 'open', accept: { callsInReasoning: true } },
  },
  {
    what: 'a marker that begins no call in reasoning stays reasoning',
    dialect: 'universal',
    text: '.<invoke ',
    options: { reasoning: 'open', accept: { callsInReasoning: true } },
  },
  {
    what: 'what comes right after the opening tag of reasoning begins its line',
    dialect: 'universal',
    text: '<thinking>[r(y=Q',
    options: { accept: { callsInReasoning: true } },
  },
  {
    what: 'a fence whose first line begins like a marker and is none is no shell of calls',
    dialect: 'minimax-m2',
    text: '~~~\n<\n<minimax:tool_call>',
    options: { accept: { fences: 'lenient' } },
  },
  {
    what: 'a fence is no shell of calls where fences are examples',
    dialect: 'universal',
    text: '<longcat_tool_call>{name:r,```\n{"name"',
    options: {},
  },
  {
    what: 'JSON after a quotation mark begins no line',
    dialect: 'xlam',
    text: '"{name:sarguments:<tool_call>',
    options: {},
  },
  {
    what: 'a fence after a broken call whose marker is a fence too',
    dialect: 'universal',
    text: '<｜tool▁call▁begin｜>n<｜tool▁sep｜>"r"```\n<｜tool▁call▁begin｜>',
    options: { accept: { fences: 'lenient' } },
  },
  {
    what: 'a fence between two triggers',
    dialect: 'nemotron-nano',
    text: '<<CALL_9f3a27c1>>~~~\n<<CALL_9f3a27c1>>',
    options: { trigger: '<<CALL_9f3a27c1>>' },
  },
  {
    what: 'a name that is too long for one, given up within a piece',
    dialect: 'universal',
    text: `{"name":"${'a'.repeat(254)}\\u0041b <`,
    options: {},
  },
  {
    what: 'a closing marker at which the text was cut is no part of the value',
    dialect: 'qwen3-coder',
    text: '<tool_call>\n<function=read_file>\n<parameter=path>\na\n</parameter>\n</fun',
    options: { reason: 'length' },
  },
  {
    what: 'a name without quotes, for the trace',
    dialect: 'universal',
    text: '<toolcall>[{"":t}{name:GetWeather<',
    options: {},
  },
  {
    what: 'a name with quotes in it, which are escaped in its JSON, for the trace',
    dialect: 'internlm',
    text: '<|action_start|><|plugin|>{"name""Getweather""s"::',
    options: {},
  },
  {
    what: 'white space before reasoning that a broken call ends, and text after it, with delivery whole',
    dialect: 'granite',
    text: '>\n<think><|tool_call|>{"name""getweather",`',
    options: {},
  },
  {
    what: 'white space before reasoning in which a call is refused, and text after it',
    dialect: 'minimax-m3',
    text: '>\n<think>]<]minimax[>[<invoke name=n>]<]minimax[>[<id></id>]<]minimax[>[<l',
    options: {},
  },
  {
    what: "a tag that is misspelt after a vendor's bar, as it arrives",
    dialect: 'universal',
    text: '‹｜ DS｜toor ',
    options: {},
  },
  {
    what: 'a closing quote left out before the next key, where no mark closes the arguments',
    dialect: 'functionary-v3.2',
    text: '>>>get_weather\n{"city": "Par, "units": "metric"}',
    options: {},
  },
  {
    what: 'a name too long for any tool, in whose JSON each character is an escape',
    dialect: 'universal',
    text: `{"name" "\v: "get${'\v'.repeat(240)}`,
    options: {},
  },
  {
    what: 'the same where all of the JSON is escaped once more',
    dialect: 'universal',
    text: `{\\"name\\": \\"get${'\\\\n'.repeat(130)}\\"}`,
    options: {},
  },
  {
    what: 'a name too long for any tool, of pairs of which the limit cuts one',
    dialect: 'universal',
    text: `{"name": "g${'😀'.repeat(140)}`,
    options: {},
  },
  {
    what: 'two closing markers, which begin like the delimiter, after a string that is left open in a refused call',
    dialect: 'functiongemma',
    text: '<start_function_call>e{h:<escape><end_function_call><end_function_call>',
    options: {},
  },
  {
    what: 'a closing marker and the end of the turn after such a string in a call',
    dialect: 'gemma4',
    text: '<|tool_call>call:get_weather{city:<|"|>Oslo}<tool_call|><|im_end|>',
    options: {},
  },
  {
    what: 'an argument in an element after the object of the others',
    dialect: 'toolify',
    text: '<invoke name="read_file"><arguments>{"path":"a"}</arguments><max_lines>3</max_lines></invoke>',
    options: {},
  },
  {
    what: 'the same in tags for keys and values',
    dialect: 'glm',
    text: '<tool_call>read_file{"path":"a"}<arg_key>max_lines</arg_key><arg_value>3</arg_value></tool_call>',
    options: {},
  },
  {
    what: 'the same after an object that is left open',
    dialect: 'toolify',
    text: '<invokename=readfile><parameter>{<m></invoke>',
    options: {},
  },
  {
    what: 'the same calls after a call that broke off, whether its section is text or not',
    dialect: 'universal',
    text: '<｜too><invoke name=searchcode></parameter>"]"<invokename=setlabel><',
    options: {},
  },
]

it.each(cases)('holds the laws: $what', ({ dialect, text, options }) => {
  expect(brokenLaw({ dialect, text, options })).toBeUndefined()
})

/** The divisor of repetitions: even so, work that is not linear takes minutes. */
const share = isThorough ? 1 : 4

/** Beginnings, each with the text that is repeated after it, and the number of repetitions. */
const long: readonly (readonly [what: string, begin: string, repeated: string, times: number])[] = [
  ['a list whose items all need a repair', '{"name":"run","arguments":{"a":[', "'x',", 150_000],
  ['a text with a wrong escape in each word', '{"name":"run","arguments":{"a":"', '\\x', 150_000],
  ['fences that are never closed', '', 'Action:\n```json\n[{"tool_name": "run", "parameters": ', 24_000],
]

const deliveries = ['live', 'whole'] as const
const testsOf = coveringTests(deliveries)

describe.each(deliveries)('%s', (delivery) => {
  const it = testsOf(delivery)
  it.each(long)('reads %s to its end', (_what, begin, repeated, times) => {
    const reader = createReader({ dialect: 'universal', tools, delivery })
    const events = [...reader.push(begin + repeated.repeat(times / share)), ...reader.end()]
    expect(events.at(-1)?.type).toBe('finish')
  })
})
