import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type FakeWorld, fakeWorld } from '../../../test/support/cli/fake-world.ts'
import { lawRuns } from '../../../test/support/draws.ts'
import { createNodeGateway, type Gateway, parseConfig } from '../../gateway/index.ts'
import { type ExchangeRecord, openSqliteStore, parseRecord } from '../../records/index.ts'
import { createScriptedUpstream } from '../../upstreams/index.ts'
import { run } from '../run.ts'
import { maskOf, pageOf } from './html.ts'
import { explainRecord } from './show.ts'

const call = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo",}}\n</tool_call>'
const page = '<p></p><script type="application/json" id="records">[]</script>'

const folder = mkdtempSync(join(tmpdir(), 'anycall-cli-records-'))
const file = join(folder, 'records.db')
let gateway: Gateway
/** The exchanges of the file: a session of two steps. */
let first: ExchangeRecord
let second: ExchangeRecord

beforeAll(async () => {
  const config = parseConfig(
    {
      upstreams: { u: { type: 'openai-chat', url: 'http://127.0.0.1:9/v1' } },
      models: [{ match: '*', upstream: 'u', plan: 'prompted', dialect: 'hermes' }],
      // The calls are repaired. The last reply is not odd, and kept as it is of a replay.
      records: { file, keep: 'odd' },
    },
    { file: 'test', env: {} },
  )
  let count = 0
  const upstream = createScriptedUpstream({ name: 'u', play: () => ({ pieces: count++ < 2 ? [call] : ['No call.'] }) })
  gateway = createNodeGateway({ config, upstreams: new Map([['u', upstream]]) })
  const turns: object[] = [{ role: 'user', content: 'How is </script> Oslo?' }]
  const one = await ask(turns)
  turns.push({
    role: 'assistant',
    content: [{ type: 'tool_use', id: 't', name: 'get_weather', input: { city: 'Oslo' } }],
  })
  turns.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'Rain.' }] })
  const two = await ask(turns)
  ;[second, first] = [await recordOf(two), await recordOf(one)]
  return async () => {
    await gateway.close()
    rmSync(folder, { recursive: true })
  }
})

async function ask(messages: readonly object[]): Promise<string> {
  const tools = [{ name: 'get_weather', input_schema: { type: 'object', properties: { city: { type: 'string' } } } }]
  const body = JSON.stringify({ model: 'm', max_tokens: 9, stream: true, tools, messages })
  const response = await gateway.fetch(new Request('http://127.0.0.1/v1/messages', { method: 'POST', body }))
  await response.text()
  return response.headers.get('request-id') ?? ''
}

/** Returns the record of a request that no upstream was asked for. */
async function failedBefore(): Promise<ExchangeRecord> {
  const body = JSON.stringify({ model: 'm', max_tokens: 'x', messages: [] })
  const response = await gateway.fetch(new Request('http://127.0.0.1/v1/messages', { method: 'POST', body }))
  await response.text()
  return recordOf(response.headers.get('request-id') ?? '')
}

async function recordOf(id: string): Promise<ExchangeRecord> {
  const { world } = await runWith(['show', id], { isWritten: (out) => out !== '' })
  return parseRecord(world.out)
}

