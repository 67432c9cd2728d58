import { type ChatMessage, type GenerationRequest, messagesOf } from '../../../src/upstreams/upstream.ts'

/** The messages of one of the requests that an upstream got; a negative place counts from the end. */
export function messagesAt(requests: readonly GenerationRequest[], at: number): ChatMessage[] {
  const request = requests.at(at)
  if (!request) throw new Error(`there is no request ${at} among ${requests.length}`)
  return messagesOf(request)
}
