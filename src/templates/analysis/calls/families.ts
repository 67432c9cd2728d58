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
