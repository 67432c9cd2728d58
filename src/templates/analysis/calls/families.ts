import { formats } from '../../../dialects/formats/index.ts'
import type { FormatData } from '../../../dialects/index.ts'
import { createFormatReader, Marks } from '../../../dialects/index.ts'
import { toolsFor } from '../probes/replies.ts'

/** The built-in formats that read whatever a template writes; `sample` is a reply with calls, which tells at once which do not. */
export function recognised(reads: (format: FormatData) => boolean, sample: string): string[] {
  if (sample === '') return []
  return formats.filter((format) => readsCalls(format, sample) && reads(format)).map(({ name }) => name)
}

const noMarks = new Marks([])

/** True where a reader of the format takes something of the text for a call. */
function readsCalls(format: FormatData, text: string): boolean {
  const reader = createFormatReader(format, noMarks, {
    tools: toolsFor(),
    toolChoice: { type: 'auto' },
    parallelCalls: true,
    newCallId: () => 'id',
  })
  return [...reader.push(text), ...reader.end('stop')].some(({ type }) => type === 'call-start')
}
