import { expect } from 'vitest'

export interface SseEvent {
  event: string | undefined
  data: string
}

/** Fails if a reader that splits lines as Python's `splitlines()` does finds others than those of `\n`. */
export function expectPlainLines(raw: string): void {
  expect(raw).not.toMatch(/[\v\f\x1c-\x1e\x85\u2028\u2029]/)
}

/** The events of a stream in the plainest form there is, which every reader takes; comments are left out. */
export function readEvents(raw: string): SseEvent[] {
  expect(raw.endsWith('\n\n'), 'a blank line ends the last event').toBe(true)
  return raw
    .slice(0, -2)
    .split('\n\n')
    .filter((block) => !block.startsWith(':'))
    .map((block) => {
      const found = /^(?:event: (\w+)\n)?data: ([^\n]+)$/.exec(block)
      if (!found) return expect.unreachable(`not an event: ${block}`)
      return { event: found[1], data: found[2] ?? '' }
    })
}

/** A stream's text, checked to be one. */
export async function readSse(response: Response): Promise<string> {
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream\b/)
  const text = await response.text()
  expectPlainLines(text)
  return text
}

export function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}
