import { describe, expect, test } from 'vitest'
import { coveringTests } from '../../../test/support/covering-tests.ts'
import { callsOf, type ReadingOptions, readPieces, textOf } from '../../../test/support/dialects/replies.ts'
import { coveringPairs, lawRuns } from '../../../test/support/draws.ts'
import { admits, derive, parseGbnf } from '../../../test/support/grammar/gbnf.ts'
import { randomOf } from '../../../test/support/grammar/random.ts'
import { schemaFault } from '../../../test/support/grammar/schema.ts'
import { tools as allTools } from '../../../test/support/grammar/tools.ts'
import { testDialect } from '../../../test/support/templates/dialect.ts'
import { promptedTemplates } from '../../../test/support/templates/prompted-templates.ts'
import { testTemplates } from '../../../test/support/templates/templates.ts'
import { type Conversation, isJsonObject, type JsonObject, type ToolChoice } from '../../conversation/index.ts'
import { eagerGrammar } from '../../grammar/index.ts'
import type { ConstraintRequest } from './reply-layout.ts'
import type { TemplateReaderOptions } from './template-reader.ts'

const draws = Math.ceil(lawRuns / 2)
const tools = allTools.filter(({ name }) => ['get_weather', 'now', 'edit', 'schedule'].includes(name))
const answer: JsonObject = {
  type: 'object',
  properties: { summary: { type: 'string' }, score: { type: 'integer', minimum: 0, maximum: 10 } },
  required: ['summary', 'score'],
}
const mayRepeat = 'arguments that the schema does not name may come twice'

type CallRequest = Partial<ConstraintRequest> & { toolChoice: ToolChoice }

const requests: readonly [string, CallRequest][] = [
  ['demanded calls', { toolChoice: { type: 'required' } }],
  ['demanded calls with text before', { toolChoice: { type: 'required' }, textBefore: true }],
  ['one demanded call', { toolChoice: { type: 'required' }, parallelCalls: false }],
  ['calls of a named tool', { toolChoice: { type: 'named', name: 'edit' } }],
  [
    'one call of a named tool with text before',
    { toolChoice: { type: 'named', name: 'now' }, textBefore: true, parallelCalls: false },
  ],
]

/** The grammar applies from the calls on, which here is the beginning of the reply. */
const free: [string, CallRequest] = ['calls that are not demanded', { toolChoice: { type: 'auto' } }]

function conversation(reasoning: boolean | undefined): Conversation {
  return {
    model: 'm',
    system: '',
    turns: [{ role: 'user', parts: [{ type: 'text', text: 'What is the weather in Paris?' }] }],
    tools: [...tools],
    toolChoice: { type: 'auto' },
    parallelCalls: true,
    stopSequences: [],
    sampling: {},
    ...(reasoning !== undefined && { reasoning: { enabled: reasoning } }),
  }
}

const templates = [...testTemplates, ...promptedTemplates]
const reasoningModes: readonly [name: string, isOn: boolean | undefined][] = [
  ['unsaid', undefined],
  ['on', true],
  ['off', false],
]
const modesOf = coveringPairs(templates, reasoningModes, { fewest: 1 })

/** Whatever a grammar admits is read as the requested call, without a notice. */
const testsOf = coveringTests(templates)

