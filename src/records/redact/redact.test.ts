import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lawRuns } from '../../../test/support/draws.ts'
import type { Conversation, ReplyEvent } from '../../conversation/index.ts'
import { summaryOf } from '../record/summary.ts'
import { pack, unpack } from '../store/pack.ts'
import { Draft } from '../watch/draft.ts'
import type { ExchangeStart } from '../watch/hooks.ts'
import { Packer } from '../write/packer.ts'
import { Masker } from './masker.ts'
import { redacted } from './redact.ts'

const start = { id: 'req_1', at: 0, method: 'POST', path: '/v1/messages', isReplay: false, header: () => undefined }

/** Returns the texts that a text means if it is read as JSON in JSON. */
function readings(text: string): string[] {
  const all = [text]
  for (let depth = 0; depth < 4; depth++) {
    const last = all.at(-1) ?? ''
    all.push(
      last.replace(/\\(u[\da-fA-F]{4}|.)/gs, (_, code: string) =>
        code.length === 5
          ? String.fromCharCode(Number.parseInt(code.slice(1), 16))
          : ({ n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }[code] ?? code),
      ),
    )
  }
  return all
}

/** Escapes some characters as a JSON writer may. */
const escaped = (text: string, odd: boolean): string =>
  [...text]
    .map((char, at) =>
      odd && at % 2 === 0
        ? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
        : JSON.stringify(char).slice(1, -1),
    )
    .join('')

/** An exchange in which a secret is everywhere. */
function exchangeWith(secret: string, cut: number, odd: boolean, own: Partial<ExchangeStart> = {}): Draft {
  const draft = new Draft({ ...start, ...own }, 1_000_000, () => 0)
  const inJson = `{"system": "${escaped(`use ${secret}`, odd)}"}`
  const at = Math.min(cut, secret.length)
  const [head, tail] = [secret.slice(0, at), secret.slice(at)]
  const conversation: Conversation = {
    model: 'm',
    system: secret,
    turns: [{ role: 'user', parts: [{ type: 'text', text: `say ${secret}` }] }],
    tools: [{ name: 'a', description: secret, schema: { properties: { [secret]: {} } } }],
    toolChoice: { type: 'auto' },
    parallelCalls: true,
    stopSequences: [],
    sampling: {},
  }
  const replied: ReplyEvent[] = [
    { type: 'text', text: head },
    { type: 'notice', notice: { code: 'x', message: `about ${secret}` } },
    { type: 'text', text: tail },
    { type: 'call-start', index: 0, id: 'c', name: 'a' },
    { type: 'call-arguments', index: 0, json: `{"k": "${escaped(head, false)}` },
    { type: 'call-arguments', index: 0, json: `${escaped(tail, false)}"}` },
  ]
  draft.add({ type: 'received', text: inJson })
  draft.add({ type: 'decoded', protocol: 'p', stream: true, conversation })
  draft.add({ type: 'plan', upstream: 'u', model: 'm', plan: 'prompted', why: secret })
  draft.add({
    type: 'attempt',
    attempt: 0,
    upstream: 'u',
    model: 'm',
    plan: 'prompted',
    reading: { delivery: 'live' },
  })
  draft.add({
    type: 'asked',
    attempt: 0,
    request: { type: 'prompt', model: 'm', prompt: secret, stops: [], preservedTokens: [], sampling: {} },
  })
  draft.add({
    type: 'body',
    attempt: 0,
    url: `http://h/v1?key=${encodeURIComponent(secret)}`,
    body: JSON.stringify({ prompt: inJson }),
  })
  for (const text of [head, tail])
    draft.add({
      type: 'pieces',
      attempt: 0,
      events: [
        { type: 'text', text },
        { type: 'call', index: 0, arguments: text },
      ],
    })
  for (const one of replied) draft.add({ type: 'reply', events: [one] })
  for (const text of [head, tail]) draft.add({ type: 'sent', text: `data: ${JSON.stringify({ text })}\n\n` })
  draft.add({ type: 'log', level: 'warn', event: 'fail-over', fields: { error: secret, deep: [{ a: secret }] } })
  draft.add({ type: 'end', status: 500, error: { code: 'upstream', message: secret } })
  return draft
}

