import { pause } from '../../json/index.ts'
import type { GenerationContext, GenerationRequest, Upstream, UpstreamEvent } from '../../upstreams/index.ts'
import type { AttemptWatch } from './attempt-watch.ts'

/** Characters of a prompt or of a model's text in a line of the log. */
const longestLine = 8000
/** Characters that are logged of one prompt; the rest is counted. */
const longestPrompt = 1_000_000
/** Shorter texts are not keys worth hiding, and occur in ordinary words. */
const shortestSecret = 6

/**
 * Generates, and at level `debug` logs the request (`prompt`) and the upstream's unchanged output (`reply-text`), in
 * lines of bounded length. `context.secrets` are the keys to hide there; without them nothing is logged. `watch` receives
 * the request, and a failure before the first event.
 */
export async function generateLogged(
  upstream: Upstream,
  request: GenerationRequest,
  context: GenerationContext,
  watch?: AttemptWatch,
): Promise<AsyncIterable<UpstreamEvent[]>> {
  watch?.asked(request)
  try {
    return await generate(upstream, request, context)
  } catch (error) {
    watch?.ended(error)
    throw error
  }
}

async function generate(
  upstream: Upstream,
  request: GenerationRequest,
  context: GenerationContext,
): Promise<AsyncIterable<UpstreamEvent[]>> {
  const { secrets } = context
  // It was written at once, and is sent in pieces.
  if (isLarge(request)) await pause()
  if (!secrets) return await upstream.generate(request, context)
  const hidden = secrets.filter((secret) => secret.length >= shortestSecret)
  logPrompt(upstream.name, request, hidden, context)
  return logged(await upstream.generate(request, context), upstream.name, hidden, context)
}

/** The length of a prompt that takes a few milliseconds to write. */
const large = 1024 ** 2

/** True if a written prompt is so long that it should be handled in pieces, so that other requests get their turn. */
function isLarge(request: GenerationRequest): boolean {
  if (request.type === 'prompt') return request.prompt.length > large
  if (request.type !== 'messages') return false
  let size = 0
  for (const { parts } of request.messages) {
    for (const part of parts) size += part.type === 'text' ? part.text.length : 0
  }
  return size > large
}

function logPrompt(
  upstream: string,
  request: GenerationRequest,
  secrets: readonly string[],
  context: GenerationContext,
) {
  const { log, requestId } = context
  const written = withoutSecrets(JSON.stringify(request, shownValue), secrets)
  const text = written.slice(0, longestPrompt)
  const parts = Math.ceil(text.length / longestLine)
  for (let part = 1; part <= parts; part++) {
    log('debug', 'prompt', {
      requestId,
      upstream,
      part,
      parts,
      ...(part === parts && written.length > text.length && { leftOut: written.length - text.length }),
      text: text.slice((part - 1) * longestLine, part * longestLine),
    })
  }
}

/** Images are long, and useless in a log. */
function shownValue(_key: string, value: unknown): unknown {
  return typeof value === 'string' && value.startsWith('data:') ? `${value.slice(0, 40)}… (${value.length})` : value
}

async function* logged(
  events: AsyncIterable<UpstreamEvent[]>,
  upstream: string,
  secrets: readonly string[],
  { log, requestId }: GenerationContext,
): AsyncGenerator<UpstreamEvent[], void, undefined> {
  // A key may arrive in pieces: this much of the text is held back until more follows.
  const kept = Math.max(0, ...secrets.map(({ length }) => length - 1))
  let kind = ''
  let text = ''
  const write = (keep: number): void => {
    text = withoutSecrets(text, secrets)
    while (text.length > keep) {
      const line = text.slice(0, Math.min(longestLine, text.length - keep))
      text = text.slice(line.length)
      log('debug', 'reply-text', { requestId, upstream, kind, text: line })
    }
  }
  try {
    for await (const batch of events) {
      for (const event of batch) {
        if (event.type === 'notice' || event.type === 'usage') continue
        if (event.type !== kind) write(0)
        kind = event.type
        text += event.type === 'text' || event.type === 'reasoning' ? event.text : JSON.stringify(event)
      }
      if (text.length > longestLine + kept) write(kept)
      yield batch
    }
  } finally {
    write(0)
  }
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, '[Redacted]'), text)
}
