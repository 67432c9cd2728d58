import { describe, expect, test } from 'vitest'
import { eventually } from '../../test/support/eventually.ts'
import { responseMisfits } from '../../test/support/protocols/responses-schema.ts'
import { createScriptedUpstream } from '../upstreams/scripted/scripted.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import { createGateway, type Gateway } from './gateway.ts'

/** An upstream that says its name, after `gate` if there is one, and notes that it was closed. */
function speaker(name: string, gate?: Promise<void>): Upstream & { closings: number } {
  const scripted = createScriptedUpstream({ name, play: () => ({ pieces: [name] }) })
  const upstream: Upstream & { closings: number } = {
    ...scripted,
    closings: 0,
    generate: async (...args: Parameters<Upstream['generate']>) => {
      await gate
      return scripted.generate(...args)
    },
    close: async () => {
      upstream.closings++
    },
  }
  return upstream
}

function ask(gateway: Gateway, more: Record<string, unknown> = {}, path = '/v1/chat/completions'): Promise<Response> {
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello' }], ...more })
  return gateway.fetch(new Request(`http://localhost${path}`, { method: 'POST', body }))
}

async function answer(gateway: Gateway): Promise<unknown> {
  const body: { choices?: { message: { content: string } }[] } = await (await ask(gateway)).json()
  return body.choices?.[0]?.message.content
}

const to = (upstream: string) => [{ match: '*', upstream, plan: 'prompted' as const }]

describe('reload', () => {
  test('serves the next request by the new configuration, and ends the running one on the old', async () => {
    let open = (): void => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const [a, b] = [speaker('a', gate), speaker('b')]
    const gateway = createGateway({ upstreams: { one: a }, models: to('one') })
    const running = ask(gateway, { stream: true }).then((response) => response.text())
    gateway.reload({ upstreams: { one: b }, models: to('one') })
    expect(await answer(gateway)).toBe('b')
    expect(a.closings).toBe(0)
    open()
    expect(await running).toContain('"a"')
    await eventually(() => expect(a.closings).toBe(1))
    expect(b.closings).toBe(0)
    await gateway.close()
    expect([a.closings, b.closings]).toEqual([1, 1])
  })

  test('keeps an upstream that stays, also after several reloads', async () => {
    const [a, b, c] = [speaker('a'), speaker('b'), speaker('c')]
    const gateway = createGateway({ upstreams: { a, b }, models: to('a') })
    for (let round = 0; round < 3; round++) {
      gateway.reload({ upstreams: { a, c }, models: to('c') })
      gateway.reload({ upstreams: { a, b }, models: to('b') })
    }
    expect(await answer(gateway)).toBe('b')
    expect(a.closings).toBe(0)
    await gateway.close()
    expect(a.closings).toBe(1)
  })

  test.each<[string, Parameters<Gateway['reload']>[0]]>([
    ['a rule for an upstream that does not exist', { upstreams: { a: speaker('x') }, models: to('nobody') }],
    [
      'a template that is not there',
      { upstreams: { a: speaker('x') }, models: [{ match: '*', upstream: 'a', template: 't.jinja' }] },
    ],
  ])('refuses %s, and serves on as before', async (_what, wrong) => {
    const gateway = createGateway({ upstreams: { a: speaker('a') }, models: to('a') })
    expect(() => gateway.reload(wrong)).toThrow()
    expect(await answer(gateway)).toBe('a')
  })

  test('keeps responses and the secret that was drawn at the start', async () => {
    const a = speaker('a')
    const gateway = createGateway({ upstreams: { a }, models: to('a') })
    const first: { id: string } = await (await ask(gateway, { input: 'Hello' }, '/v1/responses')).json()
    gateway.reload({ upstreams: { a }, models: [...to('a')], limits: { toolCount: 3 } })
    const next = await ask(gateway, { input: 'And?', previous_response_id: first.id }, '/v1/responses')
    expect(next.status).toBe(200)
    for (const response of [first, await next.json()]) expect(responseMisfits(response)).toEqual([])
  })

  test('takes other keys from the next request on', async () => {
    const a = speaker('a')
    const gateway = createGateway({ upstreams: { a }, models: to('a'), keys: ['a-first-key'] })
    gateway.reload({ upstreams: { a }, models: to('a'), keys: ['another-key'] })
    const send = (key: string): Promise<Response> =>
      gateway.fetch(new Request('http://localhost/v1/models', { headers: { 'x-api-key': key } }))
    expect((await send('a-first-key')).status).toBe(401)
    expect((await send('another-key')).status).toBe(200)
  })

  test('a hundred times under load fails no request', async () => {
    const all = ['a', 'b', 'c'].map((name) => speaker(name))
    const gateway = createGateway({ upstreams: { u: all[0] as Upstream }, models: to('u') })
    let isDone = false
    const client = async (): Promise<unknown[]> => {
      const answers: unknown[] = []
      while (!isDone) answers.push(await answer(gateway))
      return answers
    }
    const clients = Array.from({ length: 8 }, client)
    for (let round = 1; round <= 100; round++) {
      await answer(gateway)
      gateway.reload({ upstreams: { u: all[round % 3] as Upstream }, models: to('u') })
    }
    isDone = true
    const answers = (await Promise.all(clients)).flat()
    expect(answers.length).toBeGreaterThan(100)
    expect(answers.filter((text) => !['a', 'b', 'c'].includes(String(text)))).toEqual([])
    await gateway.close()
  })

  test('is refused once the gateway is closed', async () => {
    const a = speaker('a')
    const gateway = createGateway({ upstreams: { a }, models: to('a') })
    await gateway.close()
    expect(() => gateway.reload({ upstreams: { a }, models: to('a') })).toThrow('closed')
  })
})
