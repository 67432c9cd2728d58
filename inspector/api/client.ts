import { Store } from '../parts/store.ts'

/** An answer of the API that is an error. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
  }
}

const keyName = 'anycall-inspector-key'

/** True while the gateway wants a key that the page does not have. */
export const isLocked = new Store(false)

/** Keeps the admin key until the tab is closed. */
export function keepKey(key: string): void {
  sessionStorage.setItem(keyName, key)
  isLocked.set(false)
}

/** Takes the key out of an address such as `#key=KEY`, which the command prints, so that it is in no history. */
export function takeKey(): void {
  const key = /^#key=(.+)$/.exec(location.hash)?.[1]
  if (key === undefined) return
  history.replaceState(null, '', '#/exchanges')
  keepKey(key)
}

/**
 * Asks the API; `path` is relative to `api/`. A body makes it a POST. Throws an ApiError for an answer that is an error, and what
 * `fetch` throws if there is none.
 */
export async function ask(
  path: string,
  { body, signal }: { body?: unknown; signal?: AbortSignal } = {},
): Promise<Response> {
  const key = sessionStorage.getItem(keyName)
  const headers: Record<string, string> = {}
  if (key !== null) headers['x-api-key'] = key
  if (body !== undefined) headers['content-type'] = 'application/json'
  const response = await fetch(`api/${path}`, {
    headers,
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    ...(signal && { signal }),
  })
  if (response.ok) return response
  if (response.status === 401) isLocked.set(true)
  throw new ApiError(response.status, await messageOf(response))
}

/** The same, with the answer's JSON. The gateway that serves the page serves the API: both are of one version. */
export async function askJson<Answer>(path: string, options?: Parameters<typeof ask>[1]): Promise<Answer> {
  const response = await ask(path, options)
  return (await response.json()) as Answer
}

async function messageOf(response: Response): Promise<string> {
  const text = await response.text()
  try {
    const { error } = JSON.parse(text) as { error?: string | { message?: string } }
    const message = typeof error === 'string' ? error : error?.message
    return message ?? `The gateway answered ${response.status}.`
  } catch {
    // A proxy's page, for instance.
    return `The gateway answered ${response.status}.`
  }
}

/** Returns an error as a sentence. */
export function sentenceOf(error: unknown): string {
  if (error instanceof ApiError) return error.message
  return 'The gateway does not answer. Check that it runs.'
}
