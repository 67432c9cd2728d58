import { AnycallError, type Notice, newId } from '../../conversation/index.ts'
import type { GenerationContext, GenerationRequest, Upstream, UpstreamEvent } from '../../upstreams/index.ts'

/** The options of a question to an upstream. */
export interface AskOptions {
  signal: AbortSignal
  /** A client's key, if the configuration passes it through. */
  clientKey?: string
  /** The limit for one question, in milliseconds. */
  timeoutMs: number
}

/** The limit for questions that need no model to run (the list of models, their templates), in milliseconds. */
export const serverMs = 10_000

/** An upstream's answer to one question; calls have the pieces of their arguments as they came. */
export interface Answer {
  text: string
  reasoning: string
  calls: { name: string; pieces: string[] }[]
  notices: Notice[]
  /** False if the token limit ended it, or if it never ended. */
  isWhole: boolean
}

/** Runs `run` with a signal that aborts after `options.timeoutMs`. Throws an AnycallError, also on a timeout. */
export async function withTimeout<Result>(
  options: AskOptions,
  run: (context: GenerationContext) => Promise<Result>,
): Promise<Result> {
  const { signal, timeoutMs, clientKey } = options
  const timeout = AbortSignal.timeout(timeoutMs)
  const context: GenerationContext = {
    signal: AbortSignal.any([signal, timeout]),
    requestId: newId('req_'),
    log: () => {},
    ...(clientKey !== undefined && { clientKey }),
  }
  try {
    return await run(context)
  } catch (error) {
    if (timeout.aborted) throw new AnycallError('timeout', `No answer within ${timeoutMs / 1000} s.`, { cause: error })
    throw error
  }
}

/** Asks one question and collects the whole answer. Throws an AnycallError. */
export function ask(upstream: Upstream, request: GenerationRequest, options: AskOptions): Promise<Answer> {
  return withTimeout(options, async (context) => {
    const answer: Answer = { text: '', reasoning: '', calls: [], notices: [], isWhole: false }
    for await (const events of await upstream.generate(request, context)) {
      for (const event of events) collect(event, answer)
    }
    return answer
  })
}

function collect(event: UpstreamEvent, answer: Answer): void {
  switch (event.type) {
    case 'text':
      answer.text += event.text
      break
    case 'reasoning':
      answer.reasoning += event.text
      break
    case 'notice':
      answer.notices.push(event.notice)
      break
    case 'finish':
      answer.isWhole = event.reason !== 'length'
      break
    case 'call': {
      answer.calls[event.index] ??= { name: '', pieces: [] }
      const call = answer.calls[event.index]
      if (!call) break
      call.name += event.name ?? ''
      if (event.arguments) call.pieces.push(event.arguments)
    }
  }
}
