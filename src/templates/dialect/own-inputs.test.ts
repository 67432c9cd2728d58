import { expect, test } from 'vitest'
import { AnycallError } from '../../conversation/index.ts'
import { analyzeTemplate, loadTemplate, safeRenderTemplate, templateDialect } from '../index.ts'

const source = `{%- if messages[0].content == 'refuse' %}{{ raise_exception('no') }}{% endif %}
{%- if tools %}<|system|>{{ tools | tojson }}<|end|>{% endif %}
{%- for m in messages %}<|{{ m.role }}|>{{ m.content }}
{%- for call in m.tool_calls or [] %}<call:{{ call.function.name }}>{{ call.function.arguments | tojson }}</call>{% endfor %}<|end|>
{%- endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}`
const template = loadTemplate(source)
const dialect = templateDialect(analyzeTemplate(template))

const said = (text: string) => ({ turns: [{ role: 'user' as const, parts: [{ type: 'text' as const, text }] }] })
/** The same tool in several forms. */
const forms = [
  [{ name: 'now', description: '', schema: { type: 'object' } }],
  [{ name: 'now', inputSchema: { type: 'object' } }],
  [{ type: 'function', function: { name: 'now', parameters: { type: 'object' } } }],
]

test('a prompt needs turns alone', () => {
  expect(dialect.renderPrompt(said('Hi')).text).toBe('<|user|>Hi<|end|><|assistant|>')
  expect(safeRenderTemplate(template, said('Hi'))).toMatchObject({ text: '<|user|>Hi<|end|><|assistant|>' })
})

test('tools are taken in any form', () => {
  const [first, ...others] = forms.map((tools) => [
    dialect.renderPrompt({ ...said('Hi'), tools }).text,
    dialect.grammar({ tools, toolChoice: { type: 'required' } })?.grammar,
    dialect.structuralTag({ tools })?.tag,
    dialect.renderReply([{ type: 'call', id: 'c', name: 'now', arguments: '{}' }], tools),
    dialect.createReader({ tools, newCallId: () => 'c' }).push('<call:now>{}</call>'),
  ])
  expect(first).not.toContain(undefined)
  for (const other of others) expect(other).toEqual(first)
})

test('an error of the template is thrown, or returned by the safe function', () => {
  const refused = said('refuse')
  expect(dialect.safeRenderPrompt(refused)).toMatchObject({ type: 'error', reason: 'refused' })
  try {
    dialect.renderPrompt(refused)
    expect.unreachable()
  } catch (error) {
    if (!AnycallError.isInstance(error)) throw error
    expect(error.code).toBe('invalid-request')
  }
})
