import { isJsonObject } from '../../conversation/index.ts'
import type { UpstreamFlags } from '../io/flags.ts'
import type { Io } from '../io/io.ts'
import { upstreamUrl } from '../io/settings.ts'

/**
 * Whom servers say their models are owned by in OpenAI's list, with the type of upstream that each is. vLLM, SGLang and llama.cpp name
 * themselves; Ollama names the user whose model it is, who is `library` for its own.
 */
const typesByOwner: ReadonlyMap<unknown, string> = new Map([
  ['llamacpp', 'llama-server'],
  ['vllm', 'vllm'],
  ['sglang', 'sglang'],
  ['library', 'ollama'],
])

/** Long enough for a server on the network, short enough for a person who waits. */
const timeoutMs = 3000

/** The flags with the type of the server at `--upstream`, where nobody gave it and the server says what it is; with a note on that. */
export async function withRecognisedType<Flags extends UpstreamFlags>(
  flags: Flags,
  io: Pick<Io, 'fetch' | 'signal'>,
): Promise<{ flags: Flags; notes: string[] }> {
  const { upstream, type } = flags
  if (upstream === undefined || type !== undefined) return { flags, notes: [] }
  const found = await ownType(upstream, io)
  if (found === undefined) return { flags, notes: [] }
  const note = `It says that it is of type ${found}; --type openai-chat takes it for any OpenAI-compatible server.`
  return { flags: { ...flags, type: found }, notes: [note] }
}

async function ownType(upstream: string, { fetch, signal }: Pick<Io, 'fetch' | 'signal'>): Promise<string | undefined> {
  const over = new AbortController()
  // A timer holds what it ends. AbortSignal.timeout, which AbortSignal.any does not hold, can be gone as garbage before its time.
  const timer = setTimeout(() => over.abort(), timeoutMs)
  try {
    const response = await fetch(`${upstreamUrl(upstream)}/models`, {
      redirect: 'error',
      signal: AbortSignal.any([signal, over.signal]),
    })
    if (!response.ok) {
      await response.body?.cancel()
      return undefined
    }
    const body: unknown = await response.json()
    const [model] = isJsonObject(body) && Array.isArray(body.data) ? body.data : []
    return isJsonObject(model) ? typesByOwner.get(model.owned_by) : undefined
  } catch {
    // Who asks the upstream next says better what is wrong with it.
    return undefined
  } finally {
    clearTimeout(timer)
  }
}
