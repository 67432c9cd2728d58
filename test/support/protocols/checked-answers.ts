import { isJsonObject } from '../../../src/conversation/index.ts'
import type { EventStreamBody, GatewayRequest, GatewayResponse } from '../../../src/gateway/http/http.ts'
import { openResponsesCompactionMisfits } from './open-responses-schema.ts'
import { type OpenAIComponent, openaiMisfits } from './openai-schema.ts'
import { eventMisfits, responseMisfits } from './responses-schema.ts'

type Check = (answer: unknown) => string[]
type Handle = (request: GatewayRequest) => Promise<GatewayResponse>

const by =
  (component: OpenAIComponent): Check =>
  (answer) =>
    openaiMisfits(component, answer)

const compaction: Check = (answer) => [
  ...openResponsesCompactionMisfits(answer),
  ...openaiMisfits('compaction', answer),
]

/** The answers of the paths of the Responses and Conversations APIs, as their checks. The schema of the answer to a deleted response is not published. */
const answers: readonly [method: string, path: RegExp, check: Check][] = [
  ['POST', /\/responses$/, responseMisfits],
  ['GET', /\/responses\/[\w-]+$/, responseMisfits],
  ['POST', /\/responses\/compact$/, compaction],
  ['POST', /\/responses\/input_tokens$/, by('inputTokens')],
  ['GET', /\/responses\/[\w-]+\/input_items$/, by('inputItems')],
  ['POST', /\/conversations(\/[\w-]+)?$/, by('conversation')],
  ['GET', /\/conversations\/[\w-]+$/, by('conversation')],
  ['DELETE', /\/conversations\/[\w-]+$/, by('deletedConversation')],
  ['POST', /\/conversations\/[\w-]+\/items$/, by('conversationItems')],
  ['GET', /\/conversations\/[\w-]+\/items$/, by('conversationItems')],
  ['GET', /\/conversations\/[\w-]+\/items\/[\w-]+$/, by('conversationItem')],
  ['DELETE', /\/conversations\/[\w-]+\/items\/[\w-]+$/, by('conversation')],
]

/** A `handle` whose answers are checked. */
export interface CheckedAnswers {
  handle: Handle
  /** The faults of all answers so far, each with the request's path. */
  faults: string[]
}

/**
 * Wraps the `handle` of a gateway: each response, event and error with which it answers requests of the Responses and Conversations
 * APIs is compared with the published schemas. What the clients of the gateway see stays the same.
 */
export function checkedAnswers(handle: Handle): CheckedAnswers {
  const faults: string[] = []
  return {
    faults,
    async handle(request) {
      const response = await handle(request)
      const check = answers.find(([method, path]) => method === request.method && path.test(request.path))?.[2]
      if (check === undefined) return response
      const add = (found: string[]): void => void faults.push(...found.map((fault) => `${request.path}: ${fault}`))
      const { status, body } = response
      if (typeof body !== 'string') return { ...response, body: { ...body, chunks: checkedChunks(body, add) } }
      add((status === 200 ? check : by('error'))(JSON.parse(body)))
      return response
    },
  }
}

/** Returns the chunks of a stream, whose events are checked as they pass. */
function checkedChunks({ chunks }: EventStreamBody, add: (faults: string[]) => void): AsyncIterableIterator<string> {
  const inner = chunks[Symbol.asyncIterator]()
  let open = ''
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    async next() {
      const next = await inner.next()
      if (next.done) return next
      const blocks = (open + next.value).split('\n\n')
      open = blocks.pop() ?? ''
      for (const block of blocks) add(blockMisfits(block))
      return next
    },
    // Not a generator's: the return of one would wait for the chunk that is being read.
    return: async () => (await inner.return?.()) ?? { done: true, value: undefined },
  }
}

function blockMisfits(block: string): string[] {
  if (block.startsWith(':')) return []
  const [, name, data] = /^event: (\S+)\ndata: (.*)$/.exec(block) ?? []
  if (data === undefined) return [`no event: ${block}`]
  const event: unknown = JSON.parse(data)
  if (!isJsonObject(event) || event.type !== name) return [`not of the type ${name}: ${data}`]
  return eventMisfits(event)
}
