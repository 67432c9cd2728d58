import { type Conversation, collectReply, type FinishReason, type ReplyPart, type Tool } from '../conversation/index.ts'
import { dialectNamed } from '../dialects/index.ts'
import { type ChatTemplate, loadTemplate } from '../templates/index.ts'
import { createScriptedUpstream, type Play } from '../upstreams/scripted.ts'
import type { Abilities, GenerationRequest } from '../upstreams/upstream.ts'
import type { Plan } from './plan.ts'
import { native } from './plan-native.ts'
import { prompted } from './plan-prompted.ts'
import { templated } from './plan-templated.ts'

export const plans: readonly Plan[] = [native, prompted, templated]

/** How the model of plan `templated` writes. */
export const source: string = `{%- for m in messages %}<|im_start|>{{ m.role }}
{% if m.role == 'assistant' and m.reasoning_content %}<think>
{{ m.reasoning_content }}
</think>

{% endif %}{{ m.content or '' }}{% for call in m.tool_calls or [] %}
<tool_call>
{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}
</tool_call>{% endfor %}<|im_end|>
{% endfor %}{% if tools %}{{ tools | tojson }}{% endif %}{% if add_generation_prompt %}<|im_start|>assistant
{% endif %}`

function templateOf(text: string): ChatTemplate {
  const loaded = loadTemplate(text)
  if (loaded.type !== 'template') throw new Error(loaded.message)
  return loaded.template
}

export const tools: Tool[] = [
  {
    name: 'get_weather',
    description: 'Tells the weather.',
    schema: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } }, required: ['city'] },
  },
]

export function conversation(more: Partial<Conversation> = {}): Conversation {
  return {
    model: 'm',
    system: 'Be brief.',
    turns: [{ role: 'user', parts: [{ type: 'text', text: 'Weather in Paris?' }] }],
    tools,
    toolChoice: { type: 'auto' },
    parallelCalls: true,
    stopSequences: [],
    sampling: {},
    ...more,
  }
}

export const abilities: Abilities = { requests: ['messages', 'tools', 'prompt'], constraint: 'gbnf' }

/** What is read of a reply, with ids that are all alike, and what the upstream was asked. */
export interface Served {
  parts: ReplyPart[]
  codes: string[]
  reason: FinishReason
  requests: GenerationRequest[]
}

/** Serves a conversation by a plan, before an upstream that plays. */
export async function serve(
  plan: Plan,
  plays: readonly Play[],
  more: Partial<Conversation> = {},
  continuations = 0,
  written: string = source,
): Promise<Served> {
  const dialect = dialectNamed('hermes')
  if (!dialect) throw new Error('hermes is a dialect')
  const requests: GenerationRequest[] = []
  const upstream = createScriptedUpstream({
    name: 'test',
    abilities,
    play: (index, request) => {
      requests.push(request)
      return plays[index]
    },
  })
  let made = 0
  const request = {
    conversation: conversation(more),
    upstream,
    model: 'm',
    callIdPrefix: `id${made++}_`,
    delivery: 'live' as const,
    dialect,
    trigger: async () => '',
    reasoning: 'drop' as const,
    template: templateOf(written),
    continuations,
  }
  const context = { signal: new AbortController().signal, requestId: 'r', log: () => {} }
  const { parts, notices, finish } = await collectReply(await plan.generate(request, context))
  const known = parts.map((part) => (part.type === 'call' ? { ...part, id: 'ID' } : part))
  return { parts: known, codes: notices.map(({ code }) => code), reason: finish.reason, requests }
}