/** Runs `anycall records`. Records are written some time after an exchange has ended. */
async function runWith(
  flags: readonly string[],
  { isWritten = () => true }: { isWritten?(out: string): boolean } = {},
): Promise<{ world: FakeWorld; code: number }> {
  for (;;) {
    const world = fakeWorld()
    world.services.readPage = async () => page
    world.io.fetch = (input, init) => gateway.fetch(new Request(input, init))
    const code = await run(['node', 'anycall', 'records', ...flags, '--file', file], world)
    if (isWritten(world.out)) return { world, code }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

function recordsIn(html: string): ExchangeRecord[] {
  const json = /<script type="application\/json" id="records">(.*)<\/script>$/s.exec(html)?.[1] ?? ''
  return (JSON.parse(json) as { record: ExchangeRecord }[]).map(({ record }) => record)
}

describe('html', () => {
  test('puts records into the page, where no text of theirs ends an element', async () => {
    const { world, code } = await runWith(['html', first.id])
    expect(code).toBe(0)
    expect(world.out.match(/<\/script>/g)).toHaveLength(1)
    expect(recordsIn(world.out)).toEqual([first])
    expect(recordsIn(pageOf(page, [{ ...first, id: "$& $' <!--" }]))[0]?.id).toBe("$& $' <!--")
  })

  test('takes the steps of a session in order', async () => {
    for (const id of [first.id, second.id]) {
      const { world } = await runWith(['html', id, '--session'])
      expect(recordsIn(world.out).map((record) => record.id)).toEqual([first.id, second.id])
    }
  })

  test('masks what --redact matches, and refuses what is no expression', async () => {
    const { world } = await runWith(['html', first.id, '--redact', 'Os?lo'])
    expect(world.out).not.toContain('Oslo')
    expect(recordsIn(world.out)[0]?.attempts[0]?.text.text).toBe(call.replace('Oslo', '****'))
    const { world: wrong, code } = await runWith(['html', first.id, '--redact', '('])
    expect([code, wrong.err]).toEqual([2, expect.stringContaining('--redact: Invalid regular expression')])
  })

  test('masks what the configuration names by now', async () => {
    const config = join(folder, 'anycall.json')
    writeFileSync(config, JSON.stringify({ keys: ['get_weather'], records: { file: 'records.db' } }))
    const { world } = await runWith(['html', first.id, '--config', config])
    expect(world.out).not.toContain('get_weather')
  })

  test('no configured key is in the page', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[!-#%-~]{6,20}$/), (key) => {
        const said = { ...first, client: { ...first.client, body: JSON.stringify({ text: `my key is ${key}.` }) } }
        const masked = maskOf([], parseConfig({ keys: [key] }, { file: 'test', env: {} }))(said)
        const html = pageOf(page, [masked])
        expect(html).toContain('my key is ***')
        expect(recordsIn(html)[0]?.client.body).not.toContain(JSON.stringify(key).slice(1, -1))
      }),
      { numRuns: lawRuns },
    )
  })
})

describe('replay', () => {
  test('reads the text again, with other settings', async () => {
    const { world, code } = await runWith(['replay', first.id, '--split', '3'])
    expect([code, JSON.parse(world.out)]).toEqual([0, expect.objectContaining({ type: 'read', isSame: true })])
    const other = await runWith(['replay', first.id, '--tool', 'other', '--attempt', '1'])
    expect([other.code, JSON.parse(other.world.out).after.parts]).toEqual([1, [{ type: 'text', text: call }]])
  })

  test('sends the request again, and compares the replies', async () => {
    const { world, code } = await runWith(['replay', first.id, '--send', '--dialect', 'mistral', '--model', 'other'])
    expect([code, JSON.parse(world.out)]).toEqual([
      1,
      {
        type: 'send',
        isSame: false,
        before: expect.objectContaining({
          id: first.id,
          model: 'm',
          dialect: 'hermes',
          parts: [{ type: 'call', name: 'get_weather', arguments: '{"city":"Oslo"}', complete: true }],
        }),
        after: expect.objectContaining({
          model: 'other',
          dialect: 'mistral',
          parts: [{ type: 'text', text: 'No call.' }],
          finish: 'stop',
        }),
      },
    ])
  })

  test.each([
    [['--send', '--split', '3'], '--split: cannot be used with --send; remove one of the two'],
    [['--plan', 'native'], '--plan: can only be used with --send; add --send or remove this option'],
    [['--send', '--url', 'localhost'], '--url: expected an address'],
    [['--split', 'x'], '--split: expected a whole number'],
    [['--dialect', 'nothing'], 'nothing'],
    [['--attempt', '7'], 'The exchange has 1 attempt, but no number 7: '],
    [['--attempt', '0'], '--attempt: expected a whole number from 1, got "0"'],
    [['--split', '0'], '--split: expected a whole number from 1, got "0"'],
  ])('%j is refused', async (flags, message) => {
    const { world, code } = await runWith(['replay', first.id, ...flags])
    expect(code).toBeGreaterThan(0)
    expect(world.err).toContain(message)
  })

  test('says that an exchange without attempts has no text', async () => {
    const { id } = await failedBefore()
    const { world, code } = await runWith(['replay', id], { isWritten: () => true })
    expect(code).toBeGreaterThan(0)
    expect(world.err).toContain('The exchange failed before a request to an upstream: there is no text to read.')
  })

  test('sends again what a part of an id names in the file, and nothing that two have', async () => {
    const { world, code } = await runWith(['replay', first.id.slice(0, -3), '--send'])
    expect([code < 2, JSON.parse(world.out).before.id]).toEqual([true, first.id])
    expect((await runWith(['replay', 'req_', '--send'])).world.err).toContain('req_: several records')
  })

  test('says that no gateway answers, or why it refuses', async () => {
    const world = fakeWorld()
    world.io.fetch = () => Promise.reject(new TypeError('fetch failed'))
    expect(await run(['node', 'anycall', 'records', 'replay', 'x', '--send', '--url', 'http://gateway:1'], world)).toBe(
      1,
    )
    expect(world.err).toContain('no gateway answers at http://gateway:1; start "anycall serve --inspect"')
    const unknown = await runWith(['replay', 'req_unknown', '--send'])
    expect(unknown.world.err).toContain('http://127.0.0.1:8787: There is no record "req_unknown"')
  })
})

