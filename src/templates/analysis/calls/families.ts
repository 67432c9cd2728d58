import { formats } from '../../../dialects/formats/index.ts'
import type { FormatData } from '../../../dialects/index.ts'
import { createFormatReader, Marks } from '../../../dialects/index.ts'
import type { Steps } from '../../../json/index.ts'
import { toolsFor } from '../probes/replies.ts'

/**
 * The built-in formats that read all text of a template; `sample` is a reply with calls, which excludes most others at
 * once.
 */
export function* recognised(reads: (format: FormatData) => boolean, sample: string): Steps<string[]> {
  if (sample === '') return []
  const names: string[] = []
  for (const format of formats) {
    if (readsCalls(format, sample) && reads(format)) names.push(format.name)
    yield
  }
  return names
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
