import { isJsonObject } from '../../conversation/index.ts'
import type { UpstreamFlags } from '../io/flags.ts'
import type { Io } from '../io/io.ts'
import { upstreamUrl } from '../io/settings.ts'

/**
 * Types of upstreams by the field `owned_by` of their model lists. vLLM, SGLang and llama.cpp give their own name; Ollama gives the
 * model's user, which is `library` for its own models.
 */
const typesByOwner: ReadonlyMap<unknown, string> = new Map([
  ['llamacpp', 'llama-server'],
  ['vllm', 'vllm'],
  ['sglang', 'sglang'],
  ['library', 'ollama'],
])

/** Long enough for a server on the network, short enough for a waiting person. */
const timeoutMs = 3000

/** Adds the type of the server at `--upstream`, unless it is given or the server does not reveal it; with a note on that. */
export async function withRecognisedType<Flags extends UpstreamFlags>(
  flags: Flags,
  io: Pick<Io, 'fetch' | 'signal'>,
): Promise<{ flags: Flags; notes: string[] }> {
  const { upstream, type } = flags
  if (upstream === undefined || type !== undefined) return { flags, notes: [] }
  const found = await ownType(upstream, io)
  if (found === undefined) return { flags, notes: [] }
  const note = `The server identifies itself as type ${found}; with --type openai-chat it is used as any OpenAI-compatible server.`
  return { flags: { ...flags, type: found }, notes: [note] }
}

async function ownType(upstream: string, { fetch, signal }: Pick<Io, 'fetch' | 'signal'>): Promise<string | undefined> {
  const over = new AbortController()
  // A timer keeps its controller alive. AbortSignal.any does not keep an AbortSignal.timeout, which may be collected too early.
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
    // The next request to the upstream gives a better error.
    return undefined
  } finally {
    clearTimeout(timer)
  }
}
