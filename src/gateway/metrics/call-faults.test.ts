import { expect, test } from 'vitest'
import type { ReplyEvent, Tool } from '../../conversation/index.ts'
import { BoundedValues } from './bounded-values.ts'
import { type CallFault, CallJudge, ReplyCalls } from './call-faults.ts'

const tools: Tool[] = [
  { name: 'add', description: '', schema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } },
]

test.each<[name: string, json: string, fault: CallFault | undefined]>([
  ['add', '{"n": 1}', undefined],
  ['add', '{"n": "1"}', 'schema_mismatch'],
  ['add', '{}', 'schema_mismatch'],
  ['add', '[1]', 'schema_mismatch'],
  ['add', '{"n": 1', 'invalid_json'],
  ['Add', '{"n": 1}', 'unknown_name'],
  ['Add', '{"n": ', 'invalid_json'],
  ['add', `{"n": "${'1'.repeat(300_000)}"}`, undefined],
])('%s %.20s is %s', (name, json, fault) => {
  expect(new CallJudge(tools).faultOf(name, json)).toBe(fault)
})

const notice = (code: string): ReplyEvent => ({ type: 'notice', notice: { code, message: '' } })
const start: ReplyEvent = { type: 'call-start', index: 0, id: 'c', name: 'add' }
const json = (text: string): ReplyEvent => ({ type: 'call-arguments', index: 0, json: text })
const end = (complete: boolean): ReplyEvent => ({ type: 'call-end', index: 0, complete })
const valid = [start, json('{"n":'), json('1}'), end(true)]

test.each<[what: string, events: ReplyEvent[], written: (CallFault | undefined)[], sent: (CallFault | undefined)[]]>([
  ['a valid call', valid, [undefined], [undefined]],
  ['a repaired call', [start, notice('repaired'), json('{"n":1}'), end(true)], ['invalid_json'], [undefined]],
  ['a retyped value', [start, json('{"n":1}'), notice('retyped'), end(true)], ['schema_mismatch'], [undefined]],
  ['both', [start, notice('retyped'), notice('repaired'), json('{"n":1}'), end(true)], ['invalid_json'], [undefined]],
  ['a value that fits nothing', [start, json('{"n":"x"}'), end(true)], ['schema_mismatch'], ['schema_mismatch']],
  ['an unknown tool', [notice('unknown-tool'), ...valid], ['unknown_name', undefined], ['unknown_name', undefined]],
  ['text like a call', [notice('broken-call')], ['invalid_json'], ['invalid_json']],
  ['a repair beside calls', [notice('repaired'), ...valid], [undefined], [undefined]],
  [
    'a call that broke off',
    [start, json('{"n'), notice('incomplete-call'), end(false)],
    ['invalid_json'],
    ['invalid_json'],
  ],
  ['the same, delivered whole', [notice('incomplete-call')], ['invalid_json'], ['invalid_json']],
])('%s', (_, events, written, sent) => {
  const judged = (countsRepairs: boolean, wasCut = false): (CallFault | undefined)[] => {
    const calls = new ReplyCalls(new CallJudge(tools), { countsRepairs })
    for (const event of events) calls.push([event])
    return calls.end(wasCut).map(({ fault }) => fault)
  }
  expect(judged(true)).toEqual(written)
  expect(judged(false)).toEqual(sent)
})

test('a call that the token limit cut counts in neither way', () => {
  const calls = new ReplyCalls(new CallJudge(tools), { countsRepairs: true })
  calls.push([...valid, start, json('{"n"'), end(false)])
  expect(calls.end(true)).toEqual([{}])
})

test('values beyond the bound are one', () => {
  const values = new BoundedValues(2)
  expect(['a', 'b', 'c', 'a', 'd', 'x'.repeat(101)].map((value) => values.bounded(value))).toEqual([
    'a',
    'b',
    'other',
    'a',
    'other',
    'other',
  ])
})
