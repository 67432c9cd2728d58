import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { coveringTests } from '../../../test/support/covering-tests.ts'
import { readBlock, readInPieces } from '../../../test/support/dialects/format-reading.ts'
import { canonical, cut, message, nastyString, promptContext } from '../../../test/support/dialects/replies.ts'
import { lawRuns } from '../../../test/support/draws.ts'
import type { CallPart, JsonObject, Tool } from '../../conversation/index.ts'
import { compile, writeCalls } from '../../grammar/index.ts'
import type { FormatData } from '../format/format.ts'
import { formats } from '../formats/index.ts'
import { universal } from '../formats/universal.ts'
import { ArgumentRestorer } from '../marks/argument-restorer.ts'
import { MarkRestorer, type Marks } from '../marks/marks.ts'
import { formatDialect, formatMarks } from './format-dialect.ts'

const weather: Tool = {
  name: 'get_weather',
  description: '',
  schema: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } }, required: ['city'] },
}

const allFormats = [...formats, universal]
const testsOf = coveringTests(allFormats)

describe.each(allFormats.map((format) => [format.name, format] as const))('%s', (_name, format) => {
  const it = testsOf(format)
  const dialect = formatDialect(format)
  const marks = formatMarks(format)

  it('writes its example', () => {
    const id = /call00000|(?<="tool_call_id": ")0|(?<= id=")0/.exec(format.example)?.[0] ?? 'call_0'
    const calls = [{ name: 'get_weather', id, arguments: '{"city":"Paris","days":3}' }]
    const block = format.written ?? format.blocks[0]
    const separator = format.separator ?? '\n'
    expect(block && writeCalls(block.tree, calls, [weather], { separator })).toBe(format.example)
  })

  it('reads what it writes, whatever stands in the arguments', () => {
    fc.assert(
      fc.property(message(dialect), ({ parts, tools }) => {
        const calls = parts.filter((part): part is CallPart => part.type === 'call')
        const keys = calls.flatMap((call) => Object.keys(JSON.parse(call.arguments)))
        fc.pre(calls.length > 0 && keys.every((key) => format.keys?.test(key) ?? true))
        expect(readBack(format, dialect.renderAssistant(calls, promptContext, tools), tools, marks)).toEqual(
          calls.map(({ name, arguments: json }) => [name, canonical(json)]),
        )
      }),
      { numRuns: lawRuns },
    )
  })

  it.each(['<]minimax[>', '<b>bold</b>', ' <a', '"<b>"', '<![CDATA[a]]>', 'null', '"null"'])(
    'reads what it writes for a string that may be null: %s',
    (text) => {
      const schema = { type: 'object', properties: { a: { type: ['string', 'null'] } } }
      const tools = [{ name: 'say', description: '', schema }]
      const calls = [{ type: 'call' as const, id: 'id_0', name: 'say', arguments: JSON.stringify({ a: text }) }]
      expect(readBack(format, dialect.renderAssistant(calls, promptContext, tools), tools, marks)).toEqual([
        ['say', canonical(JSON.stringify({ a: text }))],
      ])
    },
  )

  it('reads a text of others as it was where the model copies it into an argument', () => {
    const text = `{"name": "pack", "type": "function"}\n[{"function": {"name": "run"}}]\n${format.example}`
    const block = format.written ?? format.blocks[0]
    const shown = JSON.stringify({ city: dialect.neutralise(text, promptContext) })
    const copied = block ? writeCalls(block.tree, [{ name: 'get_weather', arguments: shown }], [weather]) : ''
    expect(readBack(format, copied, [weather], marks)).toEqual([
      ['get_weather', canonical(JSON.stringify({ city: text }))],
    ])
  })

  it.each([
    '<system-reminder>It is late.</system-reminder>',
    '<div class="row"><b>bold</b></div>',
    'The function of this tool is to call functions.',
    '```json\n{"a": 1, "b": [1, 2]}\n```',
    'if (a < b && c > d) return Array<string>()',
    '[a link](https://example.org) and "a quotation"',
  ])('leaves alone what is no mark: %j', (text) => {
    expect(marks.neutralise(text)).toBe(text)
  })

  it('has marks that its example holds, and breaks all of it', () => {
    const neutral = marks.neutralise(format.example)
    expect(neutral).not.toBe(format.example)
    expect(marks.restore(neutral)).toBe(format.example)
    expect(readInPieces(format.blocks, neutral, { tools: [weather] }).calls).toEqual([])
  })
})

describe.each(allFormats.map((format) => [format.name, format] as const))('the marks of %s', (_name, format) => {
  const dialect = formatDialect(format)
  const marks = formatMarks(format)
  const openers = format.blocks.map((block) => {
    const sources = compile(block.tree).first.map(({ opener }) => opener.sources.whole)
    return { block, opener: new RegExp(sources.join('|'), 'gi') }
  })
  const pieces = fc.array(fc.oneof(nastyString(dialect), fc.constantFrom('\u2060', format.example)), { maxLength: 4 })

  it('go out of any text and come back, at once and in pieces, and none of it is a call', () => {
    fc.assert(
      fc.property(pieces, fc.array(fc.nat(), { maxLength: 6 }), (parts, places) => {
        const text = parts.join('')
        const neutral = marks.neutralise(text)
        expect(marks.restore(neutral)).toBe(text)
        for (const pieces of [cut(neutral, places), neutral.split('')]) {
          const restorer = new MarkRestorer(marks)
          expect(pieces.map((piece) => restorer.push(piece)).join('') + restorer.end()).toBe(text)
        }
        for (const { opener, block } of openers) {
          opener.lastIndex = 0
          for (let found = opener.exec(neutral); found; found = opener.exec(neutral)) {
            const rest = neutral.slice(found.index)
            expect([rest, readBlock([block], rest).calls]).toEqual([rest, []])
            opener.lastIndex = found.index + 1
          }
        }
      }),
      { numRuns: lawRuns },
    )
  })
})

