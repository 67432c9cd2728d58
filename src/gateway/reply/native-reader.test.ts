import { describe, expect, test } from 'vitest'
import { type FinishReason, ReplyCollector, type ReplyPart, type Tool } from '../../conversation/index.ts'
import type { CallPiece } from '../../upstreams/upstream.ts'
import { NativeReader } from './native-reader.ts'

const tools: Tool[] = [
  {
    name: 'get_weather',
    description: '',
    schema: {
      type: 'object',
      properties: {
        city: { type: 'string' },
        days: { type: 'integer' },
        where: { type: 'object', properties: { lat: { type: 'number' } } },
      },
    },
  },
  { name: 'get_weather_alerts', description: '', schema: { type: 'object', properties: {} } },
]

type Piece = string | Partial<CallPiece>

/** Reads pieces of text and of calls, and returns the result; a piece without an index belongs to the first call. */
function read(
  pieces: readonly Piece[],
  reason: FinishReason = 'stop',
  more: { parallelCalls?: boolean; delivery?: 'whole'; takenIds?: string[] } = {},
) {
  let made = 0
  const reader = new NativeReader({
    tools,
    toolChoice: { type: 'auto' },
    parallelCalls: true,
    newCallId: () => `made_${++made}`,
    ...more,
  })
  const collector = new ReplyCollector()
  for (const piece of pieces) {
    collector.push(
      typeof piece === 'string' ? reader.push(piece) : reader.pushCall({ type: 'call', index: 0, ...piece }),
    )
  }
  collector.push(reader.end(reason))
  return collector.reply
}

/** Arguments are written anew, without white space. */
function call(json: string, more: Partial<Extract<ReplyPart, { type: 'call' }>> = {}): ReplyPart {
  return { type: 'call', id: 'made_1', name: 'get_weather', arguments: json, complete: true, ...more }
}

const named = { name: 'get_weather' }
const paris = '{"city":"Paris"}'

describe('calls that are sent', () => {
  const cases: [what: string, pieces: Piece[], parts: ReplyPart[]][] = [
    ['whole', [{ ...named, id: 'call_1', arguments: paris }], [call(paris, { id: 'call_1' })]],
    ['without an id', [{ ...named, arguments: paris }], [call(paris)]],
    [
      'in pieces',
      [{ ...named, id: 'c', arguments: '' }, { arguments: '{"ci' }, { arguments: 'ty": "Pa' }, { arguments: 'ris"}' }],
      [call(paris, { id: 'c' })],
    ],
    ['without arguments', [named], [call('{}')]],
    ['with empty arguments', [{ ...named, arguments: ' ' }], [call('{}')]],
    [
      'after text',
      ['Let me see.', { ...named, arguments: paris }],
      [{ type: 'text', text: 'Let me see.' }, call(paris)],
    ],
    [
      'one after the other',
      [
        { ...named, id: 'a', arguments: '{"days": 1}' },
        { index: 1, ...named, id: 'b', arguments: '{"da' },
        { index: 1, arguments: 'ys": 2}' },
      ],
      [call('{"days":1}', { id: 'a' }), call('{"days":2}', { id: 'b' })],
    ],
    [
      'side by side',
      [
        { ...named, id: 'a' },
        { index: 1, ...named, id: 'b' },
        { index: 1, arguments: '{"days": ' },
        { arguments: '{"days": ' },
        { arguments: '1}' },
        { index: 1, arguments: '2}' },
      ],
      [call('{"days":1}', { id: 'a' }), call('{"days":2}', { id: 'b' })],
    ],
    [
      'all with the same index',
      [
        { ...named, id: 'a', arguments: '{"days": 1}' },
        { ...named, id: 'b', arguments: '{"days": 2}' },
      ],
      [call('{"days":1}', { id: 'a' }), call('{"days":2}', { id: 'b' })],
    ],
    [
      'with the name in every piece',
      [
        { ...named, id: 'a', arguments: '{"da' },
        { ...named, id: 'a', arguments: 'ys": 1}' },
      ],
      [call('{"days":1}', { id: 'a' })],
    ],
    [
      'with the name in pieces',
      [{ name: 'get_' }, { name: 'weather_alerts' }, { arguments: '{}' }],
      [call('{}', { name: 'get_weather_alerts' })],
    ],
  ]
  test.each(cases)('%s', (_, pieces, parts) => {
    const reply = read(pieces)
    expect(reply.parts).toEqual(parts)
    expect(reply.notices).toEqual([])
    expect(reply.finish.reason).toBe('calls')
  })
})

test('an id that another call has, in the reply or before it, is made anew', () => {
  const pieces = ['call_0', 'call_0', 'before', 'c'].map((id, index) => ({ ...named, index, id, arguments: paris }))
  const { parts } = read(pieces, 'stop', { takenIds: ['before'] })
  expect(parts.map((part) => part.type === 'call' && part.id)).toEqual(['call_0', 'made_1', 'made_2', 'c'])
})

