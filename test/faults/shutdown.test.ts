import { describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type GatewayFixtureOptions, gatewayForTest, upstreamServerForTest } from '../support/gateway-fixture.ts'
import { type ServerReply, says } from '../support/upstream-server.ts'
import { apis, expectFailure, open, piecesOf, readUntil, requestLine, send } from './api.ts'

const message = /^The gateway is shutting down/
const plans: NonNullable<GatewayFixtureOptions['plan']>[] = ['prompted', 'native']

describe.each(apis.flatMap((api) => plans.map((plan) => ({ api, plan }))))(
  '$api.name, plan $plan: a gateway that shuts down',
  ({ api, plan }) => {
    async function gatewayBefore(reply: ServerReply) {
      const upstream = await upstreamServerForTest(() => reply)
      return { upstream, gateway: await gatewayForTest({ upstream: upstream.url, plan }) }
    }

    test('ends a stream with an error', async () => {
      const { upstream, gateway } = await gatewayBefore({ ...says('Hello'), fault: { type: 'silence', at: 1 } })
      const response = await open(gateway, api, api.request({ stream: true }))
      const pieces = piecesOf(response)
      let text = await readUntil(pieces, 'Hello')
      const closed = gateway.close()
      for await (const piece of pieces) text += piece
      const [, type] = api.failures.unavailable
      expect(api.readStream(text)).toMatchObject({
        text: 'Hello',
        error: { type, message: expect.stringMatching(message) },
      })
      await closed
      expect(upstream.closedEarly).toBe(1)
      const line = await requestLine(gateway, response.headers.get('request-id') ?? '')
      expect(line.fields).toMatchObject({ error: { kind: 'unavailable' } })
    })

    test.each([true, false])('answers what has not begun; stream: %s', async (stream) => {
      const { upstream, gateway } = await gatewayBefore({ type: 'raw', chunks: [], end: 'silence' })
      const answer = send(gateway, api, api.request({ stream }))
      await eventually(() => expect(upstream.requests).toHaveLength(1))
      const closed = gateway.close()
      await expectFailure(gateway, api, await answer, 'unavailable', message)
      await closed
    })
  },
)
