import { expect, test } from 'vitest'
import type { FormatData } from '../../../dialects/index.ts'
import { atOnce } from '../../../json/index.ts'
import { toolsFor } from '../probes/replies.ts'
import { recognised } from './families.ts'

function names(reads: (format: FormatData) => boolean, text: string): string[] {
  return atOnce(recognised(reads, text))
}

test('the formats that read a text are named', () => {
  const [tool] = toolsFor()
  const text = `<tool_call>\n{"name": "${tool?.name}", "arguments": {}}\n</tool_call>`
  expect(names(() => true, text)).toContain('hermes')
  expect(names(() => true, 'No call.')).toEqual([])
  expect(names(({ name }) => name === 'glm', text)).not.toContain('hermes')
})
