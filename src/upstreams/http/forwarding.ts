import type { ForwardedEndpoint, Forwarding } from '../upstream.ts'
import type { HttpApi } from './api.ts'

/** Returns what passes requests on to a server with these paths. */
export function forwardingTo(api: HttpApi, paths: ReadonlyMap<ForwardedEndpoint, string>): Forwarding {
  return {
    endpoints: new Set(paths.keys()),
    send(endpoint, body, context) {
      const path = paths.get(endpoint)
      if (path === undefined)
        throw new Error(`upstream "${api.name}" was sent a request for ${endpoint}, which it has not`)
      return api.forward(path, body, context)
    },
  }
}

/** OpenAI's endpoints below a path. */
export function openaiEndpoints(path: string): [ForwardedEndpoint, string][] {
  return [
    ['embeddings', `${path}/embeddings`],
    ['completions', `${path}/completions`],
  ]
}
