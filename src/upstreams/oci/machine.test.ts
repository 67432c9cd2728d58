import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  type Cluster,
  type Instance,
  startCluster,
  startInstance,
  type TokenGiver,
} from '../../../test/stand-ins/oci-machine.ts'
import type { OciReply, OciServer } from '../../../test/stand-ins/oci-server.ts'
import { collect, compartment, contextOf, ociForTest, usualKeyPair } from '../../../test/support/upstreams/oci.ts'
import { createNodeTransport } from '../transport/node-transport.ts'
import type { MessagesRequest, Upstream } from '../upstream.ts'
import { createOciGenerativeAiUpstream } from './oci-generative-ai.ts'
import type { OciAuth } from './session.ts'

// The kind of machine: an instance, or a pod of a cluster. The SDK asks stand-ins of the services that report it.

const request: MessagesRequest = {
  type: 'messages',
  model: 'meta.llama-3.3-70b-instruct',
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
  sampling: {},
}
const says = (...pieces: string[]): OciReply => ({ type: 'reply', pieces })

function stubEnv(variables: Record<string, string>): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
}

/** Lets the service accept requests that are signed with the key of the last token. */
function trust(server: OciServer, giver: TokenGiver): void {
  Object.defineProperty(server, 'publicKey', { get: () => giver.publicKeys.at(-1) ?? 'none' })
}

/** The number in the token that a request was signed with. */
function tokenNumber(server: OciServer, n: number): unknown {
  const [, token = ''] = /keyId="ST\$([^"]+)"/.exec(server.requests[n]?.headers.authorization ?? '') ?? []
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).n
}

async function textOf(upstream: Upstream): Promise<unknown> {
  const events = await collect(upstream.generate(request, contextOf()))
  return events.find((event) => event.type === 'text')?.text
}

/** The address that a request goes to; nothing is sent there. */
async function addressOf(auth: OciAuth, region?: string): Promise<string | undefined> {
  const urls: string[] = []
  const upstream = createOciGenerativeAiUpstream({
    name: 'oci',
    compartment,
    auth,
    ...(region !== undefined && { region }),
    transport: async ({ url }) => {
      urls.push(url)
      throw new Error('seen')
    },
  })
  await expect(upstream.generate(request, contextOf())).rejects.toThrow('seen')
  return urls[0]
}

describe('an instance principal', () => {
  const auth = { type: 'instance-principal' } as const

  async function instance(tokenSeconds?: number): Promise<Instance> {
    const started = await startInstance({
      privateKey: usualKeyPair().privateKey,
      ...(tokenSeconds !== undefined && { tokenSeconds }),
    })
    onTestFinished(() => started.close())
    stubEnv({ OCI_METADATA_BASE_URL: started.metadataUrl, OCI_SDK_AUTH_CLIENT_REGION_URL: `${started.url}/` })
    return started
  }

  it('signs with a token that the instance gets for its certificate, and keeps it', async () => {
    const machine = await instance()
    const { upstream, server } = await ociForTest([says('a'), says('b')], { auth })
    trust(server, machine)
    expect([await textOf(upstream), await textOf(upstream)]).toEqual(['a', 'b'])
    expect([tokenNumber(server, 0), tokenNumber(server, 1)]).toEqual([1, 1])
    expect(machine.requests.map(({ method, path }) => `${method} ${path}`)).toContain('POST /v1/x509')
  })

  it('gets another token when its own runs out', async () => {
    const machine = await instance(0)
    const { upstream, server } = await ociForTest([says('a'), says('b')], { auth })
    trust(server, machine)
    expect([await textOf(upstream), await textOf(upstream)]).toEqual(['a', 'b'])
    expect(tokenNumber(server, 1)).toBe(Number(tokenNumber(server, 0)) + 1)
  })

  it('that gets no token is said, with why', async () => {
    const machine = await instance()
    const { upstream } = await ociForTest([], { auth })
    stubEnv({ OCI_SDK_AUTH_CLIENT_REGION_URL: `${machine.url}/elsewhere` })
    // The SDK also writes this to the console.
    const said = vi.spyOn(console, 'log').mockImplementation(() => {})
    onTestFinished(() => said.mockRestore())
    await expect(upstream.generate(request, contextOf())).rejects.toMatchObject({
      code: 'authentication',
      message: expect.stringMatching(/\(instance-principal\): Failed to fetch the token .* status: 404/),
    })
  })

  it('asks in the region of the instance', async () => {
    await instance()
    expect(await addressOf(auth)).toBe(
      'https://inference.generativeai.uk-london-1.oci.oraclecloud.com/20231130/actions/chat',
    )
  })

  it('that there is none is said', async () => {
    const machine = await instance()
    await machine.close()
    const { upstream } = await ociForTest([], { auth })
    await expect(upstream.generate(request, contextOf())).rejects.toMatchObject({
      code: 'authentication',
      message: expect.stringMatching(/\(instance-principal\).*only on a compute instance of OCI/),
    })
  })
})

describe('a workload identity', () => {
  interface Pod {
    cluster: Cluster
    auth: OciAuth
    /** Kubernetes changes the token from time to time. */
    changeToken(token: string): void
  }

  async function pod(tokenSeconds?: number): Promise<Pod> {
    let accountToken = 'token-1'
    const cluster = await startCluster({
      privateKey: usualKeyPair().privateKey,
      accountToken: () => accountToken,
      ...(tokenSeconds !== undefined && { tokenSeconds }),
    })
    onTestFinished(() => cluster.close())
    const folder = mkdtempSync(join(tmpdir(), 'anycall-pod-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const [tokenFile, certificateFile] = [join(folder, 'token'), join(folder, 'ca.crt')]
    writeFileSync(tokenFile, accountToken)
    writeFileSync(certificateFile, cluster.certificate)
    stubEnv({ KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT_PROXYMUX: String(cluster.port) })
    return {
      cluster,
      auth: { type: 'workload-identity', tokenFile, certificateFile },
      changeToken: (token) => {
        accountToken = token
        writeFileSync(tokenFile, token)
      },
    }
  }

  it("signs with a token that the pod gets for its service account's, and keeps it", async () => {
    const { cluster, auth } = await pod()
    const { upstream, server } = await ociForTest([says('a'), says('b')], { auth })
    trust(server, cluster)
    expect([await textOf(upstream), await textOf(upstream)]).toEqual(['a', 'b'])
    expect([tokenNumber(server, 0), tokenNumber(server, 1)]).toEqual([1, 1])
  })

  it("reads the service account's token anew when another token is needed", async () => {
    const { cluster, auth, changeToken } = await pod(0)
    const { upstream, server } = await ociForTest([says('a'), says('b')], { auth })
    trust(server, cluster)
    expect(await textOf(upstream)).toBe('a')
    changeToken('token-2')
    expect(await textOf(upstream)).toBe('b')
  })

  it('asks in the region that is configured', async () => {
    const { auth } = await pod()
    expect(await addressOf(auth, 'eu-frankfurt-1')).toContain('.eu-frankfurt-1.')
  })

  it('that there is none is said', async () => {
    stubEnv({ KUBERNETES_SERVICE_HOST: '' })
    const transport = createNodeTransport()
    onTestFinished(() => transport.close())
    const upstream = createOciGenerativeAiUpstream({
      name: 'oci',
      compartment,
      region: 'eu-frankfurt-1',
      auth: { type: 'workload-identity' },
      transport,
    })
    await expect(upstream.generate(request, contextOf())).rejects.toMatchObject({
      code: 'authentication',
      message: expect.stringMatching(/\(workload-identity\).*only in a pod of an enhanced OKE cluster/),
    })
  })
})
