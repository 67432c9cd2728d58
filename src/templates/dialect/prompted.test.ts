import { describe, expect, test } from 'vitest'
import { callsOf, readPieces, textOf } from '../../../test/support/dialects/replies.ts'
import { admits, parseGbnf } from '../../../test/support/grammar/gbnf.ts'
import { testDialect } from '../../../test/support/templates/dialect.ts'
import { promptedTemplates } from '../../../test/support/templates/prompted-templates.ts'
import { standard, standardTools } from '../../../test/support/templates/templates.ts'
import type { AssistantPart, Conversation } from '../../conversation/index.ts'

const reply: AssistantPart[] = [
  { type: 'reasoning', text: standard.reasoning },
  { type: 'text', text: standard.text },
  ...standard.calls.map((call, at): AssistantPart => ({ type: 'call', id: `call_${at}`, ...call })),
]

function conversation(parts: readonly AssistantPart[] = []): Conversation {
  const user = { role: 'user' as const, parts: [{ type: 'text' as const, text: 'What is the weather in Paris?' }] }
  return {
    model: 'm',
    system: '',
    turns: parts.length > 0 ? [user, { role: 'assistant', parts: [...parts] }, user] : [user],
    tools: [...standardTools],
    toolChoice: { type: 'auto' },
    parallelCalls: true,
    stopSequences: [],
    sampling: {},
    reasoning: { enabled: false },
  }
}

describe.each(promptedTemplates)('a template without calls: $name', (one) => {
  const dialect = testDialect(one)
  const policy = { tools: standardTools, toolChoice: { type: 'auto' as const }, parallelCalls: true }

  test('has the calls that its instructions ask for', () => {
    expect(dialect.analysis.handler).toBe('prompted')
    expect(dialect.describe(policy, { trigger: '' })).toContain('<TOOL_CALL>\n{"name": "TOOL_NAME", "input":')
    expect(dialect.renderReply(reply, standardTools)?.trim()).toBe(one.written)
    const prompt = dialect.safeRenderPrompt(conversation(reply))
    expect(prompt.type === 'prompt' && prompt.text).toContain(one.written)
  })

  test('reads them', () => {
    const { events } = readPieces(dialect, [one.written], policy)
    const calls = callsOf(events).map(({ name, json }) => ({ name, arguments: json }))
    expect([textOf(events), calls]).toEqual([standard.text, standard.calls])
    expect(events.filter(({ type }) => type === 'notice')).toEqual([])
  })

  test('admits them, and nothing else where they are demanded', () => {
    const prompt = dialect.safeRenderPrompt(conversation())
    if (prompt.type === 'error') throw new Error(prompt.message)
    const { begun } = prompt
    const request = { ...policy, begun, reasoning: false }
    const written = one.written.slice(one.written.indexOf('Let me look.'))
    const grammar = dialect.grammar({ ...request, toolChoice: { type: 'required' }, textBefore: true })
    const parsed = parseGbnf(grammar?.grammar ?? '')
    expect([written, admits(parsed, written)]).toEqual([written, true])
    expect(admits(parsed, standard.text)).not.toBe(true)
    const lazy = dialect.grammar(request)
    expect([lazy?.isLazy, lazy?.triggers]).toEqual([true, [{ type: 'word', value: '<TOOL_CALL>' }]])
    expect(lazy?.stops).toContain('<|end|>')
    const tag = dialect.structuralTag({ ...request, toolChoice: { type: 'required' } })
    expect(JSON.stringify(tag?.tag)).toContain('<TOOL_CALL>')
  })
})
