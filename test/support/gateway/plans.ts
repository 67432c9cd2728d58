import {
  type Conversation,
  collectReply,
  type FinishReason,
  type ReplyPart,
  type ReplyStream,
  type Tool,
} from '../../../src/conversation/index.ts'
import { type Delivery, type Dialect, getDialect } from '../../../src/dialects/index.ts'
import { native } from '../../../src/gateway/plans/native.ts'
import type { Plan } from '../../../src/gateway/plans/plan.ts'
import { prompted } from '../../../src/gateway/plans/prompted.ts'
import { templated } from '../../../src/gateway/plans/templated.ts'
import { type ChatTemplate, safeLoadTemplate } from '../../../src/templates/index.ts'
import { createScriptedUpstream, type Play } from '../../../src/upstreams/scripted/scripted.ts'
import type { Abilities, GenerationContext, GenerationRequest, Log } from '../../../src/upstreams/upstream.ts'

export const plans: readonly Plan[] = [native, prompted, templated]

/** The template of the model in plan `templated`. */
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
  const loaded = safeLoadTemplate(text)
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

/** The result of reading a reply, with all ids replaced by the same one, and the requests to the upstream. */
export interface Served {
  parts: ReplyPart[]
  codes: string[]
  reason: FinishReason
  requests: GenerationRequest[]
}

export interface PlayingOptions {
  /** The model's name at the upstream. */
  model?: string
  dialect?: Dialect
  trigger?: string
  continuations?: number
  reasoning?: 'field' | 'drop'
  /** The source of the chat template. */
  template?: string
  signal?: AbortSignal
  delivery?: Delivery
}

/** A plan before an upstream that plays. */
export interface Playing {
  generate(conversation: Conversation): Promise<ReplyStream>
  context: GenerationContext
  /** The requests that the upstream received, in order. */
  requests: GenerationRequest[]
  log: Parameters<Log>[]
}

/** A plan before an upstream that plays these replies, one for each request. */
export function playing(plan: Plan, plays: readonly Play[], options: PlayingOptions = {}): Playing {
  const { model = 'm', dialect = hermes, trigger = '', continuations = 0, template = source } = options
  const { reasoning = 'field', delivery = 'live' } = options
  const requests: GenerationRequest[] = []
  const log: Parameters<Log>[] = []
  const upstream = createScriptedUpstream({
    name: 'test',
    abilities,
    play: (index, request) => {
      requests.push(request)
      const play = plays[index]
      if (!play) throw new Error(`no reply was given for request ${index}`)
      return play
    },
  })
  const request = {
    upstream,
    model,
    callIdPrefix: 'toolu_',
    delivery,
    dialect,
    trigger: async () => trigger,
    reasoning,
    template: templateOf(template),
    continuations,
  }
  const context: GenerationContext = {
    signal: options.signal ?? new AbortController().signal,
    requestId: 'req_1',
    log: (...line) => void log.push(line),
  }
  return { generate: (asked) => plan.generate({ ...request, conversation: asked }, context), context, requests, log }
}

/** Serves a conversation by a plan, before an upstream that plays. */
export async function serve(
  plan: Plan,
  plays: readonly Play[],
  more: Partial<Conversation> = {},
  continuations = 0,
  template: string = source,
): Promise<Served> {
  const { generate, requests } = playing(plan, plays, { continuations, template })
  const { parts, notices, finish } = await collectReply(await generate(conversation(more)))
  const known = parts.map((part) => (part.type === 'call' ? { ...part, id: 'ID' } : part))
  return { parts: known, codes: notices.map(({ code }) => code), reason: finish.reason, requests }
}

const hermes = known('hermes')

function known(name: string): Dialect {
  const dialect = getDialect(name)
  if (!dialect) throw new Error(`${name} is no dialect`)
  return dialect
}
