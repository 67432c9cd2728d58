/** A template that renders no calls: its model is asked for those of a built-in format. */
export interface PromptedTemplate {
  name: string
  source: string
  specialTokens: Readonly<Record<string, string>>
  /** A text and two calls as the template's dialect writes them, after the reasoning if the template shows it. */
  written: string
}

const calls =
  'Let me look.\n<TOOL_CALL>\n{"name": "get_weather", "input": {"city": "Paris", "days": 3}}\n</TOOL_CALL>\n<TOOL_CALL>\n{"name": "list_files", "input": {}}\n</TOOL_CALL>'
const turns = '{%- for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}'
const thought = '{% if m.reasoning_content %}<think>{{ m.reasoning_content }}</think>{% endif %}'

export const promptedTemplates: readonly PromptedTemplate[] = [
  {
    name: 'plain',
    source: `${turns}{% if add_generation_prompt %}<|assistant|>{% endif %}`,
    specialTokens: {},
    written: calls,
  },
  {
    name: 'lists tools',
    source: `{% if tools %}<|tools|>{{ tools | tojson }}<|end|>{% endif %}${turns}{% if add_generation_prompt %}<|assistant|>{% endif %}`,
    specialTokens: {},
    written: calls,
  },
  {
    name: 'thinks',
    source: `${turns.replace('{{ m.content }}', `${thought}{{ m.content }}`)}{% if add_generation_prompt %}<|assistant|>{% if enable_thinking is false %}<think></think>{% endif %}{% endif %}`,
    specialTokens: {},
    written: `<think>They want the weather.</think>${calls}`,
  },
  {
    name: 'is made to think',
    source: `${turns.replace('{{ m.content }}', `${thought}{{ m.content }}`)}{% if add_generation_prompt %}<|assistant|><think>{% if enable_thinking is false %}</think>{% endif %}{% endif %}`,
    specialTokens: {},
    written: `<think>They want the weather.</think>${calls}`,
  },
]
