import { expect, test } from 'vitest'
import { parseConfig } from '../../gateway/index.ts'
import type { Upstream } from '../../upstreams/index.ts'
import { createScriptedUpstream } from '../../upstreams/scripted/scripted.ts'
import { Preparation } from './preparation.ts'
import type { Served } from './running.ts'

function served(rule: Record<string, unknown>, events: string[] = [], more: Partial<Upstream> = {}): Served {
  const config = parseConfig({
    upstreams: { model: { type: 'scripted' } },
    models: [{ match: '*', upstream: 'model', ...rule }],
  } as unknown)
  const upstream = createScriptedUpstream({ name: 'model', abilities: { requests: ['messages', 'tools'] } })
  return {
    config,
    upstreams: new Map([['model', { ...upstream, ...more }]]),
    log: (level, event, fields) => events.push(`${level} ${event} ${JSON.stringify(fields)}`),
  }
}

function preparation({ signal } = new AbortController()) {
  const dialects: string[] = []
  return { dialects, made: new Preparation(signal, async (name) => void dialects.push(name)) }
}

test('what is short is prepared first, the universal reader later, and each dialect once', async () => {
  const { dialects, made } = preparation()
  await made.beforeListening(served({ plan: 'auto' }))
  expect(dialects).toEqual(['toolify', 'hermes'])
  made.inBackground(served({ plan: 'auto' }))
  made.inBackground(served({ plan: 'prompted', dialect: 'glm' }))
  made.inBackground(served({ plan: 'native' }))
  await made.end()
  expect(dialects).toEqual(['toolify', 'hermes', 'universal', 'glm'])
})

test('an upstream that cannot be prepared is logged, and the rest is prepared', async () => {
  const { dialects, made } = preparation()
  const events: string[] = []
  await made.beforeListening(
    served({ plan: 'prompted' }, events, { prepare: () => Promise.reject(new Error('no undici')) }),
  )
  expect(events).toEqual(['warn upstream-not-prepared {"upstream":"model","error":"no undici"}'])
  expect(dialects).toEqual(['toolify'])
})

test('an upstream is prepared once', async () => {
  const { made } = preparation()
  let prepared = 0
  const prepare = async () => void prepared++
  const given = served({}, [], { prepare })
  await made.beforeListening(given)
  made.inBackground(given)
  await made.end()
  expect(prepared).toBe(1)
})

test('no upstream is prepared after the signal aborted', async () => {
  const controller = new AbortController()
  const { made } = preparation(controller)
  let prepared = 0
  const prepare = async () => {
    prepared++
    controller.abort()
  }
  await made.beforeListening(served({}, [], { prepare }))
  await made.beforeListening(served({}, [], { prepare }))
  expect(prepared).toBe(1)
})
