import { AnycallError, type Notice, newId } from '../../conversation/index.ts'
import type { GenerationContext, GenerationRequest, Upstream, UpstreamEvent } from '../../upstreams/index.ts'

/** Whoever asks an upstream, and with what key. */
export interface Asking {
  signal: AbortSignal
  /** The key of a client, where the configuration passes it through. */
  clientKey?: string
  /** How long one question may take. */
  timeoutMs: number
}

/** How long a question may take that needs no model to run: what the models are, and their templates. */
export const serverMs = 10_000

/** What an upstream said to one question; of calls, the pieces of their arguments. */
export interface Heard {
  text: string
  reasoning: string
  calls: { name: string; pieces: string[] }[]
  notices: Notice[]
  /** False where the token limit, or nothing at all, ended it. */
  isWhole: boolean
}

/** Does what may fail or take for ever. Throws an AnycallError, also when the time is over. */
export async function within<Result>(
  asking: Asking,
  ask: (context: GenerationContext) => Promise<Result>,
): Promise<Result> {
  const { signal, timeoutMs, clientKey } = asking
  const timeout = AbortSignal.timeout(timeoutMs)
  const context: GenerationContext = {
    signal: AbortSignal.any([signal, timeout]),
    requestId: newId('req_'),
    log: () => {},
    ...(clientKey !== undefined && { clientKey }),
  }
  try {
    return await ask(context)
  } catch (error) {
    if (timeout.aborted) throw new AnycallError('timeout', `No answer within ${timeoutMs / 1000} s.`, { cause: error })
    throw error
  }
}

/** Asks one question, and hears all of its answer. Throws an AnycallError. */
export function hear(upstream: Upstream, request: GenerationRequest, asking: Asking): Promise<Heard> {
  return within(asking, async (context) => {
    const heard: Heard = { text: '', reasoning: '', calls: [], notices: [], isWhole: false }
    for await (const events of await upstream.generate(request, context)) {
      for (const event of events) take(event, heard)
    }
    return heard
  })
}

function take(event: UpstreamEvent, heard: Heard): void {
  switch (event.type) {
    case 'text':
      heard.text += event.text
      break
    case 'reasoning':
      heard.reasoning += event.text
      break
    case 'notice':
      heard.notices.push(event.notice)
      break
    case 'finish':
      heard.isWhole = event.reason !== 'length'
      break
    case 'call': {
      heard.calls[event.index] ??= { name: '', pieces: [] }
      const call = heard.calls[event.index]
      if (!call) break
      call.name += event.name ?? ''
      if (event.arguments) call.pieces.push(event.arguments)
    }
  }
}
