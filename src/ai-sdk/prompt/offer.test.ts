import type { LanguageModelV3CallOptions } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { readOffer } from './offer.ts'

type ToolList = NonNullable<LanguageModelV3CallOptions['tools']>

const look: ToolList[number] = {
  type: 'function',
  name: 'look',
  description: 'Looks',
  inputSchema: { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' },
  inputExamples: [{ input: { at: 'a' } }],
}
const search: ToolList[number] = { type: 'provider', id: 'some.search', name: 'search', args: {} }
const offer = (tools: ToolList, toolChoice?: LanguageModelV3CallOptions['toolChoice']) =>
  readOffer({ prompt: [], tools, ...(toolChoice && { toolChoice }) })

describe('offer', () => {
  it('describes functions without the name of the schema language, with their examples', () => {
    expect(offer([look]).tools).toEqual([
      { name: 'look', description: 'Looks\nExample of its arguments: {"at":"a"}', schema: { type: 'object' } },
    ])
  })

  it.each<[string, ReturnType<typeof offer>, object]>([
    ['nothing', readOffer({ prompt: [] }), { tools: [], toolChoice: { type: 'auto' }, native: {} }],
    [
      'a named function',
      offer([look], { type: 'tool', toolName: 'look' }),
      { toolChoice: { type: 'named', name: 'look' }, native: {} },
    ],
    [
      'a demand',
      offer([look, search], { type: 'required' }),
      { toolChoice: { type: 'required' }, native: { tools: [search] } },
    ],
    [
      "a provider's tool that is named",
      offer([look, search], { type: 'tool', toolName: 'search' }),
      { toolChoice: { type: 'none' }, native: { tools: [search], toolChoice: { type: 'tool', toolName: 'search' } } },
    ],
    [
      'no tool at all',
      offer([look, search], { type: 'none' }),
      { native: { tools: [search], toolChoice: { type: 'none' } } },
    ],
  ])('%s', (_, found, expected) => {
    expect(found).toMatchObject(expected)
    if ('native' in expected) expect(found.native).toEqual(expected.native)
  })
})
