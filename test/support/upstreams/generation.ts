import type {
  GenerationContext,
  GenerationRequest,
  PromptRequest,
  Upstream,
  UpstreamEvent,
} from '../../../src/upstreams/upstream.ts'

export function contextOf(more: Partial<GenerationContext> = {}): GenerationContext {
  return { signal: new AbortController().signal, requestId: 'req_1', log: () => {}, ...more }
}

/** A request with a whole prompt, and nothing else. */
export function promptRequest(prompt: string, more: Partial<PromptRequest> = {}): PromptRequest {
  return { type: 'prompt', model: 'obedient', prompt, stops: [], preservedTokens: [], sampling: {}, ...more }
}

/** All that an upstream generates, read to the end. */
export async function generated(
  upstream: Upstream,
  request: GenerationRequest,
  context: GenerationContext = contextOf(),
): Promise<UpstreamEvent[]> {
  const events: UpstreamEvent[] = []
  for await (const batch of await upstream.generate(request, context)) events.push(...batch)
  return events
}

export function textOf(events: readonly UpstreamEvent[]): string {
  return events.map((event) => (event.type === 'text' ? event.text : '')).join('')
}

/** The events that are no pieces of text. */
export function otherThanText(events: readonly UpstreamEvent[]): UpstreamEvent[] {
  return events.filter(({ type }) => type !== 'text')
}
