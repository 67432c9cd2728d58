import { describe, expect, it } from 'vitest'
import * as entry from '../../src/index.ts'

/** Values that programs without types give by mistake. */
const cyclic: Record<string, unknown> = { type: 'object' }
cyclic.properties = { self: cyclic }
let deep: Record<string, unknown> = { type: 'string' }
for (let depth = 0; depth < 20_000; depth++) deep = { type: 'object', properties: { a: deep } }

const values: readonly (readonly [name: string, value: unknown])[] = [
  ['undefined', undefined],
  ['null', null],
  ['true', true],
  ['0', 0],
  ['5', 5],
  ['NaN', Number.NaN],
  ['a big integer', 1n],
  ['an empty text', ''],
  ['a text', 'text'],
  ['a symbol', Symbol('s')],
  ['an empty list', []],
  ['a list of null', [null]],
  ['a list of numbers', [5]],
  ['a list of objects', [{}]],
  ['an empty object', {}],
  ['an object without a prototype', Object.create(null)],
  ['a function', () => 5],
  ['a date', new Date(0)],
  ['an object that contains itself', cyclic],
  ['a tool whose schema contains itself', [{ name: 'f', parameters: cyclic }]],
  ['a tool whose schema is too deep', [{ name: 'f', parameters: deep }]],
]

const tools = ['f']
const turns = [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }]
const reading = {
  tools,
  dialect: 'hermes',
  trigger: '<<T>>',
  accept: {},
  toolChoice: { type: 'auto' },
  parallelCalls: true,
  modelIds: true,
  delivery: 'live',
  standalone: false,
  newCallId: () => 'id',
  end: 'stop',
}
const writing = { dialect: 'toolify', trigger: '<<T>>', accept: {}, toolChoice: { type: 'auto' }, parallelCalls: true }
const call = '<tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>'

type Entry = (...given: readonly unknown[]) => unknown

/** Good arguments of each function that the entry exports. */
const calls: Readonly<Record<string, readonly unknown[]>> = {
  collectReply: [(async function* () {})()],
  createReader: [reading],
  createTrigger: [{ turns, tools, system: '' }, { secret: 's' }],
  describeTools: [tools, writing],
  getDialect: ['hermes'],
  normalizeTools: [tools],
  parseToolCalls: [call, reading],
  partialArguments: ['{'],
  validateCall: [{ name: 'f', arguments: '{}' }, tools],
  writePrompt: [
    { turns, tools, listedTools: undefined, system: '', toolChoice: undefined, parallelCalls: true },
    writing,
  ],
}

const functions = Object.entries<unknown>(entry).filter(
  (pair): pair is [string, Entry] => typeof pair[1] === 'function' && !/^class /.test(String(pair[1])),
)

/** The arguments with one of them, or one member of one, replaced by each of the values; and all shorter lists. */
function* variantsOf(good: readonly unknown[]): Generator<[what: string, given: readonly unknown[]]> {
  for (const at of good.keys()) {
    yield [`${at} arguments`, good.slice(0, at)]
    const own = good[at]
    for (const [name, value] of values) {
      yield [`${name} as argument ${at}`, good.with(at, value)]
      if (typeof own !== 'object' || own === null || Array.isArray(own)) continue
      for (const key of Object.keys(own)) yield [`${name} as ${key}`, good.with(at, { ...own, [key]: value })]
    }
  }
}

async function thrownBy(use: Entry, given: readonly unknown[]): Promise<unknown> {
  try {
    await use(...given)
  } catch (error) {
    return error
  }
  return undefined
}

describe('functions of the entry that get wrong arguments throw an AnycallError or nothing', () => {
  it('is asked of all of them', () => {
    expect(functions.map(([name]) => name).sort()).toEqual(Object.keys(calls).sort())
  })

  it.each(functions)('%s', async (name, use) => {
    const wrong: string[] = []
    for (const [what, given] of variantsOf(calls[name] ?? [])) {
      const error = await thrownBy(use, given)
      if (error !== undefined && !entry.AnycallError.isInstance(error)) wrong.push(`${what}: ${String(error)}`)
    }
    expect(wrong).toEqual([])
  })
})
