import { describe, expect, test } from 'vitest'
import { testDialect } from '../../../test/support/templates/dialect.ts'
import { testTemplates } from '../../../test/support/templates/templates.ts'
import type { Tool } from '../../conversation/index.ts'
import { messageOf } from '../analysis/proof/read-back.ts'
import type { TemplateDialect } from './template-dialect.ts'
import type { TemplateReaderOptions } from './template-reader.ts'

const tools: readonly Tool[] = ['get_weather', 'allocate', 'selfie'].map((name) => ({
  name,
  description: '',
  schema: { type: 'object', properties: { city: { type: 'string' } } },
}))

function dialectNamed(name: string): TemplateDialect {
  const found = testTemplates.find((one) => one.name === name)
  if (!found) throw new Error(`There is no test template "${name}".`)
  return testDialect(found)
}

function readPieces(dialect: TemplateDialect, pieces: readonly string[], more: Partial<TemplateReaderOptions>) {
  const reader = dialect.createReader({ tools, toolChoice: { type: 'auto' }, parallelCalls: true, ...more })
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end('stop')]
}

/** The ways to cut a text: not at all, into single characters, and into two pieces at each place. */
function splitsOf(text: string): string[][] {
  const halves = Array.from({ length: text.length - 1 }, (_, at) => [text.slice(0, at + 1), text.slice(at + 1)])
  return [[text], [...text], ...halves]
}

/** The template opens texts with `>>>all`, thoughts with `>>>self`, and calls with `>>>` and the tool's name. */
describe('markers around text that begin like a call', () => {
  const dialect = dialectNamed('recipient-lines')

  test.each<[text: string, read: { reasoning?: string; text?: string; calls?: string[] }]>([
    ['all\n{"city": "Paris"}', { text: '{"city": "Paris"}' }],
    ['all\nSo.\n>>>all\n{"city": "Paris"}', { text: 'So.\n{"city": "Paris"}' }],
    ['self\n{"city": "Paris"}\n>>>all\nSo.', { reasoning: '{"city": "Paris"}', text: 'So.' }],
    ['allocate\n{"city": "Paris"}', { calls: ['allocate'] }],
    ['selfie\n{"city": "Paris"}', { calls: ['selfie'] }],
    ['all\nSo.\n>>>get_weather\n{"city": "Paris"}', { text: 'So.', calls: ['get_weather'] }],
    // A tool's name continues the text of a marker that closes reasoning.
    ['self\nHm.\n>>>allocate\n{"city": "Paris"}', { reasoning: 'Hm.', calls: ['allocate'] }],
    ['self\nHm.\n>>>allocate\n{}\n>>>all\nSo.', { reasoning: 'Hm.\n>>>allocate\n{}', text: 'So.' }],
    ['self\nHm.\n>>>allocate\n{}\n>>>all', { reasoning: 'Hm.\n>>>allocate\n{}' }],
    ['self\nHm.\n>>>all', { reasoning: 'Hm.' }],
    ['self\nHm.\n>>>all >>>allocate\n{}', { reasoning: 'Hm.', calls: ['allocate'] }],
  ])('%j', (text, { reasoning = '', text: said = '', calls = [] }) => {
    for (const pieces of splitsOf(text)) {
      const events = readPieces(dialect, pieces, { begun: '>>>' })
      const message = messageOf(events)
      const read = { reasoning: message.reasoning.trim(), text: message.text.trim() }
      expect([pieces, read, message.calls.map(({ name }) => name)]).toEqual([pieces, { reasoning, text: said }, calls])
      expect([pieces, events.filter(({ type }) => type === 'notice')]).toEqual([pieces, []])
    }
  })
})

/**
 * The prompt has begun a marker that the model does not continue (Functionary 3.2 does so when sampled at a high
 * temperature).
 */
test.each([
  ['\nSo.', 'So.'],
  ['\n\nSo.\n\nNow.', 'So.\n\nNow.'],
  ['>>>all\nSo.', '>>>all\nSo.'],
  ['>So.', '>So.'],
])('what is left of a marker that the model did not go on with is no text: %j', (text, said) => {
  const dialect = dialectNamed('recipient-lines')
  for (const pieces of splitsOf(text)) {
    const message = messageOf(readPieces(dialect, pieces, { begun: '>>>' }))
    expect([pieces, message.text]).toEqual([pieces, said])
  }
})

test('calls have ids of their own where the caller makes none', () => {
  const events = readPieces(dialectNamed('recipient-lines'), ['>>>get_weather\n{}\n>>>allocate\n{}'], {})
  const ids = events.flatMap((event) => (event.type === 'call-start' ? [event.id] : []))
  expect(ids).toEqual([expect.stringMatching(/^call_\w{8,}$/), expect.stringMatching(/^call_\w{8,}$/)])
  expect(new Set(ids).size).toBe(2)
})

