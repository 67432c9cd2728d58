import type { CallPart, Tool } from '../../conversation/index.ts'
import { writeCalls } from '../../grammar/index.ts'
import type { FormatData } from '../format/format.ts'
import type { Marks } from '../marks/marks.ts'

/**
 * Calls as a format writes them, in the block that its prompts show. `marks` are broken in the texts of the arguments.
 * Empty for a format that has no block.
 */
export function writeInFormat(
  { written, blocks, separator }: FormatData,
  calls: readonly Omit<CallPart, 'type'>[],
  tools: readonly Tool[],
  marks?: Marks,
): string {
  const block = written ?? blocks[0]
  if (!block) return ''
  return writeCalls(block.tree, calls, tools, {
    ...(separator !== undefined && { separator }),
    ...(marks && { neutralise: (content: string) => marks.neutralise(content) }),
  })
}
