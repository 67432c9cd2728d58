import type { FormatData } from '../../dialects/format.ts'
import { formats } from '../../dialects/formats/index.ts'
import { ReplyFormat } from '../../dialects/reply-format.ts'

/** The built-in formats that read whatever a template writes; `sample` is a reply with calls, which tells at once which do not. */
export function recognised(reads: (format: FormatData) => boolean, sample: string): string[] {
  if (sample === '') return []
  return formats.filter((format) => begins(format, sample) && reads(format)).map(({ name }) => name)
}

/** True where a block of the format begins somewhere in the text. */
function begins(format: FormatData, text: string): boolean {
  const { blocks } = ReplyFormat.of(format)
  return blocks.some(({ opener }) => new RegExp(opener.source, 'i').test(text))
}
