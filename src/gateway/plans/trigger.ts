import { type Signer, type TriggerSource, triggerSource, webSigner } from '../../dialects/index.ts'
import { builtinModule } from '../../upstreams/index.ts'

/**
 * Returns the source of a gateway's triggers. `secret` undefined: a random one, which lasts as long as the process.
 */
export function createTriggers(secret: string | undefined): TriggerSource {
  // Created with the first request: a Worker refuses random values while it loads.
  let signer: Signer | undefined
  return triggerSource((text) => {
    signer ??= createSigner(
      secret === undefined ? crypto.getRandomValues(new Uint8Array(32)) : new TextEncoder().encode(secret),
    )
    return signer(text)
  })
}

function createSigner(secret: Uint8Array<ArrayBuffer>): Signer {
  // Web Crypto passes every text to another thread: 0.05 ms, for work of 0.004 ms.
  const node = builtinModule('node:crypto')
  if (node) {
    const key = node.createSecretKey(secret)
    return (text) => node.createHmac('sha256', key).update(text).digest('hex')
  }
  return webSigner(secret)
}
