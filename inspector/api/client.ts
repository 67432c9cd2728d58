import { Store } from '../parts/store.ts'

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
 * Asks the API; `path` is relative to `api/`. A body makes it a POST. Throws an Error with a sentence for a person if the
 * answer is an error, or if there is none.
 */
export async function ask(
  path: string,
  { body, signal }: { body?: unknown; signal?: AbortSignal } = {},
): Promise<Response> {
  const key = sessionStorage.getItem(keyName)
  const headers: Record<string, string> = {}
  if (key !== null) headers['x-api-key'] = key
  if (body !== undefined) headers['content-type'] = 'application/json'
  const request = {
    headers,
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }
  const response = await fetch(`api/${path}`, request).catch(unanswered)
  if (response.ok) return response
  if (response.status === 401) isLocked.set(true)
  throw new Error(await messageOf(response))
}

/** The same, with the answer's JSON. The gateway that serves the page serves the API: both are of one version. */
export async function askJson<Answer>(path: string, options?: Parameters<typeof ask>[1]): Promise<Answer> {
  const response = await ask(path, options)
  return (await response.json().catch(unanswered)) as Answer
}

function unanswered(cause: unknown): never {
  throw new Error('The gateway does not answer. Check that it runs.', { cause })
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
