import { describe, expect, test } from 'vitest'
import { isThorough, someOf } from '../../../test/support/draws.ts'
import type { CallPart, Tool } from '../../conversation/index.ts'
import { type Dialect, dialects, getDialect, type Reader, type ReaderOptions } from '../../dialects/index.ts'
import type { UpstreamEvent } from '../../upstreams/upstream.ts'
import { trimOverlap } from './continuation.ts'
import { type CutReply, findOverlap, lookahead, type Overlap } from './continuation-overlap.ts'

const tools: Tool[] = ['write', 'read'].map((name) => ({
  name,
  description: '',
  schema: {
    type: 'object',
    properties: { path: { type: 'string' }, text: { type: 'string' }, n: { type: 'integer' } },
  },
}))

const trigger = '<<GO>>'

/** The text as a cut reply, if it ends within a call. */
function cutIn(dialect: Dialect, text: string): CutReply | undefined {
  const promptContext = dialect.usesTrigger ? { trigger } : {}
  const policy: ReaderOptions = { tools, toolChoice: { type: 'auto' }, parallelCalls: true, ...promptContext }
  const newReader = (): Reader => dialect.createReader(policy)
  const reader = newReader()
  reader.push(text)
  const { openCallAt } = reader
  return openCallAt === undefined ? undefined : { text, openCallAt, newReader }
}

function written(name: string, text: string): CutReply {
  const dialect = getDialect(name)
  const before = dialect && cutIn(dialect, text)
  if (!before) throw new Error(`in ${name} no call is open in ${JSON.stringify(text)}`)
  return before
}

/** The part of a continuation that is kept; undefined if it does not fit. */
function kept(before: CutReply, text: string): string | undefined {
  const overlap = findOverlap(before, text, true)
  return typeof overlap === 'number' ? text.slice(overlap) : undefined
}

const end = '"}}\n</tool_call>'
const call = `<tool_call>\n{"name": "write", "arguments": {"path": "Paris in spring${end}`
const cut = call.slice(0, call.indexOf('is in'))
const rest = call.slice(cut.length)
const argument = `<tool_call>\n<function=write>\n<parameter=text>\n`
const filler = 'Nothing of this came before. '.repeat(12)

describe('hermes: a continuation', () => {
  const fitting: [what: string, before: string, text: string, kept: string][] = [
    ['that goes on', cut, rest, rest],
    ['that goes on with a space', cut, ` and${end}`, ` and${end}`],
    ['that goes on, long', cut, `is. ${filler}${end}`, `is. ${filler}${end}`],
    ['that closes what is whole', call.slice(0, -end.length), end, end],
    ['that closes it badly', cut, 'is"}\n</tool_call>', 'is"}\n</tool_call>'],
    ['with a second call after it', cut, `${rest}\n${call}`, `${rest}\n${call}`],
    ['with the call anew', cut, call, rest],
    ['with the call anew after white space', cut, `\n\n${call}`, rest],
    ['with all of the reply anew', `I will write it.\n${cut}`, `I will write it.\n${call}`, rest],
    ['with the call anew, long', cut + filler, call.replace('is in', `${filler}is in`), rest],
    ['with the call anew after its marker alone', '<tool_call>', call, call.slice('<tool_call>'.length)],
    ['with a whole call anew', call.slice(0, call.indexOf('}\n</')), call, '}\n</tool_call>'],
    ['with the value anew', cut, `Paris in spring${end}`, rest],
    ['with the argument anew', cut, `"path": "Paris in spring${end}`, rest],
    ['with the word anew', `${cut}is in spr`, `spring${end}`, `ing${end}`],
    ['that thinks first', cut, `<think>So.</think>\n${rest}`, rest],
    ['that thinks for long first', cut, `\n<think>\n${filler}\n</think>\n\n${call}`, rest],
    ['that thinks in another form', cut, `[THINK]So.[/THINK]${rest}`, rest],
    // A repetition that the text itself may contain is kept.
    ['with a row like the last', `${cut}<td></td>`, `<td></td>${end}`, `<td></td>${end}`],
    ['with less indentation', `${cut}\\n        </p>\\n`, `      </p>\\n${end}`, `      </p>\\n${end}`],
    ['of a pattern', `${cut}abcabc`, `abcabc${end}`, `abcabc${end}`],
    ['of digits', `${cut} 100`, `100${end}`, `100${end}`],
    ['of half a word', `${cut}can`, `scan${end}`, `scan${end}`],
    ['of a model that escapes no line breaks', `${cut}\n`, `a\nb${end}`, `a\nb${end}`],
  ]
  test.each(fitting)('%s', (_, before, text, expected) => expect(kept(written('hermes', before), text)).toBe(expected))

  const unfit: [what: string, before: string, text: string][] = [
    ['of nothing', cut, ''],
    ['of thought alone', cut, '<think>So.</think>'],
    ['of thought without end', cut, '<think>So. '],
    ['that repeats and says no more', cut, cut],
    ['that repeats not all', `${cut}is in spring`, cut],
    ['with another call', cut, call.replace('write', 'read')],
    ['with the call in other words', cut, call.replace('Paris', 'Rome')],
    ['with other arguments', cut, `{"path": "Rome${end}`],
    ['with a preamble', cut, `Sure, continuing:\n${rest}`],
    ['in a fence', cut, `\`\`\`json\n${rest}\n\`\`\``],
    ['of prose in a string', cut, `I am sorry.\n\nI did not mean to stop. ${filler}`],
    ['of prose in the place of JSON', '<tool_call>\n{"name": "write", "arguments": ', `The arguments are ${filler}`],
    ['of prose in the place of a member', `${cut}", `, `I go on with the number: "n": 1${end}`],
    ['of prose in the place of the name', '<tool_call>\n{"name": "wri', `Of course, the name is "write"${end}`],
  ]
  test.each(unfit)('%s does not fit', (_, before, text) =>
    expect(kept(written('hermes', before), text)).toBeUndefined(),
  )

  const all = [...fitting, ...unfit].map(([what, before, text]) => ({ what, before, text }))
  test.each(all)('$what: what is said of its beginning stays true', ({ before, text }) => {
    const from = written('hermes', before)
    const overlaps: Overlap[] = [...text].map((_, length) => findOverlap(from, text.slice(0, length), false))
    const told = new Set(overlaps.filter((overlap) => overlap !== 'more'))
    expect([...told, findOverlap(from, text, true)].every((overlap, _, [first]) => overlap === first)).toBe(true)
  })
})

