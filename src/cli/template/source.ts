import { type FileHandle, open } from 'node:fs/promises'
import { AnycallError, isJsonObject } from '../../conversation/index.ts'
import {
  type ChatTemplate,
  type Loaded,
  type LoadOptions,
  safeLoadGgufTemplate,
  safeLoadTemplate,
} from '../../templates/index.ts'
import { FlagError, fileProblem } from '../io/flags.ts'
import type { Io } from '../io/io.ts'
import { isUrl } from '../io/named-files.ts'

export interface SourceFlags {
  /** The name of one of several templates. */
  name?: string
  /** Special tokens, as `bos_token=<s>`. */
  special?: string[]
}

/**
 * Loads the chat template of a file (its kind is detected from its content) or of a llama-server, by its address. Throws a FlagError
 * for a source without a template, and an AnycallError for a broken template or a server that does not provide one.
 */
export async function templateOf(
  source: string,
  flags: SourceFlags,
  io: Pick<Io, 'fetch' | 'signal'>,
): Promise<ChatTemplate> {
  const options: LoadOptions = {
    ...(flags.name !== undefined && { name: flags.name }),
    specialTokens: specialTokensOf(flags),
  }
  const loaded = await (isUrl(source) ? loadProps(source, options, io) : loadFile(source, options))
  if (loaded.type === 'template') {
    if (/\{[{%]/.test(loaded.template.source)) return loaded.template
    throw new FlagError(`${source}: it is not a chat template: it has neither {{ \u2026 }} nor {% \u2026 %}`)
  }
  const { problem, line } = loaded
  if (line === undefined) throw new FlagError(`${source}: ${problem}`)
  throw new AnycallError('invalid-request', `${source}: line ${line} of the template: ${problem}`)
}

function specialTokensOf({ special = [] }: SourceFlags): Record<string, string> {
  const entries = special.map((given) => {
    const [, name = '', token = ''] = /^(\w+)=([\s\S]*)$/.exec(given) ?? []
    if (name === '') throw new FlagError(`--special ${given}: expected a special token such as bos_token=<s>`)
    return [name, token] as const
  })
  return Object.fromEntries(entries)
}

/** The limit in bytes: more than any tokenizer file has, less than weights. */
const mostBytes = 100_000_000

async function loadFile(file: string, options: LoadOptions): Promise<Loaded> {
  try {
    const handle = await open(file)
    try {
      return await loadOpened(file, handle, options)
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw error instanceof FlagError ? error : fileProblem(file, error)
  }
}

async function loadOpened(file: string, handle: FileHandle, options: LoadOptions): Promise<Loaded> {
  const read = async (offset: number, length: number): Promise<Uint8Array> => {
    const { buffer, bytesRead } = await handle.read(new Uint8Array(length), 0, length, offset)
    return buffer.subarray(0, bytesRead)
  }
  const isGguf = /\.gguf$/i.test(file) || new TextDecoder().decode(await read(0, 4)) === 'GGUF'
  if (isGguf) return safeLoadGgufTemplate(read, options)
  const { size } = await handle.stat()
  if (size > mostBytes) throw new FlagError(`${file}: the file has ${size} bytes, too many for a chat template`)
  const bytes = await handle.readFile()
  try {
    return safeLoadTemplate(new TextDecoder('utf-8', { fatal: true }).decode(bytes), options)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new FlagError(`${file}: this is neither text nor a GGUF file; name a file that has a chat template`)
  }
}

const timeoutMs = 5000

/** Asks llama-server for its model's properties. */
async function loadProps(address: string, options: LoadOptions, { fetch, signal }: Pick<Io, 'fetch' | 'signal'>) {
  const url = `${address.replace(/\/+$/, '').replace(/\/(?:v1|props)$/, '')}/props`
  if (!URL.canParse(url)) throw new FlagError(`${address}: this is not the address of a server`)
  const failed = (what: string) => new AnycallError('upstream', `${url}: ${what}`)
  const timeout = AbortSignal.timeout(timeoutMs)
  let status = 0
  let body: unknown
  try {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.any([signal, timeout]) })
    status = response.status
    body = await response.json()
  } catch (error) {
    if (timeout.aborted) throw failed(`no answer within ${timeoutMs / 1000} seconds`)
    if (status === 0) throw failed('no server answers')
    if (!(error instanceof SyntaxError)) throw failed('the answer was cut off')
  }
  if (status === 401 || status === 403) {
    throw failed('the server asks for a key; save its answer with curl, and name the file')
  }
  if (status !== 200 || !isJsonObject(body)) {
    throw failed(`the server answers with status ${status} and no properties; expected those of llama-server at /props`)
  }
  return safeLoadTemplate(body, options)
}
