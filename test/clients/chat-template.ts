import type { Conversation } from '../../src/conversation/index.ts'
import { type ChatTemplate, safeLoadTemplate, safeRenderTemplate } from '../../src/templates/index.ts'
import type { ChatMessage } from '../../src/upstreams/upstream.ts'

/** The chat template of a model that was never trained: its turns as in ChatML, its calls as JSON between tags. */
const source = `{%- set told = messages[0].role == 'system' %}
{%- if told or tools %}<|im_start|>system
{{ messages[0].content if told }}{{ '\\n\\n' if told and tools }}
{%- if tools %}The tools, one a line:

<tools>
{% for tool in tools %}{{ tool.function | tojson }}
{% endfor %}</tools>

Write a call in exactly this form:

<tool_call>
{"name": "TOOL_NAME", "arguments": {"ARGUMENT_NAME": "VALUE"}}
</tool_call>

- Results follow in the next message.{% endif %}<|im_end|>
{% endif %}
{%- for message in messages %}
{%- if message.role == 'tool' %}<|im_start|>user
<tool_response name="{{ message.name }}">
{{ message.content }}
</tool_response><|im_end|>
{% elif message.role == 'assistant' %}<|im_start|>assistant
{% if message.reasoning_content %}<think>
{{ message.reasoning_content }}
</think>

{% endif %}{{ message.content or '' }}
{%- for call in message.tool_calls or [] %}{{ '\\n' if message.content or not loop.first }}<tool_call>
{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}
</tool_call>{% endfor %}<|im_end|>
{% elif not (told and loop.first) %}<|im_start|>{{ message.role }}
{{ message.content }}<|im_end|>
{% endif %}
{%- endfor %}
{%- if add_generation_prompt %}<|im_start|>assistant
{% endif %}`

const loaded = safeLoadTemplate(source)
if (loaded.type !== 'template') throw new Error(loaded.message)

export const chatTemplate: ChatTemplate = loaded.template

/** The prompt that a server makes of a conversation whose calls it makes itself. */
export function renderConversation(conversation: Conversation): string {
  const rendered = safeRenderTemplate(chatTemplate, conversation)
  if (rendered.type === 'error') throw new Error(rendered.message)
  return rendered.text
}

/** A reply in the form of later prompts. */
export function turnOf(text: string, reasoning: string): string {
  return `${reasoning === '' ? '' : `${thought.open}${reasoning}${thought.close}`}${text}<|im_end|>\n`
}

/** The markers of the model's reasoning. */
export const thought = { open: '<think>\n', close: '\n</think>\n\n' } as const

/** The messages from which the template made a prompt. */
export function messagesIn(prompt: string): ChatMessage[] {
  const written =
    /<\|im_start\|>(system|user|assistant)\n(?:<think>\n([\s\S]*?)\n<\/think>\n\n)?([\s\S]*?)<\|im_end\|>\n/g
  return [...prompt.matchAll(written)].map(([, role, reasoning, text = '']) => ({
    role: role === 'system' || role === 'user' ? role : 'assistant',
    parts: [{ type: 'text', text }],
    ...(reasoning !== undefined && { reasoning }),
  }))
}