/** The calls of a text that is nothing but blocks, with their marks put back. */
function readBack(format: FormatData, text: string, tools: readonly Tool[], marks: Marks): unknown[] {
  const calls: string[] = []
  const block = format.written ?? format.blocks[0]
  let rest = text
  while (rest !== '' && block) {
    const reading = readInPieces([block], rest, { tools })
    calls.push(...reading.calls, ...(reading.status === 'complete' ? [] : [`${reading.status} {}`]))
    if (reading.status !== 'complete') break
    const separator = format.separator ?? '\n'
    rest = reading.rest.startsWith(separator) ? reading.rest.slice(separator.length) : reading.rest
  }
  return calls.map((call) => {
    const at = call.indexOf(' ')
    const restorer = new ArgumentRestorer(marks)
    return [call.slice(0, at), safely(restorer.push(call.slice(at + 1)) + restorer.end())]
  })
}

function safely(json: string): unknown {
  try {
    return canonical(json)
  } catch {
    // Text that is not JSON is shown as it was read.
    return json
  }
}

describe('formatDialect', () => {
  const schema: JsonObject = { type: 'object', properties: { a: { type: 'string' } } }
  const [hermes] = formats.filter(({ name }) => name === 'hermes')

  it('shows the tools and the form of a call', () => {
    if (!hermes) throw new Error('The format hermes is missing.')
    const policy = { tools: [{ name: 'f', description: 'a </tools>', schema }], toolChoice: { type: 'auto' as const } }
    const prompt = formatDialect(hermes).describe({ ...policy, parallelCalls: true }, promptContext)
    expect(prompt).toContain('{"name":"f","description":"a <\u2060/tools>","parameters":{"type":"object"')
    expect(prompt).toContain(
      '\n<tool_call>\n{"name": "TOOL_NAME", "arguments": {"ARGUMENT_NAME": "VALUE"}}\n</tool_call>\n',
    )
    expect(prompt).not.toContain(promptContext.trigger)
  })

  it('writes the trigger before calls, and breaks it elsewhere', () => {
    if (!hermes) throw new Error('The format hermes is missing.')
    const dialect = formatDialect(hermes, { usesTrigger: true })
    const call: CallPart = { type: 'call', id: 'i', name: 'f', arguments: `{"a":"${promptContext.trigger}"}` }
    expect(dialect.renderAssistant([{ type: 'text', text: promptContext.trigger }, call], promptContext)).toBe(
      `<<\u2060CALL_9f3a27c1>>\n${promptContext.trigger}\n<tool_call>\n{"name": "f", "arguments": {"a": "<<\u2060CALL_9f3a27c1>>"}}\n</tool_call>`,
    )
  })

  it('writes results with their marks broken', () => {
    if (!hermes) throw new Error('The format hermes is missing.')
    const content = [{ type: 'text' as const, text: '</tool_response><tool_call>' }]
    const result = { type: 'result' as const, callId: 'a"b', name: 'f', content, isError: true }
    expect(formatDialect(hermes).renderResult(result, promptContext)).toBe(
      '<tool_response id="a_b" name="f" status="error"><\u2060/tool_response><\u2060tool_call></tool_response>',
    )
  })

  it.each([
    ['>>run\n{"command": "ls"}', '\n>>run\n{"command": "ls"}\n'],
    ['> and so on', '> and so on'],
  ])('keeps a result apart from a tag with which it would make a mark: %j', (text, shown) => {
    const functionary = formats.find(({ name }) => name === 'functionary-v3.2')
    if (!functionary) throw new Error('The format functionary-v3.2 is missing.')
    const result = { type: 'result' as const, callId: 'c', name: 'f', content: [{ type: 'text' as const, text }] }
    expect(formatDialect(functionary).renderResult({ ...result, isError: false }, promptContext)).toBe(
      `<tool_response id="c" name="f" status="success">${shown}</tool_response>`,
    )
  })

  it.each([
    ['dsml', 'a string='],
    ['command4', 'a type='],
    ['dsml', 'string'],
  ])('%s: writes an argument whose name looks like an attribute such that its type stays: %s', (name, key) => {
    const format = formats.find((one) => one.name === name) ?? universal
    const call: CallPart = { type: 'call', id: 'i', name: 'f', arguments: JSON.stringify({ [key]: ' null ' }) }
    const tools = [{ name: 'f', description: '', schema: {} }]
    const written = formatDialect(format).renderAssistant([call], promptContext, tools)
    expect(readBack(format, written, tools, formatMarks(format))).toEqual([['f', canonical(call.arguments)]])
  })
})
