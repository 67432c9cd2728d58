import { memoize, type Tool } from '../../../src/conversation/index.ts'
import type { Block } from '../../../src/dialects/format/format.ts'
import { type CallSink, compile, Machine, ModelText } from '../../../src/grammar/index.ts'

/**
 * The result of reading a block: its calls as `name {json}` with ` (broken)` if one broke off, codes of notices, the
 * rest.
 */
export interface BlockReading {
  status: string
  calls: string[]
  notices: string[]
  rest: string
}

/** Most texts are read with the same formats, each in pieces of several sizes. */
const compiled = memoize(compile)

const anyTool: Tool = { name: 'any', description: '', schema: {} }

/** Reads the block at the beginning of a text in pieces of `size`, by the first of the formats that fits: for tests only. */
export function readBlock(
  blocks: readonly Block[],
  text: string,
  options: { tools?: readonly Tool[]; size?: number; cut?: boolean } = {},
): BlockReading {
  const { tools = [], size = text.length, cut = false } = options
  const calls: string[] = []
  const notices: string[] = []
  const toolOf = (name: string) => tools.find((tool) => tool.name === name) ?? anyTool
  const sink: CallSink = {
    name: (name) => {
      calls.push(`${name} `)
      return toolOf(name)
    },
    knows: (name, key) => Object.hasOwn(Object(toolOf(name).schema.properties), key),
    offers: (name) => toolOf(name) !== anyTool,
    toolWith: () => undefined,
    textKey: () => undefined,
    lateId: () => {},
    argument: (json) => {
      calls[calls.length - 1] += json
    },
    endCall: (complete) => {
      if (!complete) calls[calls.length - 1] += ' (broken)'
    },
    notice: (code) => notices.push(code),
  }
  const source = new ModelText()
  const programs = blocks.map(({ tree }) => compiled(tree))
  let machine = new Machine(programs[0] ?? compile({ type: 'sequence', of: [] }), source, sink)
  let next = 1
  const run = () => {
    for (;;) {
      const status = machine.read()
      const program = programs[next]
      if (status !== 'no-call' || source.offset > 0 || !program) return status
      machine = new Machine(program, source, sink)
      next++
    }
  }
  let status = 'more'
  let at = 0
  for (; at < text.length && status === 'more'; at += size) {
    source.add(text.slice(at, at + size))
    status = run()
  }
  if (status !== 'more') source.add(text.slice(at))
  source.finish(cut)
  if (status === 'more') status = run()
  return { status, calls, notices, rest: source.text.slice(source.place) }
}

/** The reading of a text, which must be the same in pieces of every size. */
export function readInPieces(
  blocks: readonly Block[],
  text: string,
  options: { tools?: readonly Tool[]; cut?: boolean } = {},
): BlockReading {
  const whole = readBlock(blocks, text, options)
  for (const size of [1, 2, 3, 7]) {
    const reading = readBlock(blocks, text, { ...options, size })
    if (JSON.stringify(reading.calls) !== JSON.stringify(whole.calls) || reading.status !== whole.status) {
      throw new Error(`In pieces of ${size}: ${JSON.stringify(reading)}; at once: ${JSON.stringify(whole)}`)
    }
  }
  return whole
}
