import { expect, test } from 'vitest'
import type { Conversation } from '../../conversation/index.ts'
import type { AttemptRecord, ExchangeRecord } from '../record/exchange.ts'
import { missedCalls } from './missed-calls.ts'

const call = '<tool_call>\n{"name": "ls", "arguments": {}}\n</tool_call>'
const noText = { text: '', pieces: [] }

/** The facts of an exchange in which a model wrote this. */
function wrote(text: string, dialect = 'hermes'): Parameters<typeof missedCalls>[0] {
  const attempt: AttemptRecord = {
    upstream: 'u',
    model: 'm',
    plan: 'prompted',
    reading: { dialect, delivery: 'live' },
    startMs: 0,
    requests: [],
    text: { text, pieces: [1, text.length] },
    spans: [],
    reasoning: noText,
    calls: [],
  }
  const conversation: Conversation = {
    model: 'm',
    system: '',
    turns: [],
    tools: [{ name: 'ls', description: '', schema: {} }],
    toolChoice: { type: 'auto' },
    parallelCalls: true,
    stopSequences: [],
    sampling: {},
  }
  return { attempts: [attempt], conversation, reply: [], timings: { end: 9 } }
}

test.each([
  [`\`\`\`\n${call}\n\`\`\``, 'hermes', '"reading: {"fences":"lenient"}"'],
  [`<think>${call}</think>Done.`, 'hermes', '"reading: {"callsInReasoning":true}"'],
  ['ls({})', 'hermes', '"reading: {"looseCalls":true}"'],
  [
    '```json\n{"name": "ls", "arguments": {}}\n```',
    'hermes',
    '"dialect: universal" and "reading: {"fences":"lenient"}"',
  ],
  [
    '```json\n{"name": "ls", "arguments": {}}\n```',
    'toolify',
    '"dialect: universal" and "reading: {"fences":"lenient"}"',
  ],
  [`<think>${call}</think>Done.`, 'mistral', '"dialect: universal" and "reading: {"callsInReasoning":true}"'],
  [call, 'mistral', 'not written as dialect "mistral" has it, and "universal" reads it'],
])('%j as %s', (text, dialect, why) => {
  expect(missedCalls(wrote(text, dialect))).toEqual([
    {
      level: 'warning',
      code: 'call-not-accepted',
      message: expect.stringContaining(`The text has a call of "ls" that was not run: `),
      attempt: 0,
    },
  ])
  expect(missedCalls(wrote(text, dialect))[0]?.message).toContain(why)
})

test.each<[string, Partial<ExchangeRecord>, string]>([
  ['a text without a call', {}, 'Say ls, and then go on.'],
  ['a call that the settings accept', {}, call],
  [
    'a reply with a call',
    { reply: [{ ms: 1, event: { type: 'call-start', index: 0, id: 'a', name: 'ls' } }] },
    'ls({})',
  ],
  ['a failure', { error: { code: 'upstream', message: 'why' } }, 'ls({})'],
  ['an exchange that runs', { timings: {} }, 'ls({})'],
  ['a text that is too long to be read again', {}, `ls({})\n${'x'.repeat(200_000)}`],
])('%s: nothing is missed', (_, more, text) => {
  expect(missedCalls({ ...wrote(text), ...more })).toEqual([])
})
