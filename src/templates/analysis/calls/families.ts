import { formats } from '../../../dialects/formats/index.ts'
import type { FormatData } from '../../../dialects/index.ts'
import { createFormatReader, Marks } from '../../../dialects/index.ts'
import { toolsFor } from '../probes/replies.ts'

/**
 * The built-in formats that read all text of a template; `sample` is a reply with calls, which excludes most others at
 * once.
 */
export function recognised(reads: (format: FormatData) => boolean, sample: string): string[] {
  if (sample === '') return []
  return formats.filter((format) => readsCalls(format, sample) && reads(format)).map(({ name }) => name)
}

const noMarks = new Marks([])
let preparing: Promise<void> | undefined

/**
 * Compiles in pieces, with a `rest` after each, what the first analysis of a process compiles: the expressions of all formats, which take
 * half a second in one step. Resolves when that is done.
 *
 * @example
 * await prepareAnalysis(pause)
 */
export function prepareAnalysis(rest: () => Promise<void>): Promise<void> {
  preparing ??= prepareFormats(rest)
  return preparing
}

/** Reads the example of each format. Its calls are refused, as their tool is none of a probe: that is enough to compile. */
async function prepareFormats(rest: () => Promise<void>): Promise<void> {
  for (const format of formats) {
    readsCalls(format, format.example)
    await rest()
  }
}

/** True if a reader of the format finds a call in the text. */
function readsCalls(format: FormatData, text: string): boolean {
  const reader = createFormatReader(format, noMarks, {
    tools: toolsFor(),
    toolChoice: { type: 'auto' },
    parallelCalls: true,
    newCallId: () => 'id',
  })
  return [...reader.push(text), ...reader.end('stop')].some(({ type }) => type === 'call-start')
}
