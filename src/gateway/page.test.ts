import { expect, onTestFinished, test } from 'vitest'
import { web } from './config/create/upstreams.ts'
import { createGatewayOn, type Gateway } from './gateway.ts'

const files: Record<string, string> = { 'index.html': '<!doctype html>', 'page.js': 'js', 'page.css': 'css' }

function gatewayOf(config: Record<string, unknown>, runtime = {}): Gateway {
  const gateway = createGatewayOn(
    { ...web, readPage: async (name) => files[name], ...runtime },
    {
      upstreams: { u: { type: 'openai-chat', url: 'http://127.0.0.1:9/v1' } },
      models: [{ match: '*', upstream: 'u' }],
      ...config,
    },
  )
  onTestFinished(() => gateway.close())
  return gateway
}

function get(gateway: Gateway, path: string, headers: Record<string, string> = {}): Promise<Response> {
  return gateway.fetch(new Request(`http://127.0.0.1${path}`, { headers: { host: '127.0.0.1', ...headers } }))
}

test('the page is served with a policy under which nothing of a model is executed', async () => {
  const gateway = gatewayOf({ records: {} })
  for (const [path, type] of [
    ['/inspector/', 'text/html; charset=utf-8'],
    ['/inspector/page.js', 'text/javascript; charset=utf-8'],
    ['/inspector/page.css', 'text/css; charset=utf-8'],
  ] as const) {
    const { status, headers } = await get(gateway, path)
    expect([status, headers.get('content-type')]).toEqual([200, type])
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; .*frame-ancestors 'none'/,
    )
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  }
  const moved = await get(gateway, '/inspector')
  expect([moved.status, moved.headers.get('location')]).toEqual([308, 'inspector/'])
  expect((await get(gateway, '/inspector/index.mjs')).status).toBe(404)
})

test('without records, and on a runtime without its files, there is no page', async () => {
  expect((await get(gatewayOf({}), '/inspector/')).status).toBe(404)
  expect((await get(gatewayOf({ records: {} }, { readPage: async () => undefined }), '/inspector/')).status).toBe(404)
})

test('the page asks for the key that the API wants; pages and hosts from elsewhere get nothing', async () => {
  const gateway = gatewayOf({ records: { adminKey: 'admin-key-of-the-test' } })
  expect((await get(gateway, '/inspector/')).status).toBe(200)
  expect((await get(gateway, '/inspector/api/exchanges')).status).toBe(401)
  const open = gatewayOf({ records: {} })
  expect((await get(open, '/inspector/', { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect((await get(open, '/inspector/', { host: 'rebound.example' })).status).toBe(403)
  expect((await get(gatewayOf({ records: {}, keys: ['k'] }), '/inspector/')).status).toBe(403)
})
