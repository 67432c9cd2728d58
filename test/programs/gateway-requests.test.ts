// The requests that a program sees: its log, and a client that disconnects.
import { expect, test } from 'vitest'
import { createGateway, type Log, type Upstream } from '../../src/gateway.ts'

/** Writes until its request is aborted, which `left` reports. */
function endless(left: () => void): Upstream {
  return {
    name: 'endless',
    type: 'endless',
    abilities: { requests: ['messages'] },
    models: async () => [],
    async generate(_, { signal }) {
      return (async function* () {
        try {
          for (;;) {
            signal.throwIfAborted()
            yield [{ type: 'text', text: 'on and on, ' }]
            await new Promise((resolve) => setTimeout(resolve, 1))
          }
        } finally {
          left()
        }
      })()
    },
  }
}

function ask(signal?: AbortSignal): Request {
  const body = JSON.stringify({ model: 'any', stream: true, messages: [{ role: 'user', content: 'Talk forever.' }] })
  return new Request('http://localhost/v1/chat/completions', { method: 'POST', body, ...(signal && { signal }) })
}

function gatewayWith(left: () => void, log: Log = () => {}, logPrompts = false) {
  return createGateway({
    upstreams: { endless: endless(left) },
    models: [{ match: '*', upstream: 'endless' }],
    log,
    logPrompts,
  })
}

test.each<[string, (leave: AbortController, body: ReadableStreamDefaultReader) => void]>([
  ['aborts the request', (leave) => leave.abort()],
  ['cancels the body', (_, body) => void body.cancel()],
])('a client that %s ends the generation', async (_, leave) => {
  const controller = new AbortController()
  let reader: ReadableStreamDefaultReader | undefined
  await new Promise<void>((resolve, reject) => {
    gatewayWith(resolve)
      .fetch(ask(controller.signal))
      .then(async (response) => {
        reader = response.body?.getReader()
        await reader?.read()
        if (reader) leave(controller, reader)
      })
      .catch(reject)
  })
  expect(reader).toBeDefined()
})

test('closing the gateway ends a reply with an error', async () => {
  const gateway = gatewayWith(() => {})
  const response = await gateway.fetch(ask())
  const text = response.text()
  await gateway.close()
  await gateway.close()
  expect(await text).toContain('The gateway is shutting down.')
})

test.each([true, false])('prompts are logged if the program asks for them: %j', async (logPrompts) => {
  const events: string[] = []
  const gateway = gatewayWith(
    () => {},
    (level, event) => events.push(`${level} ${event}`),
    logPrompts,
  )
  const response = await gateway.fetch(ask())
  const text = response.text()
  await gateway.close()
  await text
  expect(events.includes('debug prompt')).toBe(logPrompts)
  expect(events).toContain('warn request')
})