describe('arguments that are mended', () => {
  const cases: [what: string, pieces: string[], json: unknown][] = [
    ['cumulative', ['{', '{"city"', '{"city": "Pa', '{"city": "Paris"}'], { city: 'Paris' }],
    ['sent once more as a whole', ['{"city": ', '"Paris"}', '{"city": "Paris"}'], { city: 'Paris' }],
    ['that only look cumulative', ['{"where": ', '{"where": 1}}'], { where: { where: 1 } }],
    ['encoded twice', ['"{\\"city\\": \\"Par', 'is\\"}"'], { city: 'Paris' }],
    ['with a member encoded twice', ['{"where": "{\\"lat\\": 48.8}"}'], { where: { lat: 48.8 } }],
    ['without their last bracket', ['{"city": "Paris", "days": 3'], { city: 'Paris', days: 3 }],
    ['in the notation of Python', ["{'city': 'Paris', 'days': None}"], { city: 'Paris', days: null }],
    ['with a comma too many', ['{"city": "Paris",}'], { city: 'Paris' }],
    ['of the wrong type', ['{"city": "Paris", "days": "3"}'], { city: 'Paris', days: 3 }],
    ['null', ['null'], {}],
    ['in a list', ['[{"city": "Pa', 'ris"}', ']'], { city: 'Paris' }],
    ['an empty list, as PHP writes an empty object', ['[]'], {}],
    ['with the markers of calls in a string', ['{"city": "</tool_call>"}'], { city: '</tool_call>' }],
  ]
  test.each(cases)('%s', (_, pieces, expected) => {
    const { parts, finish } = read([named, ...pieces.map((json) => ({ arguments: json }))])
    expect(parts).toHaveLength(1)
    const [only] = parts
    expect(only).toMatchObject({ type: 'call', complete: true })
    expect(only?.type === 'call' && JSON.parse(only.arguments)).toEqual(expected)
    expect(finish.reason).toBe('calls')
  })
})

test('a call that leaked into the text is made', () => {
  const leaked = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>'
  expect(read(['Let me see.\n', leaked.slice(0, 20), leaked.slice(20)]).parts).toEqual([
    { type: 'text', text: 'Let me see.' },
    call(paris),
  ])
})

test('leaked calls and sent ones are numbered together', () => {
  const leaked = '<tool_call>\n{"name": "get_weather", "arguments": {"days": 1}}\n</tool_call>'
  const { parts } = read([leaked, { ...named, id: 'a', arguments: '{"days": 2}' }])
  expect(parts).toEqual([call('{"days":1}'), call('{"days":2}', { id: 'a' })])
})

describe('text around calls', () => {
  const call1 = { ...named, id: 'a', arguments: '{"days": 1}' }
  const call2 = { index: 1, ...named, id: 'b', arguments: '{"days": 2}' }
  const text = (said: string): ReplyPart => ({ type: 'text', text: said })
  const [made1, made2] = [call('{"days":1}', { id: 'a' }), call('{"days":2}', { id: 'b' })]
  const cases: [what: string, pieces: Piece[], parts: ReplyPart[]][] = [
    ['the line break before a call is the call’s', ['One.', '\n', call1], [text('One.'), made1]],
    ['but no more of the white space', ['One. \n\n', call1], [text('One. \n'), made1]],
    ['what may begin a call comes before it', ['Is 1 <', call1], [text('Is 1 <'), made1]],
    ['text after a call', [call1, '\nTwo.'], [made1, text('\nTwo.')]],
    [
      'text between calls',
      ['One.', call1, 'Two.\n', call2, 'Three.'],
      [text('One.'), made1, text('Two.'), made2, text('Three.')],
    ],
    ['white space around calls is none', ['\n', call1, '\n\n', call2, '\n'], [made1, made2]],
    ['thoughts left open', ['<think>Hm.', call1], [{ type: 'reasoning', text: 'Hm.' }, made1]],
    [
      'text in a call comes after it',
      [{ ...call1, arguments: '{"da' }, 'Two', ' more', { arguments: 'ys": 1}' }, ' ', 'words.'],
      [made1, text('Two more words.')],
    ],
    ['text in a call without its last bracket', [{ ...call1, arguments: '{"days": 1' }, 'Two.'], [made1, text('Two.')]],
    ['a call that is over goes on with nothing', [call1, 'Two.', { arguments: '' }], [made1, text('Two.')]],
    [
      'a call after text, without a number or an id of its own',
      [{ ...named, arguments: '{"days": 1}' }, 'Two.', { ...named, arguments: '{"days": 2}' }],
      [call('{"days":1}'), text('Two.'), call('{"days":2}', { id: 'made_2' })],
    ],
    ['a call beside another goes on with nothing', [call1, call2, { arguments: '' }], [made1, made2]],
  ]
  test.each(cases)('%s', (_, pieces, parts) => {
    const reply = read(pieces)
    expect(reply.parts).toEqual(parts)
    expect(reply.finish.reason).toBe('calls')
  })

  test('a call is over before text or reasoning after it comes', () => {
    const reader = new NativeReader({ tools, toolChoice: { type: 'auto' }, parallelCalls: true })
    reader.pushCall({ type: 'call', index: 0, ...call1 })
    expect(reader.push('Two.').map(({ type }) => type)).toEqual(['call-arguments', 'call-end', 'text'])
    reader.pushCall({ type: 'call', ...call2 })
    expect(reader.pushReasoning('Hm.').map(({ type }) => type)).toEqual(['call-arguments', 'call-end', 'reasoning'])
  })

  test('calls that leaked before a cut are no reason to run anything', () => {
    const leaked = '<tool_call>\n{"name": "get_weather", "arguments": {"days": 1}}\n</tool_call>'
    expect(read([leaked, { ...call2, arguments: '{"da' }], 'length').finish.reason).toBe('length')
  })
})

