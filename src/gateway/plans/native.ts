import { type Conversation, newId } from '../../conversation/index.ts'
import { withFormatInstructions } from '../../dialects/index.ts'
import { NativeReader } from '../reply/native-reader.ts'
import { readReply } from '../reply/read-reply.ts'
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
    const reader = new NativeReader({
      tools,
      toolChoice,
      parallelCalls,
      delivery,
      ...(accept && { accept }),
      newCallId: () => newId(callIdPrefix),
      takenIds: callIdsOf(conversation),
    })
    const generation = await generateLogged(upstream, { type: 'tools', ...limitsOf(request), conversation }, context)
    return readReply(generation, reader, { stopSequences })
  },
  countTokens: async (request) => estimateConversation(shownConversation(request)),
}

/** The conversation for the upstream; a format that it cannot be asked for is said in the prompt. */
function shownConversation(request: PlanRequest): Conversation {
  const conversation = conversationOf(request)
  return request.upstream.abilities.responseFormat ? conversation : withFormatInstructions(conversation)
}