describe('qwen3-coder, whose strings are bare: a continuation', () => {
  const fitting: [what: string, before: string, text: string, kept: string][] = [
    ['that goes on', `${argument}One`, ' two\n</parameter>', ' two\n</parameter>'],
    ['with the call anew', `${argument}One`, `${argument}One two`, ' two'],
    [
      'with a fence of a text that has some',
      `${argument}A:\n\`\`\`\na\n\`\`\`\nB:\n`,
      '```js\nb\n```',
      '```js\nb\n```',
    ],
  ]
  test.each(fitting)('%s', (_, before, text, expected) =>
    expect(kept(written('qwen3-coder', before), text)).toBe(expected),
  )

  test.each<[what: string, text: string]>([
    ['in a fence', '```\n two\n```'],
    ['with another call', `${argument.replace('write', 'read')} two`],
  ])('%s does not fit', (_, text) => expect(kept(written('qwen3-coder', `${argument}One`), text)).toBeUndefined())

  test('with a sentence before it is taken as it comes: a string without quotes may contain any', () =>
    expect(kept(written('qwen3-coder', `${argument}One`), "Here's the rest:\n\n two")).toBe("Here's the rest:\n\n two"))
})

/** With a trigger, in JSON, and in tags; a thorough run takes all dialects. */
const someDialects = dialects.filter(({ name }) => isThorough || ['toolify', 'hermes', 'qwen3-coder'].includes(name))

describe.each(someDialects)('$name: calls that are cut', (dialect) => {
  const inputs = ['{"path": "a/b.txt", "text": "One \\"two\\"\\n  three, four; {five}", "n": 12}', '{"path": "c"}']
  const calls = inputs.map((json): CallPart => ({ type: 'call', id: 'x1', name: 'write', arguments: json }))
  const text = `So.\n${dialect.renderAssistant(calls, { trigger }, tools)}`
  const places = someOf(Array.from(text, (_, at) => at)).flatMap((at) => {
    const before = cutIn(dialect, text.slice(0, at))
    return before ? [{ at, before }] : []
  })

  test('fit anywhere what goes on with them', () => {
    expect(places.length).toBeGreaterThan(isThorough ? 40 : 10)
    for (const { at, before } of places) expect([at, kept(before, text.slice(at))]).toEqual([at, text.slice(at)])
  })

  test('fit the reply anew', () => {
    for (const { at, before } of places) expect([at, kept(before, text)]).toEqual([at, text.slice(at)])
  })
})

describe('trimOverlap', () => {
  const texts = (...pieces: string[]): UpstreamEvent[][] => pieces.map((text) => [{ type: 'text', text }])
  const finish: UpstreamEvent = { type: 'finish', reason: 'stop' }

  async function read(batches: UpstreamEvent[][]): Promise<UpstreamEvent[]> {
    async function* generation() {
      yield* batches
    }
    const events: UpstreamEvent[] = []
    for await (const batch of trimOverlap(generation(), written('hermes', cut))) events.push(...batch)
    return events
  }
  const textOf = (events: UpstreamEvent[]): string =>
    events.map((event) => (event.type === 'text' ? event.text : '')).join('')

  test.each([1, 3, 50, 1000])('gives the same of pieces of %i characters', async (size) => {
    const long = call.replace('is in', `is, ${filler}${filler}in`)
    const pieces = long.match(new RegExp(`.{1,${size}}`, 'gs')) ?? []
    expect(textOf(await read([...texts(...pieces), [finish]]))).toBe(long.slice(cut.length))
  })

  test('holds no more than the beginning', async () => {
    const more = 'x'.repeat(lookahead)
    const events = await read([...texts(more, 'y', 'z'), [finish]])
    expect(events).toEqual([...texts(more, 'y', 'z').flat(), finish])
  })

  test('leaves out reasoning, which would end the call', async () => {
    const usage: UpstreamEvent = { type: 'usage', usage: { outputTokens: 3 } }
    const events = await read([[{ type: 'reasoning', text: 'Hm.' }], ...texts(rest), [usage, finish]])
    expect(events).toEqual([usage, { type: 'text', text: rest }, finish])
  })

  test('throws where the model begins anew', async () => {
    await expect(read([...texts(`Sure, continuing:\n${rest}`), [finish]])).rejects.toThrow('It started again')
  })
})
