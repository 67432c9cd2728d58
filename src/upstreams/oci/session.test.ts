import { rmSync, writeFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { OciReply } from '../../../test/stand-ins/oci-server.ts'
import {
  collect,
  compartment,
  contextOf,
  newKeyPair,
  ociForTest,
  profileForTest,
  usualKeyPair,
} from '../../../test/support/upstreams/oci.ts'
import { createNodeTransport } from '../transport/node-transport.ts'
import type { MessagesRequest } from '../upstream.ts'
import { createOciGenerativeAiUpstream } from './oci-generative-ai.ts'

const request: MessagesRequest = {
  type: 'messages',
  model: 'meta.llama-3.3-70b-instruct',
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
  sampling: {},
}
const says = (...pieces: string[]): OciReply => ({ type: 'reply', pieces })

describe('keys', () => {
  it('sign each request, under an id of its own', async () => {
    const { upstream, server } = await ociForTest([says('a')])
    await collect(upstream.generate(request, contextOf()))
    const headers = server.requests[0]?.headers
    expect(headers?.authorization).toContain('keyId="ocid1.tenancy.oc1..tttt/ocid1.user.oc1..uuuu/aa:bb:cc"')
    expect(headers?.['opc-request-id']).toMatch(/^req_1/)
  })

  it('are read anew when they have stopped to work', async () => {
    const { upstream, server, keys, profile } = await ociForTest([says('a'), says('b'), says('c')])
    await collect(upstream.generate(request, contextOf()))
    const changed = newKeyPair()
    server.publicKey = changed.publicKey
    await expect(upstream.generate(request, contextOf())).rejects.toMatchObject({ code: 'authentication' })
    profile.write(changed.privateKey)
    expect(await collect(upstream.generate(request, contextOf()))).toContainEqual({ type: 'text', text: 'b' })
    // Changed in time, nobody sees anything of it.
    server.publicKey = keys.publicKey
    profile.write(keys.privateKey)
    expect(await collect(upstream.generate(request, contextOf()))).toContainEqual({ type: 'text', text: 'c' })
    expect(server.requests).toHaveLength(3)
  })

  it('may be a session token, which no error shows', async () => {
    const keys = usualKeyPair()
    const { file, write } = profileForTest(keys.privateKey)
    writeFileSync(`${file}-token`, 'the-session-token')
    write(keys.privateKey, [`security_token_file=${file}-token`])
    const auth = { type: 'session-token', file } as const
    const { upstream, server } = await ociForTest(
      [{ type: 'status', status: 400, body: { code: 'Bad', message: 'what is ST$the-session-token?' } }],
      { auth },
    )
    await expect(upstream.generate(request, contextOf())).rejects.toMatchObject({
      message: expect.stringContaining('Bad: what is ST$[key]?'),
    })
    expect(server.requests[0]?.headers.authorization).toContain('keyId="ST$the-session-token"')
  })

  it('that are missing are said to be, by the file', async () => {
    const { upstream, profile } = await ociForTest([])
    rmSync(profile.file)
    await expect(upstream.generate(request, contextOf())).rejects.toMatchObject({
      code: 'authentication',
      message: expect.stringMatching(
        /^Upstream "oci" cannot sign requests to OCI \(config-file\): File does not exist/,
      ),
    })
    profile.write(newKeyPair().privateKey)
    await expect(upstream.generate(request, contextOf())).rejects.toThrow(/answered 401/)
  })

  it('that cannot be read are said to be, without a piece of them', async () => {
    const { upstream, profile } = await ociForTest([])
    profile.write('-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n')
    const failing = upstream.generate(request, contextOf())
    await expect(failing).rejects.toMatchObject({
      code: 'authentication',
      message: expect.not.stringContaining('c2Vj'),
    })
  })
})

describe('the region', () => {
  it.each([
    [{ region: 'eu-frankfurt-1' }, 'https://inference.generativeai.eu-frankfurt-1.oci.oraclecloud.com'],
    [{}, 'https://inference.generativeai.us-chicago-1.oci.oraclecloud.com'],
    [{ endpoint: 'https://own.example/20231130/' }, 'https://own.example'],
    [{ endpoint: 'https://own.example/20231130/actions/chat' }, 'https://own.example'],
  ])('%o is asked at %s', async (place, origin) => {
    const { file } = profileForTest(usualKeyPair().privateKey)
    const urls: string[] = []
    const upstream = createOciGenerativeAiUpstream({
      name: 'oci',
      compartment,
      auth: { type: 'config-file', file },
      ...place,
      transport: async ({ url }) => {
        urls.push(url)
        throw new Error('seen')
      },
    })
    await expect(upstream.generate(request, contextOf())).rejects.toThrow('seen')
    expect(urls).toEqual([`${origin}/20231130/actions/chat`])
  })

  it('and the keys may come from the machine: a resource principal', async () => {
    const { privateKey } = usualKeyPair()
    const claims = Buffer.from(JSON.stringify({ exp: Date.now() / 1000 + 3600 })).toString('base64url')
    const variables = {
      OCI_RESOURCE_PRINCIPAL_VERSION: '2.2',
      OCI_RESOURCE_PRINCIPAL_RPST: `e30.${claims}.c2ln`,
      OCI_RESOURCE_PRINCIPAL_PRIVATE_PEM: privateKey,
      OCI_RESOURCE_PRINCIPAL_REGION: 'uk-london-1',
    }
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
    onTestFinished(() => {
      vi.unstubAllEnvs()
    })
    const seen: { url: string; authorization: string | undefined }[] = []
    const upstream = createOciGenerativeAiUpstream({
      name: 'oci',
      compartment,
      auth: { type: 'resource-principal' },
      transport: async ({ url, headers }) => {
        seen.push({ url, authorization: headers.authorization })
        throw new Error('seen')
      },
    })
    await expect(upstream.generate(request, contextOf())).rejects.toThrow('seen')
    expect(seen[0]?.url).toContain('.uk-london-1.')
    expect(seen[0]?.authorization).toContain('keyId="ST$e30.')
  })

  it('that no machine gives is said to be missing', async () => {
    const transport = createNodeTransport()
    const upstream = createOciGenerativeAiUpstream({
      name: 'oci',
      compartment,
      auth: { type: 'resource-principal' },
      transport,
    })
    await expect(upstream.generate(request, contextOf())).rejects.toMatchObject({
      code: 'authentication',
      message: expect.stringContaining('OCI_RESOURCE_PRINCIPAL'),
    })
  })
})
