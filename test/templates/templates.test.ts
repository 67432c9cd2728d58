import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Conversation, Turn } from '../../src/conversation/index.ts'
import {
  detectCapabilities,
  type RenderOptions,
  safeLoadTemplate,
  safeRenderTemplate,
} from '../../src/templates/index.ts'
import { coveringTests } from '../support/covering-tests.ts'
import { partsOf, standard, standardTools, type TestTemplate, testTemplates } from '../support/templates/templates.ts'
import type { Written } from '../support/templates/written-templates.ts'

const user: Turn = { role: 'user', parts: [{ type: 'text', text: 'What is the weather in Paris?' }] }
function results({ ids }: TestTemplate): Turn {
  const parts = standard.calls.map(({ name }, at) => ({
    type: 'result' as const,
    callId: ids[at] ?? '',
    name,
    content: [{ type: 'text' as const, text: `Result ${at}.` }],
    isError: false,
  }))
  return { role: 'user', parts }
}

function render(one: TestTemplate, turns: Turn[], more: Partial<Conversation> = {}, options: RenderOptions = {}) {
  const loaded = safeLoadTemplate(one.source, { specialTokens: one.specialTokens })
  if (loaded.type === 'error') throw new Error(loaded.message)
  const conversation: Conversation = {
    model: 'm',
    system: '',
    turns,
    tools: [...standardTools],
    toolChoice: { type: 'auto' },
    parallelCalls: true,
    stopSequences: [],
    sampling: {},
    ...more,
  }
  const rendered = safeRenderTemplate(loaded.template, conversation, options)
  if (rendered.type === 'error') throw new Error(rendered.message)
  // A template of a test is whole: it takes everything as it comes.
  expect(rendered.adaptations).toEqual([])
  return rendered.text
}

const kinds: readonly (keyof Written)[] = ['text', 'calls', 'both', 'reasoning', 'all']
const noPrompt: RenderOptions = { addGenerationPrompt: false }

const testsOf = coveringTests(testTemplates, 2)

describe.each(testTemplates)('the template $name', (one) => {
  const test = testsOf(one)
  const { header, end, endBeforeResult = end, begun, written } = one
  const said = kinds.flatMap((kind): [keyof Written, string][] => {
    const text = written[kind]
    return text === undefined ? [] : [[kind, text]]
  })
  const assistant = (kind: keyof Written): Turn => ({ role: 'assistant', parts: partsOf(kind, one) })

  test.each(said)('writes %s at the end of a conversation', (kind, text) => {
    const before = render(one, [user], {}, noPrompt)
    expect(render(one, [user, assistant(kind)], {}, noPrompt)).toBe(before + header + text + end)
  })

  test.each(said.filter(([kind]) => kind !== 'text' && kind !== 'reasoning'))(
    'writes %s where results follow',
    (kind, text) => {
      const before = render(one, [user], {}, noPrompt)
      const after = render(one, [user, assistant(kind), results(one)], {}, noPrompt)
      const start = before + header + text + endBeforeResult
      expect(after.slice(0, start.length)).toBe(start)
      expect(after.slice(start.length)).toMatch(/Result 0\.[\s\S]*Result 1\./)
    },
  )

  test.each([
    ['unsaid', {}],
    ['on', { reasoning: { enabled: true } }],
    ['off', { reasoning: { enabled: false } }],
  ] as const)('begins the reply, reasoning %s', (thinking, more) => {
    const before = render(one, [user], more, noPrompt)
    expect(render(one, [user], more)).toBe(before + header + begun[thinking])
  })

  test('lists the tools', () => {
    expect(render(one, [user], {}, noPrompt)).toMatch(/get_weather[\s\S]*list_files/)
    expect(render(one, [user], { tools: [] }, noPrompt)).not.toContain('list_files')
  })

  test('shows reasoning where it is said to', () => {
    const loaded = safeLoadTemplate(one.source)
    if (loaded.type === 'error') throw new Error(loaded.message)
    expect(detectCapabilities(loaded.template).reasoning !== undefined).toBe(written.all !== undefined)
  })
})

test('every template stands in the table', () => {
  const folder = new URL('./', import.meta.url)
  const names = readdirSync(folder).flatMap((file) => /^(.*)\.jinja$/.exec(file)?.[1] ?? [])
  expect(testTemplates.map(({ name }) => name).sort()).toEqual(names.sort())
})
