import { afterAll, expect, test, vi } from 'vitest'
import { toolsFor } from '../probes/replies.ts'
import { recognised } from './families.ts'

afterAll(() => vi.resetModules())

test('a process prepares its first analysis once, with a rest after each format', async () => {
  vi.resetModules()
  const [{ prepareAnalysis }, { formats }] = await Promise.all([
    import('./families.ts'),
    import('../../../dialects/formats/index.ts'),
  ])
  const rest = vi.fn(async () => {})
  await Promise.all([prepareAnalysis(rest), prepareAnalysis(rest)])
  await prepareAnalysis(rest)
  expect(rest).toHaveBeenCalledTimes(formats.length)
})

test('the formats that read a text are named', () => {
  const [tool] = toolsFor()
  const text = `<tool_call>\n{"name": "${tool?.name}", "arguments": {}}\n</tool_call>`
  expect(recognised(() => true, text)).toContain('hermes')
  expect(recognised(() => true, 'No call.')).toEqual([])
  expect(recognised(({ name }) => name === 'glm', text)).not.toContain('hermes')
})
