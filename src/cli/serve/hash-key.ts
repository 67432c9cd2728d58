import { createHash } from 'node:crypto'
import { FlagError } from '../io/flags.ts'
import type { Io } from '../io/io.ts'
import { modelText } from '../read/model-text.ts'

/** No key is longer. */
const mostCharacters = 4096

/** Prints the SHA-256 digest of a key that is given on standard input, for `sha256` in `keys`. */
export async function hashKey(io: Io): Promise<number> {
  let text = ''
  for await (const piece of modelText('-', io)) {
    text += piece
    if (text.length > mostCharacters)
      throw new FlagError(`The key on standard input has more than ${mostCharacters} characters.`)
  }
  const key = text.trim()
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new FlagError('Expected one key of visible ASCII characters on standard input, such as: openssl rand -hex 24')
  }
  io.stdout(`${createHash('sha256').update(key).digest('hex')}\n`)
  return 0
}
