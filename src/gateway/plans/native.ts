import { type Conversation, newId } from '../../conversation/index.ts'
import { withFormatInstructions } from '../../dialects/index.ts'
import type { GenerationRequest } from '../../upstreams/index.ts'
import { NativeReader } from '../reply/native-reader.ts'
import { readReply } from '../reply/read-reply.ts'
import { AttemptWatch } from './attempt-watch.ts'
import { generateLogged } from './debug-log.ts'
import { callIdsOf, conversationOf, limitsOf, type Plan, type PlanRequest } from './plan.ts'
import { estimateConversation } from './tokens.ts'

/** For an upstream that calls tools itself: it receives them as they are; calls that leak into text or break are repaired. */
export const native: Plan = {
  name: 'native',
  async generate(request, context) {
    const { upstream, delivery, callIdPrefix, accept } = request
    const conversation = shownConversation(request)
    const { tools, toolChoice, parallelCalls, stopSequences } = conversation
    const watch = new AttemptWatch(context, request, 'native', { delivery, ...(accept && { accept }) })
    const reader = new NativeReader({
      tools,
      toolChoice,
      parallelCalls,
      delivery,
      ...(accept && { accept }),
      ...(watch.trace && { trace: watch.trace }),
      newCallId: () => newId(callIdPrefix),
      takenIds: callIdsOf(conversation),
    })
    const asked: GenerationRequest = { type: 'tools', ...limitsOf(request), conversation }
    const generation = await generateLogged(upstream, asked, watch.context, watch)
    return readReply(generation, reader, { stopSequences, watch })
  },
  countTokens: async (request) => estimateConversation(shownConversation(request)),
}

/** The conversation for the upstream; a response format that the upstream does not support is described in the prompt. */
function shownConversation(request: PlanRequest): Conversation {
  const conversation = conversationOf(request)
  return request.upstream.abilities.responseFormat ? conversation : withFormatInstructions(conversation)
}