test('a call in an example stays text', () => {
  const text = '```\n<tool_call>\n{"name": "get_weather", "arguments": {}}\n</tool_call>\n```\nThat is how.'
  expect(read([text]).parts).toEqual([{ type: 'text', text }])
})

test('a call of a tool that is not offered is text, with a notice', () => {
  const { parts, notices, finish } = read([{ name: 'rm', arguments: '{"path": "/"}' }])
  expect(parts).toEqual([{ type: 'text', text: 'rm {"path": "/"}' }])
  expect(notices.map(({ code }) => code)).toEqual(['unknown-tool'])
  expect(finish.reason).toBe('stop')
})

test('of several calls one is made where one is allowed', () => {
  const { parts, notices } = read(
    [
      { ...named, arguments: paris },
      { index: 1, ...named, arguments: paris },
    ],
    'stop',
    { parallelCalls: false },
  )
  expect(parts.filter(({ type }) => type === 'call')).toEqual([call(paris)])
  expect(notices.map(({ code }) => code)).toEqual(['call-not-allowed'])
})

test('a call that the token limit cut is left open', () => {
  const { parts, finish } = read([{ ...named, arguments: '{"city": "Par' }], 'length')
  expect(parts).toEqual([call('{"city":"Par', { complete: false })])
  expect(finish.reason).toBe('length')
})

test('a broken call is text as it was sent, where calls are given out whole', () => {
  const pieces = ['I look.', { ...named, arguments: '{"city": "Pa' }]
  const { parts, notices } = read(pieces, 'stop', { delivery: 'whole' })
  expect(parts).toEqual([{ type: 'text', text: 'I look.\nget_weather {"city": "Pa' }])
  expect(notices.map(({ code }) => code)).toContain('incomplete-call')
})

describe('arguments that are no object', () => {
  const cases: [what: string, json: string, reason: FinishReason][] = [
    ['a list', '["Paris"]', 'stop'],
    ['a string', '"Paris"', 'stop'],
    ['text', 'Paris, please', 'stop'],
    ['a number', '3', 'stop'],
    ['a list that was cut', '["Par', 'length'],
  ]
  test.each(cases)('%s: the call is text, with a notice, however it comes', (_, json, reason) => {
    for (const pieces of [[json], [...json]]) {
      const { parts, notices, finish } = read(
        [{ ...named, id: 'a' }, ...pieces.map((arguments_) => ({ arguments: arguments_ }))],
        reason,
      )
      expect(parts).toEqual([{ type: 'text', text: `get_weather ${json}` }])
      expect(notices.map(({ code }) => code)).toContain('incomplete-call')
      expect(finish.reason).toBe(reason)
    }
  })

  test('beside a call that is right', () => {
    const { parts, finish } = read([
      { ...named, id: 'a', arguments: '["Paris"]' },
      { index: 1, ...named, id: 'b', arguments: paris },
    ])
    expect(parts).toEqual([{ type: 'text', text: 'get_weather ["Paris"]' }, call(paris, { id: 'b' })])
    expect(finish.reason).toBe('calls')
  })
})

describe('a call that the token limit cuts before its arguments', () => {
  test.each<[what: string, piece: Partial<CallPiece>, json: string]>([
    ['after its name', { ...named, id: 'a' }, ''],
    ['after its brace', { ...named, id: 'a', arguments: '{' }, '{'],
  ])('%s is incomplete', (_, piece, json) => {
    const { parts, notices, finish } = read([piece], 'length')
    expect(parts).toEqual([call(json, { id: 'a', complete: false })])
    expect(notices.map(({ code }) => code)).toEqual(['incomplete-call'])
    expect(finish.reason).toBe('length')
  })

  test('in its name is text', () => {
    expect(read([{ name: 'get_wea' }], 'length').parts).toEqual([{ type: 'text', text: 'get_wea' }])
  })

  test('without a name is nothing', () => {
    expect(read([{ id: 'a' }], 'length').parts).toEqual([])
  })
})
