import type { LanguageModelV3StreamPart } from '@ai-sdk/provider'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { streamOf, testReader, usage } from '../../../test/support/ai-sdk/model.ts'
import { ReplyParts } from './parts.ts'

function run(parts: readonly LanguageModelV3StreamPart[]): LanguageModelV3StreamPart[] {
  const reply = new ReplyParts(testReader())
  return [...parts.flatMap((part) => reply.push(part)), ...reply.end()]
}

/** The parts in short, with pieces of the same block merged. */
function short(parts: readonly LanguageModelV3StreamPart[]): string[] {
  const lines: string[] = []
  for (const part of parts) {
    const [kind = ''] = part.type.split('-delta')
    if ('delta' in part) {
      const last = lines.at(-1)
      if (last?.startsWith(`${kind}: `)) lines[lines.length - 1] = last + part.delta
      else lines.push(`${kind}: ${part.delta}`)
    } else if (part.type === 'tool-input-start') lines.push(`${part.type} ${part.toolName}`)
    else if (part.type === 'tool-call') lines.push(`${part.type} ${part.toolName} ${part.input}`)
    else if (part.type === 'finish') lines.push(`finish ${part.finishReason.unified}`)
    else lines.push(part.type)
  }
  return lines
}

const text = (delta: string): LanguageModelV3StreamPart => ({ type: 'text-delta', id: '0', delta })
const finish = (unified: 'stop' | 'length' | 'error' | 'other'): LanguageModelV3StreamPart => ({
  type: 'finish',
  finishReason: { unified, raw: unified },
  usage,
})
const call = '<TOOL_CALL>{"name": "note", "input": {"text": "a"}}</TOOL_CALL>'

describe('parts', () => {
  it.each<[string, LanguageModelV3StreamPart[], string[]]>([
    ['nothing', [finish('stop')], ['finish stop']],
    ['text', [text('a'), text('b'), finish('stop')], ['text-start', 'text: ab', 'text-end', 'finish stop']],
    [
      'text and a call',
      [text(`Now.\n${call}`), finish('stop')],
      [
        'text-start',
        'text: Now.',
        'text-end',
        'tool-input-start note',
        'tool-input: {"text":"a"}',
        'tool-input-end',
        'tool-call note {"text":"a"}',
        'finish tool-calls',
      ],
    ],
    [
      'a call of a server that does not say why it stopped',
      [text(call), finish('other')],
      [
        'tool-input-start note',
        'tool-input: {"text":"a"}',
        'tool-input-end',
        'tool-call note {"text":"a"}',
        'finish tool-calls',
      ],
    ],
    [
      'a native part between texts',
      [
        text('a'),
        { type: 'tool-call', toolCallId: '1', toolName: 'search', input: '{}', providerExecuted: true },
        text('b'),
        finish('stop'),
      ],
      ['text-start', 'text: a', 'text-end', 'tool-call search {}', 'text-start', 'text: b', 'text-end', 'finish stop'],
    ],
    [
      'native reasoning',
      [
        { type: 'reasoning-start', id: 'r' },
        { type: 'reasoning-delta', id: 'r', delta: 'hm' },
        { type: 'reasoning-end', id: 'r' },
        text('a'),
        finish('stop'),
      ],
      ['reasoning-start', 'reasoning: hm', 'reasoning-end', 'text-start', 'text: a', 'text-end', 'finish stop'],
    ],
    [
      'a reply that failed within a call',
      [text(call.slice(0, call.indexOf('"}}'))), { type: 'error', error: 'broken' }, finish('error')],
      ['tool-input-start note', 'tool-input: {"text":"a', 'error', 'finish error'],
    ],
    ['a stream without an end', [text('a <TOOL')], ['text-start', 'text: a <TOOL', 'text-end']],
  ])('%s', (_, parts, expected) => {
    expect(short(run(parts))).toEqual(expected)
  })

  it('keeps what the provider says of a text and of the reply', () => {
    const ended = { ...finish('stop'), providerMetadata: { some: { cost: 1 } } }
    const parts = run([
      { type: 'text-start', id: '0', providerMetadata: { some: { signature: 'x' } } },
      text('a'),
      { type: 'text-end', id: '0' },
      ended,
    ])
    expect(parts[0]).toMatchObject({ type: 'text-start', providerMetadata: { some: { signature: 'x' } } })
    expect(parts.at(-1)).toEqual(ended)
  })
})

describe('laws', () => {
  const reply = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          call,
          '<TOOL_CALL>',
          '</TOOL_CALL>',
          '<think>',
          '</think>',
          '{"name": "note",',
          '```',
          '\n',
          '<',
        ),
        fc.string(),
      ),
      { maxLength: 8 },
    )
    .map((pieces) => pieces.join(''))

  it('parts are the same however the text is cut', () => {
    fc.assert(
      fc.property(reply, fc.integer({ min: 1, max: 9 }), (text, size) => {
        const whole = short(run(streamOf({ text })))
        expect(short(run(streamOf({ text, size })))).toEqual(whole)
      }),
    )
  })

  it('every block that begins ends, before another begins, and no call comes without its whole input', () => {
    fc.assert(
      fc.property(reply, fc.constantFrom('stop' as const, 'length' as const), (text, finish) => {
        let open: string | undefined
        const inputs = new Map<string, string>()
        for (const part of run(streamOf({ text, size: 3, finish }))) {
          if (part.type === 'text-start' || part.type === 'reasoning-start') {
            expect(open).toBeUndefined()
            open = part.id
          } else if (part.type === 'text-delta' || part.type === 'reasoning-delta') {
            expect(part.id).toBe(open)
          } else if (part.type === 'text-end' || part.type === 'reasoning-end') {
            expect(part.id).toBe(open)
            open = undefined
          } else if (part.type === 'tool-input-start') {
            expect(open).toBeUndefined()
            inputs.set(part.id, '')
          } else if (part.type === 'tool-input-delta') {
            inputs.set(part.id, (inputs.get(part.id) ?? '') + part.delta)
          } else if (part.type === 'tool-call') {
            expect(inputs.get(part.toolCallId)).toBe(part.input)
            expect(() => JSON.parse(part.input)).not.toThrow()
          }
        }
        expect(open).toBeUndefined()
      }),
    )
  })

  it('loses no text', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 9 }), (words, size) => {
        const text = `a${words.replaceAll('<', '(')}z`
        const parts = run(streamOf({ text, size }))
        const said = parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('')
        expect(said).toBe(text)
      }),
    )
  })
})
