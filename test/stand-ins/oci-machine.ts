import { createPublicKey, X509Certificate } from 'node:crypto'
import { createServer } from 'node:https'
import { type CertificateOptions, selfSignedCertificate } from './certificate.ts'
import { json, listenLocally, type StandInServer, startStandIn } from './http-stand-in.ts'
import { isSigned, readSignature } from './oci-request.ts'

// The services that a machine of OCI asks for its identity: an instance asks its metadata service and the service that
// gives tokens for certificates, a pod of an OKE cluster asks the proxy that gives tokens for service accounts.

export interface TokenGiver {
  /** In PEM: the keys that tokens were given for, in turn. */
  publicKeys: string[]
}

export const tenancy = 'ocid1.tenancy.oc1..tttt'

/** A token that contains the time for which it is valid. */
function tokenFor(n: number, seconds: number): string {
  const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${encoded({ alg: 'none' })}.${encoded({ exp: Math.round(Date.now() / 1000) + seconds, n })}.c2ln`
}

/** A key as requests carry it: without its frame and line ends. */
function readKey(base64: unknown): string {
  const key = createPublicKey({ key: Buffer.from(String(base64), 'base64'), format: 'der', type: 'spki' })
  return key.export({ type: 'spki', format: 'pem' }).toString()
}

export interface InstanceOptions {
  privateKey: string
  /** The number of seconds for which its tokens are valid. */
  tokenSeconds?: number
}

export interface Instance extends TokenGiver, StandInServer {
  /** The address of the metadata. */
  metadataUrl: string
}

/** An instance's metadata service, and under `/v1/x509` the service that gives it tokens. */
export async function startInstance({ privateKey, tokenSeconds = 3600 }: InstanceOptions): Promise<Instance> {
  const publicKeys: string[] = []
  const certificate = selfSignedCertificate({ privateKey, organizationalUnit: `opc-tenant:${tenancy}` })
  const { fingerprint, publicKey } = new X509Certificate(certificate)
  const keyId = `${tenancy}/fed-x509/${fingerprint.toLowerCase()}`
  const files: Readonly<Record<string, string>> = {
    '/opc/v2/instance/region': 'uk-london-1',
    '/opc/v2/identity/cert.pem': certificate,
    '/opc/v2/identity/key.pem': privateKey,
    '/opc/v2/identity/intermediate.pem': certificate,
  }
  const server = await startStandIn(({ method, path, headers, text, body }) => {
    const file = files[path]
    if (method === 'GET' && file !== undefined) {
      // The second version of the service answers nobody else.
      return headers.authorization === 'Bearer Oracle'
        ? json(file, 200, { 'content-type': 'text/plain' })
        : json('Unauthorized', 401)
    }
    if (`${method} ${path}` !== 'POST /v1/x509') return json({ code: 'NotFound', message: 'not found' }, 404)
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
    const isOwn = readSignature(headers.authorization ?? '').keyId === keyId && isSigned(path, headers, text, pem)
    if (!isOwn) return json({ code: 'NotAuthenticated', message: 'the certificate did not sign this' }, 401)
    publicKeys.push(readKey(body.publicKey))
    return json({ token: tokenFor(publicKeys.length, tokenSeconds) })
  })
  return { ...server, publicKeys, metadataUrl: `${server.url}/opc/v2` }
}

export interface ClusterOptions extends CertificateOptions {
  /** The token of the service account; may be another from time to time. */
  accountToken: () => string
  tokenSeconds?: number
}

export interface Cluster extends TokenGiver {
  /** In PEM. */
  certificate: string
  port: number
  close(): Promise<void>
}

/** The proxy of an OKE cluster that gives pods their tokens. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { privateKey, accountToken, tokenSeconds = 3600 } = options
  const publicKeys: string[] = []
  const certificate = selfSignedCertificate(options)
  const server = createServer({ key: privateKey, cert: certificate }, async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const isKnown = request.headers.authorization === `Bearer ${accountToken()}`
    if (`${request.method} ${request.url}` !== 'POST /resourcePrincipalSessionTokens' || !isKnown) {
      response.writeHead(isKnown ? 404 : 403).end()
      return
    }
    const { podKey }: { podKey?: unknown } = JSON.parse(Buffer.concat(chunks).toString())
    publicKeys.push(readKey(podKey))
    const token = JSON.stringify({ token: `ST$${tokenFor(publicKeys.length, tokenSeconds)}` })
    response.end(Buffer.from(token).toString('base64'))
  })
  const { url, close } = await listenLocally(server)
  return { publicKeys, certificate, port: Number(new URL(url).port), close }
}
