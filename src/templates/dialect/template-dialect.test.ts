import { describe, expect, test } from 'vitest'
import { coveringTests } from '../../../test/support/covering-tests.ts'
import { someOf } from '../../../test/support/draws.ts'
import { admits, admitsPrefix, parseGbnf } from '../../../test/support/grammar/gbnf.ts'
import { testDialect } from '../../../test/support/templates/dialect.ts'
import { partsOf, standard, standardTools, testTemplates } from '../../../test/support/templates/templates.ts'
import type { Written } from '../../../test/support/templates/written-templates.ts'
import type { AssistantPart, Conversation, JsonValue, ReplyEvent } from '../../conversation/index.ts'
import { messageOf } from '../analysis/proof/read-back.ts'
import type { TemplateDialect } from './template-dialect.ts'
import type { TemplateReaderOptions } from './template-reader.ts'

const kinds: readonly (keyof Written)[] = ['text', 'calls', 'both', 'reasoning', 'all']

function read(dialect: TemplateDialect, pieces: readonly string[], more: Partial<TemplateReaderOptions> = {}) {
  const reader = dialect.createReader({
    tools: standardTools,
    toolChoice: { type: 'auto' },
    parallelCalls: true,
    newCallId: () => 'id',
    ...more,
  })
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end('stop')]
}

/** The standard message of a kind, as `messageOf` returns it. */
function standardMessage(kind: keyof Written) {
  const calls = standard.calls.map(({ name, arguments: json }) => ({ name, arguments: parse(json) }))
  return {
    reasoning: kind === 'reasoning' || kind === 'all' ? standard.reasoning : '',
    text: kind === 'calls' ? '' : standard.text,
    calls: kind === 'text' || kind === 'reasoning' ? [] : calls,
  }
}

function parse(json: string): JsonValue {
  const value: JsonValue = JSON.parse(json)
  return value
}

function trimmed(events: readonly ReplyEvent[]) {
  const message = messageOf(events)
  return { ...message, reasoning: message.reasoning.trim(), text: message.text.trim() }
}

function conversation(parts?: readonly AssistantPart[], reasoning?: boolean): Conversation {
  return {
    model: 'm',
    system: '',
    turns: [
      { role: 'user', parts: [{ type: 'text', text: 'What is the weather in Paris?' }] },
      ...(parts ? [{ role: 'assistant' as const, parts: [...parts] }] : []),
    ],
    tools: [...standardTools],
    toolChoice: { type: 'auto' },
    parallelCalls: true,
    stopSequences: [],
    sampling: {},
    ...(reasoning !== undefined && { reasoning: { enabled: reasoning } }),
  }
}

/** Returns the places at which a text can be split into two. */
function splitsOf(text: string): readonly number[] {
  return Array.from({ length: Math.max(0, text.length - 1) }, (_, index) => index + 1)
}

const testsOf = coveringTests(testTemplates)

