import { describe, expect, it } from 'vitest'
import type { DialectName } from '../../../test/support/dialects/acceptance-case.ts'
import { weather, write } from '../../../test/support/dialects/acceptance-tools.ts'
import { type AssistantPart, ReplyCollector, type ReplyEvent, type Tool } from '../../conversation/index.ts'
import { createReader, dialects } from '../index.ts'

/**
 * Cases that the tables cannot express: AC21 and AC59 are about how a reply grows, AC46 about the calls that are
 * written back.
 */

function collect(dialect: string, text: string, tools: readonly Tool[], end: 'stop' | 'length', trigger?: string) {
  const reader = createReader({ dialect, tools, ...(trigger !== undefined && { trigger }) })
  const collector = new ReplyCollector()
  collector.push([...reader.push(text), ...reader.end(end)])
  return collector.parts
}

/** Tests with the reader of the dialect, and with the universal reader. */
function withReaders(name: string, dialect: DialectName, test: (reader: string) => void): void {
  for (const reader of [dialect, 'universal']) it(`${name} ${reader}`, () => test(reader))
}

const value = '{"city": "Paris [France]"}'
const cuttable: readonly (readonly [DialectName, string])[] = [
  ['hermes', `I look.<tool_call>\n{"name": "get_weather", "arguments": ${value}}\n</tool_call>`],
  ['granite', `I look.<|tool_call|>[{"name": "get_weather", "arguments": ${value}}]`],
  ['mistral', `I look.[TOOL_CALLS][{"name": "get_weather", "arguments": ${value}}]`],
  [
    'kimi-k2',
    `I look.<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>${value}<|tool_call_end|><|tool_calls_section_end|>`,
  ],
  [
    'qwen3-coder',
    'I look.\n<tool_call>\n<function=get_weather>\n<parameter=city>\nParis [France]\n</parameter>\n</function>\n</tool_call>',
  ],
  ['lfm2', "I look.<|tool_call_start|>[get_weather(city='Paris [France]')]<|tool_call_end|>"],
  ['gemma4', 'I look.<|tool_call>call:get_weather{city:<|"|>Paris [France]<|"|>}<tool_call|>'],
]

describe('a cut anywhere adds nothing that the model did not write', () => {
  for (const [dialect, text] of cuttable) {
    withReaders('AC21b [llama.cpp PR#12379]', dialect, (reader) => {
      const whole = collect(reader, text, [weather], 'stop').flatMap((part) => (part.type === 'call' ? [part] : []))
      expect(whole).toMatchObject([{ name: 'get_weather', complete: true }])
      for (let end = 0; end < text.length; end++) {
        for (const part of collect(reader, text.slice(0, end), [weather], 'length')) {
          if (part.type === 'call') expect(whole[0]?.arguments.startsWith(part.arguments), part.arguments).toBe(true)
          else expect(text.slice(0, end)).toContain(part.text)
        }
      }
    })
  }
})

describe('history is written in the dialect that is read', () => {
  const trigger = '<<CALL_9f3a27c1>>'
  const parts: AssistantPart[] = [
    { type: 'text', text: 'I look.' },
    { type: 'call', id: 'call_1', name: 'get_weather', arguments: '{"city":"Paris \\"[x]\\" {y}"}' },
  ]

  it.each(dialects.map((dialect) => [dialect.name, dialect] as const))(
    'AC46b [Rapid-MLX PR#1592] %s',
    (name, dialect) => {
      const text = dialect.renderAssistant(parts, { trigger }, [weather])
      const read = collect(name, text, [weather], 'stop', dialect.usesTrigger ? trigger : undefined)
      const bare = read.flatMap((part) => (part.type === 'text' && part.text.trim() === '' ? [] : [part]))
      expect(bare).toMatchObject([
        { type: 'text', text: expect.stringMatching(/^\s*I look\.\s*$/) },
        { type: 'call', name: 'get_weather', complete: true },
      ])
      const [, call] = bare
      expect(JSON.parse(call?.type === 'call' ? call.arguments : '')).toEqual({ city: 'Paris "[x]" {y}' })
    },
  )
})

/** The beginning and the end of a call with one long string. */
const frames: readonly (readonly [DialectName, string, string])[] = [
  [
    'kimi-k3',
    '<|open|>tools<|sep|><|open|>call tool="write" index="1"<|sep|><|open|>argument key="content" type="string"<|sep|>',
    '<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
  ],
  ['qwen3-coder', '<tool_call>\n<function=write>\n<parameter=content>\n', '\n</parameter>\n</function>\n</tool_call>'],
  ['hermes', '<tool_call>\n{"name": "write", "arguments": {"content": "', '"}}\n</tool_call>'],
  ['glm', '<tool_call>write<arg_key>content</arg_key><arg_value>', '</arg_value></tool_call>'],
  ['mistral', '[TOOL_CALLS]write[ARGS]{"content": "', '"}'],
  [
    'dsml',
    '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="write">\n<｜DSML｜parameter name="content" string="true">',
    '</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
  ],
  [
    'deepseek-v3.1',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>write<｜tool▁sep｜>{"content": "',
    '"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  ],
  [
    'minimax-m2',
    '<minimax:tool_call>\n<invoke name="write">\n<parameter name="content">',
    '</parameter>\n</invoke>\n</minimax:tool_call>',
  ],
  [
    'minimax-m3',
    ']<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name="write">]<]minimax[>[<content>',
    ']<]minimax[>[</content>]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>',
  ],
  ['gemma4', '<|tool_call>call:write{content:<|"|>', '<|"|>}<tool_call|>'],
  ['lfm2', "<|tool_call_start|>[write(content='", "')]<|tool_call_end|>"],
  ['harmony', '<|channel|>commentary to=functions.write <|constrain|>json<|message|>{"content": "', '"}<|call|>'],
]

/** The greatest length of a string that may be held back: more than any marker has. */
const longestHeld = 64
/** The number of characters of the argument that was silent for 32 seconds. */
const pieces = Array.from({ length: 1250 }, (_, index) => `word ${String(index).padStart(6, '0')}, x`)

describe('a long argument is never silent', () => {
  for (const [dialect, head, tail] of frames) {
    withReaders('AC59 [vllm PR#50627, vllm#30439]', dialect, (reader) => {
      const reading = createReader({ dialect: reader, tools: [write] })
      const opened = reading.push(head)
      expect(opened.map(({ type }) => type)).toContain('call-start')
      let given = lengthOf(opened)
      let written = 0
      for (const piece of pieces) {
        const events = reading.push(piece)
        expect(events.map(({ type }) => type)).toContain('call-arguments')
        given += lengthOf(events)
        written += piece.length
        expect(written - given).toBeLessThan(longestHeld)
      }
      const collector = new ReplyCollector()
      collector.push([...opened, ...reading.push(tail), ...reading.end('stop')])
      expect(collector.parts).toMatchObject([{ type: 'call', name: 'write', complete: true }])
    })
  }
})

function lengthOf(events: readonly ReplyEvent[]): number {
  return events.reduce((sum, event) => sum + (event.type === 'call-arguments' ? event.json.length : 0), 0)
}
