import { describe, expect, test } from 'vitest'
import { createScriptedUpstream, type Piece, type Play } from '../../upstreams/scripted/scripted.ts'
import type { CallPiece, GenerationContext } from '../../upstreams/upstream.ts'
import { probeCall } from './probe-call.ts'

const context: GenerationContext = { signal: new AbortController().signal, requestId: 'r', log: () => {} }

function probe(play: Play, signal = context.signal): Promise<string | undefined> {
  const upstream = createScriptedUpstream({ name: 'test', abilities: { requests: ['tools'] }, play: [play] })
  return probeCall(upstream, 'm', { ...context, signal })
}

const call = (json?: string, more: Partial<CallPiece> = { name: 'report_status' }): Piece => ({
  type: 'call',
  index: 0,
  ...(json !== undefined && { arguments: json }),
  ...more,
})
const right = '{"status": "ready"}'

describe('a call proves that the upstream calls, where it', () => {
  test.each<[what: string, pieces: Piece[]]>([
    ['is as asked for', [call(right)]],
    ['comes in pieces, after words', ['Sure.', call(), call('{"sta', {}), call('tus": "ready"}', {})]],
    ['comes cumulatively', [call('{"status"'), call(right)]],
    ['has its arguments encoded twice', [call(JSON.stringify(right))]],
    ['has the name in another notation', [call(right, { name: 'reportStatus' })]],
    ['has a value that is typed otherwise', [call('{"status": 5}')]],
    ['comes after one that is wrong', [call('{}'), call(right, { name: 'report_status', index: 1 })]],
  ])('%s', async (_, pieces) => {
    expect(await probe({ pieces })).toBeUndefined()
  })
})

describe('it does not, where', () => {
  test.each<[what: string, pieces: Piece[], fault: string | RegExp]>([
    ['there is none', ['ready'], 'the upstream made none'],
    ['its arguments are lost', [call('{}')], /that is not valid: .*required property "status"/],
    ['it has none', [call()], /that is not valid: .*required property "status"/],
    ['its arguments are others', [call('{"x": 1}')], /that is not valid: .*required property "status"/],
    ['its arguments cannot be read', [call('ready')], /that is not valid: The arguments cannot be read/],
    ['another tool is called', [call(right, { name: 'other' })], /that is not valid: The model called "other"/],
    [
      'it leaks as text',
      [`<tool_call>\n{"name": "report_status", "arguments": ${right}}\n</tool_call>`],
      'the upstream made none',
    ],
  ])('%s', async (_, pieces, fault) => {
    expect(await probe({ pieces })).toMatch(fault)
  })
})

test('what comes after the call is not waited for', async () => {
  expect(await probe({ pieces: [call(right)], fault: { type: 'hang' } }, AbortSignal.timeout(5_000))).toBeUndefined()
})

test('a reply that breaks off tells nothing', async () => {
  const cut: Play = { pieces: [call(), call('{"st', {})], fault: { type: 'cut', afterPieces: 2 } }
  await expect(probe(cut)).rejects.toMatchObject({ code: 'upstream', message: expect.stringContaining('broke off') })
})
