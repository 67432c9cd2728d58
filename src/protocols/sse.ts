/** Response headers of a server-sent event stream; they tell proxies not to buffer it. */
export const sseHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

/** Encodes one event. `data` is JSON on one line, so it needs no splitting. */
export function sseEvent(data: string, event?: string): string {
  return event === undefined ? `data: ${data}\n\n` : `event: ${event}\ndata: ${data}\n\n`
}

const lineBreaks = /[\u0085\u2028\u2029]/g

/**
 * Returns the text of a stream with Unicode's line breaks as escapes of JSON, in whose strings alone they occur. An event ends there for
 * readers that split lines as Python's `splitlines()` does (httpx) or take what `.` matches (older versions of Google's library).
 */
export function withoutLineBreaks(text: string): string {
  return text.search(lineBreaks) < 0
    ? text
    : text.replace(lineBreaks, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
