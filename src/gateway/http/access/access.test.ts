import { describe, expect, test } from 'vitest'
import type { GatewayRequest } from '../http.ts'
import { createAccess } from './access.ts'

function request(headers: Record<string, string>): GatewayRequest {
  return {
    method: 'POST',
    path: '/v1/messages',
    header: (name) => headers[name],
    body: undefined,
    onGone: () => () => {},
  }
}

describe('without keys a gateway serves programs of this machine', () => {
  test.each<Record<string, string>>([
    { host: '127.0.0.1:8787' },
    { host: 'localhost' },
    { host: '[::1]:8787' },
    { host: 'localhost:8787', origin: 'http://localhost:3000', 'sec-fetch-site': 'same-site' },
    { host: 'localhost:8787', 'sec-fetch-site': 'none' },
  ])('%j', async (headers) => {
    await expect(createAccess([]).check(request(headers))).resolves.toEqual({})
  })

  test.each<Record<string, string>>([
    { host: 'evil.example' },
    { host: '127.0.0.1.evil.example' },
    { host: 'evil.example@127.0.0.1' },
    { host: 'evil.example:x@127.0.0.1' },
    { host: '127.0.0.1/evil.example' },
    { host: '127.0.0.1#evil.example' },
    { host: '127.0.0.1\\evil.example' },
    { host: '127.0.0.1', origin: 'https://evil.example' },
    { host: '127.0.0.1', origin: 'http://evil.example@127.0.0.1' },
    { host: '127.0.0.1', origin: 'null' },
    { host: '127.0.0.1', 'sec-fetch-site': 'cross-site' },
  ])('and not %j', async (headers) => {
    const access = createAccess([])
    // Trust depends on the whole request, whatever came before it.
    await access.check(request({ host: '127.0.0.1' }))
    await expect(access.check(request(headers))).rejects.toMatchObject({ code: 'permission' })
  })
})
