// A program that serves a model by its chat template: prompt, grammar and reader, from a history in Anthropic's form.
import { expect, test } from 'vitest'
import { fromAnthropic } from '../../src/messages.ts'
import { analyzeTemplate, loadTemplate, templateDialect } from '../../src/templates.ts'

const source =
  '{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% for c in m.tool_calls or [] %}<tool_call>{{ {"name": c.function.name, "arguments": c.function.arguments} | tojson }}</tool_call>{% endfor %}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}'

test('a template gives a prompt, a grammar and a reader', () => {
  const dialect = templateDialect(analyzeTemplate(loadTemplate(source)))
  const conversation = fromAnthropic({
    messages: [{ role: 'user', content: 'Weather in Paris?' }],
    tools: [{ name: 'get_weather', input_schema: { type: 'object', properties: { city: { type: 'string' } } } }],
  })
  const prompt = dialect.renderPrompt(conversation)
  expect(prompt.text).toContain('Weather in Paris?<|end|><|assistant|>')
  const { tools, toolChoice, parallelCalls } = conversation
  expect(dialect.grammar({ tools, toolChoice, parallelCalls })?.grammar).toContain('get_weather')
  const reader = dialect.createReader({ tools, toolChoice, parallelCalls, begun: prompt.begun })
  const written = '<tool_call>{"name": "get_weather", "arguments": {"city": "Paris"}}</tool_call>'
  const events = [...reader.push(written), ...reader.end('stop')]
  expect(events.filter(({ type }) => type === 'call-start')).toMatchObject([{ name: 'get_weather' }])
  expect(events.at(-1)).toEqual({ type: 'finish', reason: 'calls' })
})
