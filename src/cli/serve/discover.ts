import { isJsonObject } from '../../conversation/index.ts'

/** A kind of model server that runs on a user's own machine. */
export interface LocalServer {
  /** Its name as an upstream. */
  id: string
  name: string
  port: number
  /** Its type as an upstream; absent: any OpenAI-compatible server. */
  type?: 'ollama' | 'llama-server' | 'vllm'
}

/** Returns the type of a server as an upstream. */
export function upstreamTypeOf(server: LocalServer): NonNullable<LocalServer['type']> | 'openai-chat' {
  return server.type ?? 'openai-chat'
}

/** The known servers in order of preference, on their default ports. All answer `GET /v1/models`. */
export const localServers: readonly LocalServer[] = [
  { id: 'ollama', name: 'Ollama', port: 11434, type: 'ollama' },
  { id: 'llama-server', name: 'llama-server', port: 8080, type: 'llama-server' },
  { id: 'lm-studio', name: 'LM Studio', port: 1234 },
  { id: 'vllm', name: 'vLLM', port: 8000, type: 'vllm' },
]

export interface FoundServer {
  server: LocalServer
  /** The base URL, with `/v1`. */
  url: string
  /** The models that it lists; at least one. */
  models: string[]
}

export interface Discovery {
  /** The servers that have models, in the table's order. */
  found: FoundServer[]
  /** The other servers, with reasons. */
  missed: { server: LocalServer; reason: string }[]
}

export interface DiscoveryOptions {
  fetch: typeof fetch
  signal?: AbortSignal
  servers?: readonly LocalServer[]
  /** The limit for an answer, in milliseconds. */
  timeoutMs?: number
}

/** Asks all known servers on this machine at once for their models. */
export async function discover(options: DiscoveryOptions): Promise<Discovery> {
  const servers = options.servers ?? localServers
  const answers = await Promise.all(servers.map((server) => ask(server, options)))
  const discovery: Discovery = { found: [], missed: [] }
  for (const answer of answers) {
    if ('models' in answer) discovery.found.push(answer)
    else discovery.missed.push(answer)
  }
  return discovery
}

async function ask(
  server: LocalServer,
  { fetch, signal, timeoutMs = 400 }: DiscoveryOptions,
): Promise<FoundServer | { server: LocalServer; reason: string }> {
  const url = `http://127.0.0.1:${server.port}/v1`
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(`${url}/models`, {
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
    if (!response.ok) {
      await response.body?.cancel()
      return { server, reason: statusReasons[response.status] ?? `answers with status ${response.status}` }
    }
    const models = readModels(await response.json())
    if (models === undefined) return { server, reason: 'something else listens there' }
    return models.length === 0 ? { server, reason: 'has no models' } : { server, url, models }
  } catch (error) {
    if (timeout.aborted) return { server, reason: 'does not answer' }
    return { server, reason: error instanceof SyntaxError ? 'something else listens there' : 'nothing listens there' }
  }
}

const statusReasons: Readonly<Record<number, string>> = {
  401: 'asks for a key; set it in a configuration file',
  403: 'asks for a key; set it in a configuration file',
  404: 'something else listens there',
  503: 'is not ready yet (status 503)',
}

/** Returns the ids of an OpenAI model list; undefined if the body is something else. */
function readModels(body: unknown): string[] | undefined {
  if (!isJsonObject(body)) return undefined
  // Ollama without models returns `null`.
  if (body.data === null) return []
  if (!Array.isArray(body.data)) return undefined
  return body.data.flatMap((model) =>
    isJsonObject(model) && typeof model.id === 'string' && model.id !== '' ? [model.id] : [],
  )
}