describe.each(templates)('the grammar of the template $name', (one) => {
  const test = testsOf(one)
  const dialect = testDialect(one)

  describe.each(modesOf(one))('with reasoning %s', (_, thinking) => {
    const prompt = dialect.safeRenderPrompt(conversation(thinking))
    if (prompt.type === 'error') throw new Error(prompt.message)
    const { begun } = prompt
    const base = { tools, parallelCalls: true, begun, ...(thinking === false && { reasoning: thinking }) }

    /** The texts that a grammar admits and a reader reads otherwise. */
    function drawn(request: ConstraintRequest, grammar?: string) {
      const found = dialect.grammar(request)
      if (!found) throw new Error('There is no grammar.')
      const parsed = parseGbnf(grammar ?? found.grammar)
      const { toolChoice, parallelCalls } = request
      const options: ReadingOptions & TemplateReaderOptions = {
        ...{ tools: request.tools, toolChoice, parallelCalls, begun, givesBegun: true },
        newCallId: () => 'id',
      }
      return Array.from({ length: draws }, (_, index) => {
        const text = derive(parsed, randomOf(index + 1), 20 + (240 * index) / draws)
        const { events } = readPieces(dialect, [text], options)
        const notices = events.flatMap((event) => (event.type === 'notice' ? [event.notice.code] : []))
        const isExcused = found.widened.includes(mayRepeat) && notices.length > 0
        return { text: begun + text, events, notices, isExcused }
      }).filter(({ isExcused }) => !isExcused)
    }

    for (const [what, request] of thinking === false ? [...requests, free] : requests) {
      test(`admits ${what} only`, () => checkCalls(request))
    }

    function checkCalls(request: CallRequest) {
      for (const { text, events, notices } of drawn({ ...base, ...request })) {
        const calls = callsOf(events)
        const { toolChoice } = request
        expect([text, notices, calls.length > 0]).toEqual([text, [], true])
        if (request.parallelCalls === false) expect([text, calls.length]).toEqual([text, 1])
        for (const { name, json, complete } of calls) {
          const schema = tools.find((tool) => tool.name === name)?.schema
          expect([text, complete, schemaFault(schema, JSON.parse(json))]).toEqual([text, true, undefined])
          if (toolChoice.type === 'named') expect([text, name]).toEqual([text, toolChoice.name])
        }
        // A reply that is free to call may continue after calls, if the template writes text there.
        const hasText = request.textBefore || (toolChoice.type === 'auto' && dialect.analysis.content.isAfterCalls)
        if (!hasText) expect([text, textOf(events).trim()]).toEqual([text, ''])
        if (thinking === false) expect([text, textOf(events, 'reasoning').trim()]).toEqual([text, ''])
      }
    }

    test('leaves text free where calls are, and holds those', () => {
      const request = { ...base, toolChoice: { type: 'auto' as const } }
      const found = dialect.grammar(request)
      const eager = found && eagerGrammar(found)
      if (!found || !eager) throw new Error('It cannot be written without triggers.')
      const parsed = parseGbnf(eager.grammar)
      for (const said of ["I'd say: it is 20 degrees.", 'So:\n```js\nx = {"a": [1]}\n```\n<b>Done</b>', '']) {
        const { content, reasoning } = dialect.analysis
        const wrapped = content.mode === 'always-wrapped' && !begun.includes(content.open)
        const text = wrapped ? content.open + said + content.close : said
        expect([text, admits(parsed, text)]).toEqual([text, true])
        // A text that begins as calls do can be written as well.
        const thought = reasoning.mode === 'tag-based' && begun === '' ? `${reasoning.open}Hm.${reasoning.close}` : ''
        expect([thought, admits(parsed, thought + text)]).toEqual([thought, true])
      }
      for (const { text, events } of drawn(request, eager.grammar)) {
        for (const { name, json, complete } of callsOf(events)) {
          const schema = tools.find((tool) => tool.name === name)?.schema
          expect([text, complete, schemaFault(schema, JSON.parse(json))]).toEqual([text, true, undefined])
        }
      }
    })

    test('admits an answer in JSON only', () => {
      const request = { ...base, toolChoice: { type: 'none' as const }, responseSchema: answer }
      for (const { text, events, notices } of drawn(request)) {
        expect([text, notices, callsOf(events)]).toEqual([text, [], []])
        const json = textOf(events)
        expect([text, json, isJson(json) && schemaFault(answer, JSON.parse(json))]).toEqual([text, json, undefined])
      }
    })
  })
})

/** Headers in which gpt-oss calls beside that of its template. */
const otherHeaders = [
  ['the channel of reasoning', 'to=functions.now<|channel|>analysis<|message|>{}'],
  [
    'the kind of content after a marker',
    'to=functions.now<|channel|>commentary <|constrain|>json<|message|>{}<|call|>',
  ],
  ['the recipient after the channel', '<|channel|>commentary to=functions.now<|message|>{}<|call|>'],
  [
    'the recipient after the channel of reasoning',
    '<|channel|>analysis to=functions.now <|constrain|>json<|message|>{}',
  ],
] as const

test.each(otherHeaders)("the grammar of gpt-oss's own calls admits a header with %s", (_, written) => {
  const harmonyChannels = testTemplates.find(({ name }) => name === 'harmony-channels')
  if (!harmonyChannels) throw new Error('There is no template "harmony-channels".')
  const dialect = testDialect(harmonyChannels)
  const found = dialect.grammar({ tools, toolChoice: { type: 'auto' }, parallelCalls: true })
  expect(found?.triggers.some(({ type, value }) => type === 'word' && written.startsWith(value))).toBe(true)
  expect(admits(parseGbnf(found?.grammar ?? ''), written)).toBe(true)
  const { events } = readPieces(dialect, [written], { tools: [...tools] })
  expect(callsOf(events)).toMatchObject([{ name: 'now', json: '{}', complete: true }])
})

