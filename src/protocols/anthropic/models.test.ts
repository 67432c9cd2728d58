import { describe, expect, it } from 'vitest'
import { encodeModel, encodeModelList, encodeTokenCount } from './models.ts'

describe('models', () => {
  it('have a name for people, and the length of their context, if these are known', () => {
    expect(encodeModel({ id: 'anthropic/qwen3', name: 'qwen3', contextLength: 8192 })).toMatchObject({
      id: 'anthropic/qwen3',
      display_name: 'qwen3',
      max_input_tokens: 8192,
    })
  })

  it('are shown as the API shows them', () => {
    expect(encodeModel({ id: 'qwen3' }, 1_700_000_000)).toEqual({
      type: 'model',
      id: 'qwen3',
      display_name: 'qwen3',
      created_at: '2023-11-14T22:13:20.000Z',
      lifecycle: 'active',
      deprecated_at: null,
      retires_at: null,
      capabilities: null,
      line: null,
      max_input_tokens: null,
      max_tokens: null,
    })
  })

  it('are listed on one page', () => {
    const list = encodeModelList([{ id: 'a' }, { id: 'b' }])
    expect(list).toMatchObject({ data: [{ id: 'a' }, { id: 'b' }], has_more: false, first_id: 'a', last_id: 'b' })
    expect(encodeModelList([])).toEqual({ data: [], has_more: false, first_id: null, last_id: null })
  })
})

it('a count of tokens has the name of the API', () => {
  expect(encodeTokenCount(42)).toEqual({ input_tokens: 42 })
})
