import { describe, expect, it } from 'vitest'
import { readPieces } from '../../../test/support/dialects/replies.ts'
import { admits, parseGbnf } from '../../../test/support/grammar/gbnf.ts'
import { testDialect } from '../../../test/support/templates/dialect.ts'
import type { AssistantPart, Tool } from '../../conversation/index.ts'
import { messageOf } from './proof/read-back.ts'

const properties = {
  path: { type: 'string' },
  edits: { type: 'array', items: { type: 'string' } },
}
const tools: readonly Tool[] = [{ name: 'edit', description: 'Edits.', schema: { type: 'object', properties } }]
const request = { tools, toolChoice: { type: 'auto' as const }, parallelCalls: true }
const args = { path: 'a <b>c</b>', edits: ['</div>'] }
const call: AssistantPart = { type: 'call', id: 'call_1', name: 'edit', arguments: JSON.stringify(args) }
const message = { reasoning: '', text: '', calls: [{ name: 'edit', arguments: args }] }

/** Ends a turn of calls differently from one of text; `header` is the beginning of a message of a role. */
const templateWith = (calls: string, header = '<|{{ m.role }}|>') => {
  const prompt = header.replace('{{ m.role }}', 'assistant')
  return `{% if tools %}<tools>{{ tools | tojson }}</tools>{% endif %}
{%- for m in messages %}{{ '' }}${header}{% if m.content %}<|say|>{{ m.content }}<|/say|>{% endif %}
{%- if m.tool_calls %}${calls}<|eom|>{% else %}<|end|>{% endif %}
{%- endfor %}{% if add_generation_prompt %}{{ '' }}${prompt}{% endif %}`
}

const dialectOf = (source: string) => testDialect({ source, specialTokens: {} })
const read = (dialect: ReturnType<typeof dialectOf>, written: string) =>
  messageOf(readPieces(dialect, [written], { ...request, tools: [...tools] }).events)

/**
 * The tool's name and the arguments' names are tags, the closer of all of them has no slash, and a line break comes
 * between arguments only.
 */
const elements = dialectOf(
  templateWith(
    `<calls>{% for c in m.tool_calls %}<{{ c.function.name }}>{% for k, v in c.function.arguments.items() %}<{{ k }}>{{ v if v is string else v | tojson }}</{{ k }}>{{ '\\n' if not loop.last }}{% endfor %}</{{ c.function.name }}>{% endfor %}<calls_end>`,
  ),
)
const asElements = '<calls><edit><path>a <b>c</b></path>\n<edits>["</div>"]</edits></edit><calls_end>'

/** Objects in square brackets that are no list. */
const bracketed = dialectOf(
  templateWith(
    `[CALLS]{% for c in m.tool_calls %}{"do": "{{ c.function.name }}", "with": {{ c.function.arguments | tojson }}, "id": "{{ c.id }}"}{% endfor %}[/CALLS]`,
  ),
)
const inBrackets = '[CALLS]{"do": "edit", "with": {"path": "a <b>c</b>", "edits": ["</div>"]}, "id": "call_1"}[/CALLS]'

/** The header continues in the line of the text after it. */
const inline = dialectOf(
  templateWith(
    `{% for c in m.tool_calls %}<do name='{{ c.function.name }}'>{{ c.function.arguments | tojson }}</do>{% endfor %}`,
    '<|start|>{{ m.role }} ',
  ),
)
const asInline = `<do name='edit'>{"path": "a <b>c</b>", "edits": ["</div>"]}</do>`

describe.each([
  ['tags of names', elements, asElements],
  ['objects in brackets', bracketed, inBrackets],
  ['a header in the line of the call', inline, asInline],
])('%s, in turns that end with a mark of their own', (_, dialect, written) => {
  it('are found', () => {
    expect(dialect.analysis.unread).toEqual([])
    expect(dialect.analysis.content).toMatchObject({ open: '<|say|>', close: '<|/say|>' })
  })

  it('are read with that mark and without, as engines leave it out', () => {
    expect(dialect.renderReply([call], [...tools])).toMatch(written)
    expect(read(dialect, written)).toEqual(message)
    expect(read(dialect, `${written}<|eom|>`)).toEqual(message)
  })

  it('are admitted, and a model may end its turn there', () => {
    const found = dialect.grammar({ ...request, toolChoice: { type: 'required' } })
    expect(admits(parseGbnf(found?.grammar ?? ''), written)).toBe(true)
    expect(found?.stops).toContain('<|eom|>')
  })
})