describe.each(testTemplates)('the dialect of the template $name', (one) => {
  const test = testsOf(one)
  const dialect = testDialect(one)
  const said = kinds.flatMap((kind): [keyof Written, string][] => {
    const text = one.written[kind]
    return text === undefined ? [] : [[kind, afterHeader(text)]]
  })
  // If the last mark of the header opens each message, it can be the first of the reply as well.
  function afterHeader(text: string): string {
    const whole = one.header + text
    const { header } = dialect.analysis.frame
    return whole.slice(whole.indexOf(header.trim()) + header.trim().length).trimStart()
  }

  test('is inferred from the template, and reads back all probes', () => {
    const { handler, unread } = dialect.analysis
    expect({ handler, unread }).toEqual({ handler: 'inferred', unread: [] })
  })

  test.each(said)('reads %s as the model writes it, at its splits', (kind, text) => {
    const whole = read(dialect, [text])
    expect(trimmed(whole)).toEqual(standardMessage(kind))
    expect(whole.filter(({ type }) => type === 'notice')).toEqual([])
    for (const at of someOf(splitsOf(text), 3)) {
      expect(trimmed(read(dialect, [text.slice(0, at), text.slice(at)]))).toEqual(standardMessage(kind))
    }
    expect(trimmed(read(dialect, [...text]))).toEqual(standardMessage(kind))
  })

  test.each(said)('renders %s as the template does', (kind, text) => {
    expect(dialect.renderReply(partsOf(kind, one), standardTools)?.trim()).toBe(text.trim())
  })

  test.each([
    ['unsaid', undefined],
    ['on', true],
    ['off', false],
  ] as const)('knows what the prompt begins, reasoning %s', (thinking, reasoning) => {
    const prompt = dialect.safeRenderPrompt(conversation(undefined, reasoning))
    if (prompt.type === 'error') throw new Error(prompt.message)
    expect(prompt.begun.trim()).toBe(afterHeader(one.begun[thinking]).trim())
    expect(prompt.text.endsWith(prompt.begun)).toBe(true)
  })

  test('writes the same prompt in pieces', async () => {
    const asked = conversation(partsOf('both', one), true)
    const continued = { continueReply: 'text' as const }
    expect(await dialect.safeRenderPromptInPieces(asked, continued)).toEqual(dialect.safeRenderPrompt(asked, continued))
    expect(await dialect.safeRenderPromptInPieces(conversation())).toEqual(dialect.safeRenderPrompt(conversation()))
  })

  test.each(['a', '>', 'think', 'assistant'])('is not led astray by a user who says %s', (text) => {
    const asked: Conversation = { ...conversation(), turns: [{ role: 'user', parts: [{ type: 'text', text }] }] }
    const prompts = [conversation(), asked].map((one) => dialect.safeRenderPrompt(one))
    const [usual, short] = prompts.map((prompt) => (prompt.type === 'error' ? prompt.message : prompt.begun))
    expect(short).toBe(usual)
  })

  test('goes on with a text that was begun', () => {
    const parts = [{ type: 'text' as const, text: 'Let me ' }]
    const prompt = dialect.safeRenderPrompt(conversation(parts), { continueReply: 'text' })
    if (prompt.type === 'error') throw new Error(prompt.message)
    expect(prompt.text.endsWith('Let me ')).toBe(true)
    const both = afterHeader(one.written.both)
    const rest = both.slice(both.indexOf('look.'))
    // If a template writes text after calls, no calls follow a text that was begun.
    const message = standardMessage(rest === 'look.' ? 'text' : 'both')
    expect(trimmed(read(dialect, [rest], { begun: prompt.begun, givesBegun: true }))).toEqual(message)
    expect(trimmed(read(dialect, [rest], { begun: prompt.begun }))).toEqual({ ...message, text: 'look.' })
  })

  test('has an engine show all that may stand around reasoning and text', () => {
    const { content, reasoning } = dialect.analysis
    const markers = [reasoning.open, reasoning.close, content.open, content.close].map((marker) => marker.trim())
    const tokens = markers.filter((marker) => marker.length >= 3)
    expect(dialect.preservedTokens).toEqual(expect.arrayContaining(tokens))
    const found = dialect.grammar({ tools: standardTools, toolChoice: { type: 'required' }, parallelCalls: true })
    expect(found?.preservedTokens).toEqual(expect.arrayContaining(tokens))
  })

  test('constrains a demanded call to what the model writes', () => {
    const prompt = dialect.safeRenderPrompt(conversation(undefined, false))
    if (prompt.type === 'error') throw new Error(prompt.message)
    const request = { tools: standardTools, parallelCalls: true, begun: prompt.begun, reasoning: false }
    const grammar = dialect.grammar({ ...request, toolChoice: { type: 'required' } })
    const calls = afterHeader(one.written.calls)
    const written = calls.startsWith(prompt.begun) ? calls.slice(prompt.begun.length) : calls
    expect(grammar?.isLazy).toBe(false)
    const parsed = parseGbnf(grammar?.grammar ?? '')
    expect([written, admits(parsed, written.trim())]).toEqual([written, true])
    expect(admitsPrefix(parsed, 'No, I will not.\n\nNever.')).toBe(false)
    const lazy = dialect.grammar({ ...request, toolChoice: { type: 'auto' } })
    expect(lazy?.isLazy).toBe(true)
    expect(lazy?.triggers.length).toBeGreaterThan(0)
    expect(dialect.grammar({ ...request, tools: [], toolChoice: { type: 'auto' } })).toBeUndefined()
  })
})

test('a text that goes on is none of the reasoning that only its end tells from text', () => {
  const dialect = testDialect({
    source: `{% for m in messages %}{% if m.role == 'assistant' %}[bot]
{% if m.reasoning_content and loop.last %}{{ m.reasoning_content }}
[ANSWER]
{% endif %}{{ m.content }}[stop]{% else %}[{{ m.role }}]{{ m.content }}{% endif %}{% endfor %}
{%- if add_generation_prompt %}[bot]
My thoughts:
{% endif %}`,
    specialTokens: {},
  })
  expect(dialect.analysis.reasoning).toMatchObject({ mode: 'delimiter', open: '', close: '[ANSWER]' })
  const prompt = dialect.safeRenderPrompt(conversation([{ type: 'text', text: 'Let me ' }]), { continueReply: 'text' })
  if (prompt.type === 'error') throw new Error(prompt.message)
  expect(prompt.begun).toBe('[ANSWER]\nLet me ')
  const message = trimmed(read(dialect, ['look.'], { begun: prompt.begun, givesBegun: true }))
  expect(message).toEqual({ reasoning: '', text: 'Let me look.', calls: [] })
})

test.each([
  ['goes on with', 'all\nHello', 'Hello'],
  ['does not go on with', 'Hello', 'Hello'],
])('a marker that the prompt has begun and the model %s is no text', (_, written, text) => {
  const recipientLines = testTemplates.find(({ name }) => name === 'recipient-lines')
  if (!recipientLines) throw new Error('There is no template "recipient-lines".')
  const dialect = testDialect(recipientLines)
  const begun = '>>>'
  expect(trimmed(read(dialect, [written], { begun }))).toEqual({ reasoning: '', text, calls: [] })
  expect(trimmed(read(dialect, [...written], { begun }))).toEqual({ reasoning: '', text, calls: [] })
})
