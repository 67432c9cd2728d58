import { buildTemplate, type Loaded, type LoadOptions } from './chat-template.ts'
import type { ReadBytes } from './gguf-reader.ts'
import { GgufFault, GgufReader, type GgufValue } from './gguf-reader.ts'
import { LoadError } from './load-error.ts'

export type { ReadBytes } from './gguf-reader.ts'

const prefix = 'tokenizer.chat_template'
const wantedKeys = /^(?:tokenizer\.chat_template(?:\..+)?|tokenizer\.ggml\.(?:tokens|token_type|\w+_token_id))$/
/** The values of `tokenizer.ggml.token_type` for tokens that are no plain text: control, user-defined. */
const specialTypes: ReadonlySet<GgufValue> = new Set([3, 4])

/**
 * Returns the chat template in the metadata of a GGUF file, or a LoadError. Only the file's header is read, in pieces.
 *
 * @example
 * const loaded = await safeLoadGgufTemplate((offset, length) => readBytes(file, offset, length))
 * if (loaded.type === 'error') console.error(loaded.isMissing, loaded.message)
 */
export async function safeLoadGgufTemplate(read: ReadBytes, options: LoadOptions = {}): Promise<Loaded> {
  let metadata: ReadonlyMap<string, GgufValue>
  try {
    metadata = await new GgufReader(read).metadata((key) => wantedKeys.test(key))
  } catch (error) {
    if (error instanceof GgufFault) return new LoadError(`the GGUF file cannot be read: ${error.message}`)
    throw error
  }
  const templates = [...metadata].flatMap(([key, source]) => {
    if (!key.startsWith(prefix) || typeof source !== 'string') return []
    return [{ name: key.slice(prefix.length + 1) || 'default', source }]
  })
  if (templates.length === 0) {
    return new LoadError('the GGUF file has no tokenizer.chat_template: the model has no chat template', {
      isMissing: true,
    })
  }
  const tokens = metadata.get('tokenizer.ggml.tokens')
  const types = metadata.get('tokenizer.ggml.token_type')
  const texts = Array.isArray(tokens) ? tokens : []
  const specialTokens: Record<string, string> = {}
  for (const [key, id] of metadata) {
    const name = /^tokenizer\.ggml\.(\w+_token)_id$/.exec(key)?.[1]
    const token = typeof id === 'number' ? texts[id] : undefined
    if (name !== undefined && typeof token === 'string') specialTokens[name] = token
  }
  const addedTokens = texts.filter(
    (token, id) => typeof token === 'string' && Array.isArray(types) && specialTypes.has(types[id] ?? null),
  )
  return buildTemplate(
    { templates, specialTokens, addedTokens: addedTokens.filter((token) => typeof token === 'string') },
    options,
  )
}