describe('no secret is in what is kept', () => {
  /** A record without the secret that is drawn: its names of members, such as `arguments`, are in each record. */
  const names = readings(pack(exchangeWith('Q'.repeat(6), 0, false).record()))
  const secrets = fc
    .oneof(
      fc.string({ minLength: 6, maxLength: 40, unit: 'grapheme' }),
      fc.stringMatching(/^sk-[\w-]{8,30}$/),
      // One letter at least, which nothing else of a record has: quotes and backslashes alone are in any JSON.
      fc.stringMatching(/^["\\/Z]{2,6}Z["\\/Z]{3,6}$/),
    )
    .filter((text) => text.length >= 6 && text.trim() !== '' && !names.some((name) => name.includes(text)))

  test('whole, escaped, or split over pieces', () => {
    fc.assert(
      fc.property(secrets, fc.nat(40), fc.boolean(), (secret, cut, odd) => {
        const draft = exchangeWith(secret, cut, odd)
        const record = redacted(draft.record(), { masker: new Masker({ secrets: [secret] }), paths: [] })
        const kept = pack(record)
        const stored = new Packer({ masker: new Masker({ secrets: [secret] }), paths: [] }).pack(draft.finished())
        for (const text of [
          kept,
          JSON.stringify(record),
          JSON.stringify(summaryOf(record)),
          stored.data,
          JSON.stringify(stored.summary),
        ])
          for (const reading of readings(text)) expect(reading).not.toContain(secret)
        const joined = record.reply.map(({ event }) => (event.type === 'text' ? event.text : '')).join('')
        expect(joined).not.toContain(secret)
        // A secret that ends with a quote takes the quote after it along, and then the event is no JSON.
        const sent = record.answer.body.text.matchAll(/"text":"((?:[^"\\]|\\.)*)"/g)
        expect([...sent].map(([, json = '']) => readings(json)[1]).join('')).not.toContain(secret)
        expect(unpack(kept)).toEqual(JSON.parse(JSON.stringify(record)))
      }),
      { numRuns: 5 * lawRuns },
    )
  })

  test("nor is the client's own key, which the configuration does not have", () => {
    fc.assert(
      fc.property(secrets, fc.nat(40), fc.boolean(), (key, cut, odd) => {
        const header = (name: string) => (name === 'user-agent' ? `client/${key}` : undefined)
        const draft = exchangeWith(key, cut, odd, { key, header, path: `/v1beta/models/m:generate?key=${key}` })
        const stored = new Packer({ masker: new Masker({ secrets: ['key-of-another'] }), paths: [] }).pack(
          draft.finished(),
        )
        for (const text of [stored.data, JSON.stringify(stored.summary)])
          for (const reading of readings(text)) expect(reading).not.toContain(key)
      }),
      { numRuns: lawRuns },
    )
  })

  test('in an event, an escape or an argument alone: what looks clean is stored as it is', () => {
    const secret = 'sk-12345678'
    const places: [string, (draft: Draft) => void][] = [
      [
        'split over events',
        (draft) => {
          for (const text of ['sk-1234', '5678']) draft.add({ type: 'reply', events: [{ type: 'text', text }] })
          draft.add({ type: 'reply', events: [{ type: 'call-end', index: 0, complete: true }] })
        },
      ],
      [
        'with other events between',
        (draft) => {
          draft.add({ type: 'reply', events: [{ type: 'text', text: 'sk-1234' }] })
          draft.add({ type: 'reply', events: [{ type: 'notice', notice: { code: 'x', message: '' } }] })
          draft.add({ type: 'reply', events: [{ type: 'text', text: '5678' }] })
        },
      ],
      ['escaped in the body', (draft) => draft.add({ type: 'received', text: '{"a": "\\u0073k-12345678"}' })],
      ['in the log', (draft) => draft.add({ type: 'log', level: 'warn', event: 'e', fields: { why: secret } })],
    ]
    const rules = { masker: new Masker({ secrets: [secret] }), paths: [] }
    for (const [place, tell] of places) {
      const draft = new Draft(start, 1_000_000, () => 0)
      tell(draft)
      draft.add({ type: 'end', status: 200 })
      const record = redacted(draft.record(), rules)
      expect(JSON.stringify(record), place).not.toBe(JSON.stringify(draft.record()))
      expect(unpack(new Packer(rules).pack(draft.finished()).data), place).toEqual(JSON.parse(JSON.stringify(record)))
    }
    const clean = new Draft(start, 1_000_000, () => 0)
    clean.add({ type: 'received', text: 'nothing' })
    clean.add({ type: 'end', status: 200 })
    expect(unpack(new Packer(rules).pack(clean.finished()).data)).toEqual(JSON.parse(JSON.stringify(clean.record())))
  })

  test('nor is a value at a configured path, or a text of a pattern', () => {
    const draft = new Draft(start, 1000, () => 0)
    draft.add({ type: 'received', text: '{"metadata": {"user_id": "jane.doe"}, "text": "card 1234-5678, jane.doe"}' })
    draft.add({ type: 'end', status: 200 })
    const masker = new Masker({ secrets: [], patterns: [/\d{4}-\d{4}/gu] })
    const { client } = redacted(draft.record(), { masker, paths: ['metadata.user_id'] })
    expect(client.body).toBe('{"metadata": {"user_id": "********"}, "text": "card *********, ********"}')
  })
})
