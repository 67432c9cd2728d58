import { createPrivateKey, createPublicKey, sign } from 'node:crypto'

// A certificate in the DER of RFC 5280, which Node reads and does not write.

export interface CertificateOptions {
  /** The private key of the pair that it certifies, which also signs it, in PEM. */
  privateKey: string
  /** The field in which instances of OCI have their tenancy. */
  organizationalUnit?: string
}

/** A certificate of 127.0.0.1, signed with its own key, in PEM; good for a day. */
export function selfSignedCertificate({ privateKey, organizationalUnit }: CertificateOptions): string {
  const key = createPrivateKey(privateKey)
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' })
  const names = [attribute('2.5.4.3', 'stand-in')]
  if (organizationalUnit !== undefined) names.push(attribute('2.5.4.11', organizationalUnit))
  const name = sequence(...names)
  const sha256WithRsa = sequence(objectId('1.2.840.113549.1.1.11'), tagged(0x05))
  const toBeSigned = sequence(
    tagged(0xa0, integer(2)),
    integer(1),
    sha256WithRsa,
    name,
    sequence(time(Date.now() - 60_000), time(Date.now() + 86_400_000)),
    name,
    publicKey,
    tagged(
      0xa3,
      sequence(
        // It is its own authority, and of 127.0.0.1.
        extension('2.5.29.19', sequence(tagged(0x01, Buffer.from([0xff])))),
        extension('2.5.29.17', sequence(tagged(0x87, Buffer.from([127, 0, 0, 1])))),
      ),
    ),
  )
  const signature = sign('RSA-SHA256', toBeSigned, key)
  const der = sequence(toBeSigned, sha256WithRsa, tagged(0x03, Buffer.from([0]), signature))
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

function tagged(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  const length =
    content.length < 0x80
      ? [content.length]
      : content.length < 0x100
        ? [0x81, content.length]
        : [0x82, content.length >> 8, content.length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}

function sequence(...contents: Buffer[]): Buffer {
  return tagged(0x30, ...contents)
}

function integer(value: number): Buffer {
  return tagged(0x02, Buffer.from([value]))
}

function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const groups = rest.map((value) => {
    const bytes = [value & 0x7f]
    for (let left = value >>> 7; left > 0; left >>>= 7) bytes.unshift((left & 0x7f) | 0x80)
    return bytes
  })
  return tagged(0x06, Buffer.from([first * 40 + second, ...groups.flat()]))
}

function attribute(id: string, value: string): Buffer {
  return tagged(0x31, sequence(objectId(id), tagged(0x0c, Buffer.from(value))))
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(objectId(id), tagged(0x04, value))
}

/** UTCTime: `YYMMDDHHMMSSZ`. */
function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/\D/g, '').slice(2, 14)
  return tagged(0x17, Buffer.from(`${digits}Z`))
}
