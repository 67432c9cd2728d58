import { memoize, type Tool } from '../../conversation/index.ts'
import type { Expression } from '../../grammar/index.ts'
import type { AcceptOptions, Reader, ReaderOptions } from '../format/dialect.ts'
import type { Block, NamedCalls } from '../format/format.ts'
import { bareJson } from '../formats/json/bare-json.ts'
import type { Marks } from '../marks/marks.ts'
import { readableBlockOf } from './format/readable-block.ts'
import { type ReadableFormat, ReplyFormat } from './format/reply-format.ts'
import type { CallGate } from './names/call-gate.ts'
import { type CallsByName, namedCalls } from './names/named-calls.ts'
import { ReplyReader } from './reply/reader.ts'
import { StandaloneReader } from './standalone-reader.ts'

/**
 * Returns a reader for one reply in a format; `marks` are those that were neutralised in the prompt. Readers of parts of one
 * reply share a `gate`, so that its limits count for the whole reply; a standalone reader has its own.
 */
export function createFormatReader(
  data: ReadableFormat,
  marks: Marks,
  options: ReaderOptions,
  gate?: CallGate,
): Reader {
  const { accept = {}, tools } = options
  // An empty trigger would occur everywhere, and counts as none.
  const trigger = options.trigger === '' ? undefined : options.trigger
  const format = ReplyFormat.of(data).with(callsByName(data, tools, accept).blocks)
  if (options.standalone) {
    const json = (reading: ReaderOptions) => new ReplyReader(format, marks, reading, trigger)
    const byName = namedCalls(tools, { ...wantedCalls(data, accept), bareJson: false })
    const markedFormat = ReplyFormat.of(markedOnly(data)).with(byName.blocks)
    const marked = (reading: ReaderOptions) => new ReplyReader(markedFormat, marks, reading, trigger)
    return new StandaloneReader({ json, marked }, options, marks)
  }
  // A call that a sentence announces may turn out not to be one, and is then text.
  const delivery = accept.naturalLanguage ? 'whole' : options.delivery
  return new ReplyReader(format, marks, { ...options, ...(delivery && { delivery }) }, trigger, gate)
}

/** The options that select the calls without a marker that are read. */
export type UnmarkedCalls = Pick<AcceptOptions, 'looseCalls' | 'naturalLanguage'>

/** Returns the blocks and marks of the calls that a reader of the format finds by the names of the tools. */
export function callsByName(data: ReadableFormat, tools: readonly Tool[], options: UnmarkedCalls): CallsByName {
  return namedCalls(tools, wantedCalls(data, options))
}

function wantedCalls(data: ReadableFormat, options: UnmarkedCalls): NamedCalls {
  return options.looseCalls || options.naturalLanguage ? callsIn(data, options) : certainCalls(data)
}

const certainCalls = memoize((data: ReadableFormat) => callsIn(data, {}))

function callsIn(data: ReadableFormat, { looseCalls = false, naturalLanguage = false }: UnmarkedCalls): NamedCalls {
  return {
    ...data.namedCalls,
    loose: looseCalls,
    naturalLanguage,
    bareJson: naturalLanguage && !hasBareJson(data.blocks),
  }
}

const hasBareJson = memoize((blocks: readonly Block[]) => blocks.some((block) => bareJson.includes(block)))

const marked = new WeakMap<readonly Block[], ReadableFormat>()

/** The format without calls that are JSON and nothing else. */
function markedOnly(data: ReadableFormat): ReadableFormat {
  let format = marked.get(data.blocks)
  if (!format) {
    format = { ...data, blocks: data.blocks.filter((block) => !isBare(block)) }
    marked.set(data.blocks, format)
  }
  return format
}

function isBare(block: Block): boolean {
  const { first } = readableBlockOf(block).program
  const isBracketed = first.every(
    ({ firstChars }) => firstChars?.every((char) => '{[\uff5b\uff3b'.includes(char)) ?? false,
  )
  return isBracketed || isBareJson(block.tree)
}

/** True for bare JSON. Tags that may surround it, `<tools>`, are no marks. */
function isBareJson(tree: Expression): boolean {
  if (tree.type === 'sequence') return tree.of.some(isBareJson)
  if (tree.type === 'repeat') return isBareJson(tree.of)
  return tree.type === 'json' && tree.isBare
}