/** The part that the prompt has begun is not text of the model, so offsets are counted without it. */
describe('places in a reply that the prompt has begun', () => {
  const dialect = dialectNamed('recipient-lines')
  const comma = ',}'
  const text = `self\nHm.\n>>>get_weather\n{"city": "Paris"${comma}`

  test.each<[what: string, options: Partial<TemplateReaderOptions>]>([
    ['as usual', {}],
    ['given out with what was begun', { givesBegun: true }],
    ['with reasoning as text', { reasoningAs: 'text' }],
    ['with calls given out whole', { delivery: 'whole' }],
  ])('%s', (_what, options) => {
    for (const pieces of splitsOf(text)) {
      const spans: [role: string, text: string][] = []
      let at = 0
      const events = readPieces(dialect, pieces, {
        ...options,
        begun: '>>>',
        trace: (role, start, end) => {
          expect(start).toBe(at)
          at = end
          const last = spans.at(-1)
          if (last?.[0] === role) last[1] += text.slice(start, end)
          else spans.push([role, text.slice(start, end)])
        },
      })
      expect(at).toBe(text.length)
      expect(spans).toEqual([
        ['marker', 'self\n'],
        ['reasoning', 'Hm.'],
        ['marker', '\n>>>'],
        ['name', 'get_weather'],
        ['marker', '\n'],
        ['argument', `{"city": "Paris"${comma}`],
      ])
      const notices = events.flatMap((event) => (event.type === 'notice' ? [event.notice] : []))
      expect(notices.map(({ code, span }) => [code, span?.[0]])).toEqual([['repaired', text.indexOf(comma) + 1]])
    }
  })
})

/** Text before a call that ends like the call's marker begins: `<` before `<|calls|>`. Readers of other formats take doubled brackets for one. */
describe('text that ends as a marker of calls begins hides no call', () => {
  const marked = testTemplates.flatMap((one) => {
    const dialect = testDialect(one)
    const call = { type: 'call' as const, id: 'Ab3cD4eF5', name: 'get_weather', arguments: '{"city":"Paris"}' }
    const written = dialect.renderReply([call], tools)?.trim() ?? ''
    const { content, reasoning } = dialect.analysis
    const others = [content.open, reasoning.open].map((marker) => marker.trim()).filter((marker) => marker !== '')
    const isMarked = /^[<\uff1c]\W?\w{2}/.test(written) && !others.some((marker) => written.startsWith(marker))
    return isMarked ? [{ name: one.name, dialect, written }] : []
  })

  test('of most templates', () => expect(marked.length).toBeGreaterThan(10))

  test.each(marked)('$name', ({ dialect, written }) => {
    const bracket = written[0] ?? ''
    for (const said of [bracket, `Now ${bracket}`]) {
      for (const pieces of splitsOf(said + written).slice(0, said.length + 12)) {
        const events = readPieces(dialect, pieces, { toolChoice: { type: 'required' } })
        const { text, calls } = messageOf(events)
        const notices = events.filter(({ type }) => type === 'notice')
        expect([pieces, text, calls.map(({ name }) => name), notices]).toEqual([pieces, said, ['get_weather'], []])
      }
    }
  })
})

/** The template's reasoning has no marker of its own: it is the text before `[FINAL]`. */
describe('text at the head of reasoning that begins like a call', () => {
  const dialect = dialectNamed('name-as-key-in-fence')
  const call = '```calls\n{"get_weather": {"city": "Paris"}}\n```'
  const unknown = call.replace('get_weather', 'unknown')

  test.each<[text: string, read: { reasoning: string; text: string; calls: string[] }]>([
    ['```callss";2```calls[FINAL]"zo"', { reasoning: '```callss";2```calls', text: '"zo"', calls: [] }],
    ['a```calls[FINAL]"zo"', { reasoning: 'a```calls', text: '"zo"', calls: [] }],
    // The marker comes within the text that a call would have taken.
    ['```calls[FINAL]"zo"', { reasoning: '```calls', text: '"zo"', calls: [] }],
    [`\`\`\`calls[FINAL]\n${call}`, { reasoning: '```calls', text: '', calls: ['get_weather'] }],
    [call, { reasoning: '', text: '', calls: ['get_weather'] }],
    [`${unknown}[FINAL]hi`, { reasoning: unknown, text: 'hi', calls: [] }],
    [`${unknown}\nHm.\n[FINAL]\n${call}`, { reasoning: `${unknown}\nHm.`, text: '', calls: ['get_weather'] }],
    [unknown, { reasoning: '', text: unknown, calls: [] }],
  ])('%j', (text, expected) => {
    for (const pieces of splitsOf(text)) {
      const { reasoning, text: said, calls } = messageOf(readPieces(dialect, pieces, {}))
      const read = { reasoning, text: said, calls: calls.map(({ name }) => name) }
      expect([pieces, read]).toEqual([pieces, expected])
    }
  })
})
