import type { Conversation } from '../../conversation/index.ts'
import { refuses } from '../../upstreams/index.ts'
import type { Plan } from '../plans/plan.ts'
import { withNotices } from '../reply/reply-streams.ts'

/**
 * Returns the plan for upstreams that may refuse a tool choice that requires a call. A named tool is then offered
 * alone with the choice `required`; if that is refused as well, the model chooses, and a notice reports it.
 */
export function retryWithoutToolChoice(plan: Plan): Plan {
  return {
    ...plan,
    async generate(request, context) {
      const attempt = (conversation: Conversation) => plan.generate({ ...request, conversation }, context)
      const { toolChoice } = request.conversation
      if (toolChoice.type !== 'named' && toolChoice.type !== 'required') return attempt(request.conversation)

      const alone = onlyNamed(request.conversation)
      const forced = toolChoice.type === 'named' ? [request.conversation, alone] : [alone]
      for (const conversation of forced) {
        try {
          return await attempt(conversation)
        } catch (error) {
          if (!refuses(error, 'tool-choice')) throw error
        }
      }
      const name = request.upstream.name
      const message = `Upstream "${name}" refuses to make a model call a tool; the choice was left to the model.`
      const reply = await attempt({ ...alone, toolChoice: { type: 'auto' } })
      return withNotices([{ code: 'tool-choice-unsupported', message }], reply)
    },
  }
}

/** Returns the conversation in which a call is demanded, with the named tool alone. */
function onlyNamed(conversation: Conversation): Conversation {
  const { tools, toolChoice } = conversation
  if (toolChoice.type !== 'named') return conversation
  const named = tools.filter(({ name }) => name === toolChoice.name)
  return { ...conversation, tools: named, toolChoice: { type: 'required' } }
}