describe('play', () => {
  test('answers each POST with the next recorded answer', async () => {
    const world = fakeWorld()
    const flags = [first.id, '--session', '--speed', '1000', '--file', file]
    const ended = run(['node', 'anycall', 'records', 'play', ...flags], world)
    onTestFinished(() => world.stop())
    await world.printed('Ctrl-C')
    // A request that was sent again is a step of the session too.
    const store = openSqliteStore(file, { bytes: 1e9, ageMs: 1e9 })
    const steps = store.session(first.id).flatMap(({ id }) => store.get(id) ?? [])
    store.close()
    expect(steps.slice(0, 2).map(({ id }) => id)).toEqual([first.id, second.id])
    expect(world.out).toContain(`Plays ${steps.length} answers`)
    const url = / on (http:\S+)/.exec(world.out)?.[1] ?? ''
    for (const record of [...steps, first]) {
      const response = await fetch(`${url}/v1/messages`, { method: 'POST', body: '{}' })
      expect([response.status, response.headers.get('content-type'), response.headers.get('request-id')]).toEqual([
        200,
        'text/event-stream; charset=utf-8',
        record.id,
      ])
      expect(await response.text()).toBe(record.answer.body.text)
    }
    expect((await fetch(url)).status).toBe(404)
    world.stop()
    expect(await ended).toBe(0)
  })
})

test('list: a limit of 0 is refused', async () => {
  const { world, code } = await runWith(['list', '--limit', '0'])
  expect([code, world.err]).toEqual([2, expect.stringContaining('--limit: expected a whole number from 1, got "0"')])
})

test.each([
  ['there is none', undefined, 'there is no such file'],
  ['it has no record', '{}\n', 'line 1: '],
])('import leaves no file of records behind for a file of JSON lines: %s', async (_, lines, message) => {
  const [jsonl, db] = [join(folder, 'wrong.jsonl'), join(folder, 'new.db')]
  if (lines !== undefined) writeFileSync(jsonl, lines)
  const world = fakeWorld()
  expect(await run(['node', 'anycall', 'records', 'import', jsonl, '--file', db], world)).toBe(2)
  expect([world.err, existsSync(db)]).toEqual([expect.stringContaining(message), false])
})

test.each([
  ['with colours', true],
  ['without colours', false],
])('show --explain prints what would steer a terminal as codes: %s', (_, colour) => {
  const [steering, unseen] = ['\u001b]0;title\u0007', 'txt\u202egpj\u200b']
  const odd = { ...first, plan: first.plan && { ...first.plan, model: steering, why: unseen } }
  odd.client = { ...first.client, body: `${steering} ${unseen}` }
  odd.attempts = first.attempts.map((one) => ({ ...one, cause: { event: 'fail-over', why: steering + unseen } }))
  const lines: string[] = []
  explainRecord(
    odd as ExchangeRecord,
    { stdout: (text) => void lines.push(text) },
    { colour, guarded: colour, width: 80 },
  )
  const out = lines.join('')
  expect(out).not.toMatch(/\u001b\]|\u0007|\u202e|\u200b/)
  expect(out).toContain('␛]0;title␇ txt\\u202egpj\\u200b')
})
