/**
 * A chat template for tests, of an invented model: reasoning that a variable switches on, calls as a tag with JSON in
 * it.
 */
export const nimbus = `{{- bos_token }}
{%- for tool in tools or [] %}{{- '[tool]' + (tool.function | tojson) + '\\n' }}{%- endfor %}
{%- for message in messages %}
{%- if message.role == 'assistant' %}
{{- '[bot]\\n' }}
{%- if message.reasoning_content %}{{- '<muse>\\n' + message.reasoning_content + '\\n</muse>\\n' }}{%- endif %}
{{- message.content or '' }}
{%- for call in message.tool_calls or [] %}
{{- '\\n<use ' + call.function.name + '>' + (call.function.arguments | tojson) + '</use>' }}
{%- endfor %}
{{- '[end]\\n' }}
{%- elif message.role == 'tool' %}{{- '[result]\\n' + message.content + '[end]\\n' }}
{%- else %}{{- '[' + message.role + ']\\n' + message.content + '[end]\\n' }}
{%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '[bot]\\n' + ('<muse>\\n' if muse_think else '') }}{%- endif %}
`
