import { describe, expect, it } from 'vitest'
import { coveringTests } from '../../../../test/support/covering-tests.ts'
import { readBlock, readInPieces } from '../../../../test/support/dialects/format-reading.ts'
import { jsonFormats as formats, tools } from '../../../../test/support/dialects/json-formats.ts'
import { writeCalls } from '../../../grammar/index.ts'

/** The ids that examples have. */
const idOf: Readonly<Record<string, string>> = { 'solar-open': 'call00000' }

const testsOf = coveringTests(formats, 2)

describe.each(formats.map((format) => [format.name, format] as const))('%s', (_, format) => {
  const it = testsOf(format)
  it('reads its example without a notice', () => {
    expect(readInPieces(format.blocks, format.example, { tools })).toEqual({
      status: 'complete',
      calls: ['get_weather {"city":"Paris","days":3}'],
      notices: [],
      rest: '',
    })
  })

  it('writes its example', () => {
    const call = { name: 'get_weather', id: idOf[format.name] ?? '0', arguments: '{"city":"Paris","days":3}' }
    const [block] = format.blocks
    expect(block && writeCalls(block.tree, [call], tools)).toBe(format.example)
  })

  it('reads back two calls, one without arguments, that it writes', () => {
    const calls = [
      { name: 'get_weather', id: 'call00001', arguments: '{"city":"a \\"b\\" {c} [d] </x>"}' },
      { name: 'now', id: 'call00002', arguments: '{}' },
    ]
    const separator = format.separator ?? '\n'
    const [block] = format.blocks
    let text = block ? writeCalls(block.tree, calls, tools, { separator }) : ''
    const found: string[] = []
    while (text !== '') {
      const reading = readInPieces(format.blocks, text, { tools })
      expect(reading).toMatchObject({ status: 'complete', notices: [] })
      found.push(...reading.calls)
      text = reading.rest.slice(reading.rest.startsWith(separator) ? separator.length : 0)
    }
    expect(found).toEqual(['get_weather {"city":"a \\"b\\" {c} [d] </x>"}', 'now {}'])
  })

  it('tells no whole call of an example that a limit cuts', () => {
    for (let end = 0; end < format.example.length; end++) {
      const { calls, status } = readBlock(format.blocks, format.example.slice(0, end), { tools, cut: true })
      for (const call of calls) {
        const [, json = ''] = call.split(/ (.*)/)
        expect('{"city":"Paris","days":3}'.startsWith(json.replace(' (broken)', '')), call).toBe(true)
      }
      if (calls.length > 0 && !calls[0]?.endsWith('3}')) expect(['broken', 'more']).toContain(status)
    }
  })

  it('takes nothing where its opener is only talked about', () => {
    const opener = /^\W*\w+[^\w{]*/.exec(format.example)?.[0] ?? ''
    const text = `${opener} is how it begins`
    expect(readInPieces(format.blocks, text, { tools })).toMatchObject({ status: 'no-call', calls: [], rest: text })
  })
})

describe('what another format has after the same opener', () => {
  it.each([
    ['<tool_call>\n<function=now>\n</function>\n</tool_call>'],
    ['<tool_call>now<arg_key>a</arg_key><arg_value>b</arg_value></tool_call>'],
    ['<tool_call>[now(a=1)]</tool_call>'],
    ['<tool_calls><invoke name="now"></invoke></tool_calls>'],
    ['<function_call><tool>now</tool></function_call>'],
    ['<function=now>\n<parameter=a>\nb\n</parameter>\n</function>'],
    [
      '<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="now"></steptml:invoke><｜tool_call_end｜>',
    ],
    ['<|tool_call:start|>now\n<|tool_call:end|>'],
    ['<|channel|>analysis<|message|>I think {"a": 1}<|end|>'],
    ['<|channel|>final<|message|>Write to=functions.now in it.<|return|>'],
    ['[TOOL_CALLS] is a marker, {"a": 1} is not.'],
    ['>>> print({"a": 1})\n{"a": 1}'],
  ])('%s', (text) => {
    const blocks = formats.flatMap((format) => format.blocks)
    expect(readInPieces(blocks, text, { tools })).toMatchObject({ status: 'no-call', calls: [], rest: text })
  })

  it('is read by the first format that fits', () => {
    const blocks = formats.flatMap((format) => format.blocks)
    for (const { name, example } of formats) {
      expect([name, readInPieces(blocks, example, { tools })]).toMatchObject([
        name,
        { status: 'complete', calls: ['get_weather {"city":"Paris","days":3}'], notices: [], rest: '' },
      ])
    }
  })
})
