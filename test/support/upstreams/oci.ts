import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import {
  createOciGenerativeAiUpstream,
  type OciGenerativeAiOptions,
} from '../../../src/upstreams/oci/oci-generative-ai.ts'
import { createNodeTransport } from '../../../src/upstreams/transport/node-transport.ts'
import type { GenerationContext, Upstream, UpstreamEvent } from '../../../src/upstreams/upstream.ts'
import { type OciReply, type OciServer, type OciServerOptions, startOciServer } from '../../stand-ins/oci-server.ts'

export const compartment = 'ocid1.compartment.oc1..aaaa'

export interface KeyPair {
  privateKey: string
  publicKey: string
}

let usual: KeyPair | undefined

/** A key for all tests of a file to which it does not matter: a new one takes a tenth of a second to make. */
export function usualKeyPair(): KeyPair {
  usual ??= newKeyPair()
  return usual
}

/** A key that nobody else has, thrown away with the test. */
export function newKeyPair(): KeyPair {
  return generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
}

export interface OciProfile {
  /** The path of OCI's configuration file. */
  file: string
  write(privateKey: string, lines?: readonly string[]): void
}

/** An OCI configuration file with one profile, gone when the test is over. */
export function profileForTest(privateKey: string, lines: readonly string[] = []): OciProfile {
  const folder = mkdtempSync(join(tmpdir(), 'anycall-oci-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'config')
  const key = join(folder, 'key.pem')
  const write: OciProfile['write'] = (pem, more = []) => {
    writeFileSync(key, pem)
    const own = ['user=ocid1.user.oc1..uuuu', 'fingerprint=aa:bb:cc', 'tenancy=ocid1.tenancy.oc1..tttt']
    writeFileSync(file, ['[DEFAULT]', ...own, 'region=us-chicago-1', `key_file=${key}`, ...more, ''].join('\n'))
  }
  write(privateKey, lines)
  return { file, write }
}

export interface OciFixture {
  server: OciServer
  upstream: Upstream
  keys: KeyPair
  profile: OciProfile
}

/** A stand-in for the service and its upstream, until the test is over. Replies are given in turn. */
export async function ociForTest(
  script: OciServerOptions['script'] | OciReply[],
  options: Partial<OciGenerativeAiOptions> = {},
  formats: Readonly<Record<string, string>> = {},
): Promise<OciFixture> {
  const keys = usualKeyPair()
  const profile = profileForTest(keys.privateKey)
  const unscripted: OciReply = { type: 'status', status: 500, body: 'unscripted' }
  const server = await startOciServer({
    publicKey: keys.publicKey,
    formats,
    script: typeof script === 'function' ? script : (_, n) => script[n] ?? unscripted,
  })
  onTestFinished(() => server.close())
  const transport = createNodeTransport()
  onTestFinished(() => transport.close())
  const upstream = createOciGenerativeAiUpstream({
    name: 'oci',
    compartment,
    endpoint: server.url,
    auth: { type: 'config-file', file: profile.file },
    transport,
    ...options,
  })
  return { server, upstream, keys, profile }
}

export function contextOf(more: Partial<GenerationContext> = {}): GenerationContext {
  return { signal: new AbortController().signal, requestId: 'req_1', log: () => {}, ...more }
}

/** A reply read to its end. Texts that follow each other are one. */
export async function collect(stream: Promise<AsyncIterable<UpstreamEvent[]>>): Promise<UpstreamEvent[]> {
  const events: UpstreamEvent[] = []
  for await (const batch of await stream) {
    for (const event of batch) {
      const last = events.at(-1)
      if (event.type === 'text' && last?.type === 'text')
        events[events.length - 1] = { ...last, text: last.text + event.text }
      else events.push(event)
    }
  }
  return events
}