test.each(otherHeaders)("a structural tag is triggered by gpt-oss's header with %s", (_, written) => {
  const harmonyChannels = testTemplates.find(({ name }) => name === 'harmony-channels')
  if (!harmonyChannels) throw new Error('There is no template "harmony-channels".')
  const found = testDialect(harmonyChannels).structuralTag({ tools, toolChoice: { type: 'auto' }, parallelCalls: true })
  const formats = [found?.tag.format.elements].flat().filter((one) => isJsonObject(one))
  const triggers = formats.flatMap(({ triggers }) => (Array.isArray(triggers) ? triggers.map(String) : []))
  expect(triggers.filter((trigger) => written.startsWith(trigger))).toHaveLength(1)
  // Engines take no trigger that begins with another.
  expect(triggers.filter((one) => triggers.some((other) => other !== one && one.startsWith(other)))).toEqual([])
})

test.each(testTemplates)('$name: what tells calls apart is printed once, however they begin', (one) => {
  const weather = allTools.filter(({ name }) => name === 'get_weather')
  const request: ConstraintRequest = { tools: weather, toolChoice: { type: 'auto' }, parallelCalls: true }
  const rules = (testDialect(one).grammar(request)?.grammar ?? '')
    .split('\n')
    .map((line) => line.split(' ', 1)[0] ?? '')
  expect(rules.filter((rule) => /^(call-get-weather|args-get-weather|city-arg|city-kv)-\d+$/.test(rule))).toEqual([])
})

/** With a name after it, a marker that begins as calls do is the beginning of one: no draw of a few texts shows that each time. */
test.each<[request: Partial<ConstraintRequest>, text: string, isAdmitted: boolean]>([
  [{}, 'self\nHm.\n>>>all\n>>>now\n{}', true],
  [{}, 'self Hm.>>>all >>>now\n{}', true],
  [{}, 'selfish.\n>>>all\n>>>now\n{}', false],
  [{}, 'self.\n>>>all\n>>>now\n{}', false],
  [{ toolChoice: { type: 'none' }, responseSchema: { type: 'integer' } }, 'all\n5', true],
  [{ toolChoice: { type: 'none' }, responseSchema: { type: 'integer' } }, 'all5', false],
  [{ toolChoice: { type: 'none' }, responseSchema: { type: 'integer' } }, 'self\nHm.>>>all\n5', true],
  [{ toolChoice: { type: 'none' }, responseSchema: { type: 'integer' } }, 'self\nHm.>>>all5', false],
])('a name goes on after no marker that begins as calls do: %j, %j', (request, text, isAdmitted) => {
  const recipientLines = testTemplates.find(({ name }) => name === 'recipient-lines')
  if (!recipientLines) throw new Error('There is no template "recipient-lines".')
  const dialect = testDialect(recipientLines)
  const asked = { tools, toolChoice: { type: 'required' as const }, parallelCalls: true, begun: '>>>', ...request }
  const found = dialect.grammar(asked)
  expect(admits(parseGbnf(found?.grammar ?? ''), text) === true).toBe(isAdmitted)
  const options: ReadingOptions & TemplateReaderOptions = {
    ...{ tools, toolChoice: asked.toolChoice, parallelCalls: true, begun: '>>>', newCallId: () => 'id' },
  }
  const { events } = readPieces(dialect, [text], options)
  expect(events.some(({ type }) => type === 'notice')).toBe(!isAdmitted)
})

test.each([
  ['without its section', '<|act|>now{}', true],
  ['without its section, one after the other', '<|act|>now{}<|act|>now{}<|done|>', true],
  ['in its section', '<|acts|><|act|>now{}<|/acts|>', false],
])('a call may lack its end %s', (_, written, isAdmitted) => {
  const markedStrings = testTemplates.find(({ name }) => name === 'marked-strings')
  if (!markedStrings) throw new Error('There is no template "marked-strings".')
  const dialect = testDialect(markedStrings)
  const found = dialect.grammar({ tools, toolChoice: { type: 'auto' }, parallelCalls: true })
  expect(admits(parseGbnf(found?.grammar ?? ''), written) === true).toBe(isAdmitted)
  const { events } = readPieces(dialect, [written], { tools: [...tools] })
  expect(callsOf(events).every(({ complete }) => complete)).toBe(true)
  expect(callsOf(events)).toHaveLength(written.split('now').length - 1)
  expect(events.some(({ type }) => type === 'notice')).toBe(!isAdmitted)
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
