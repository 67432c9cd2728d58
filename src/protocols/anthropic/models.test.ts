import { describe, expect, it } from 'vitest'
import { encodeModel, encodeModelList, encodeTokenCount } from './models.ts'

describe('models', () => {
  it('are shown as the API shows them', () => {
    expect(encodeModel({ id: 'qwen3' }, 1_700_000_000)).toEqual({
      type: 'model',
      id: 'qwen3',
      display_name: 'qwen3',
      created_at: '2023-11-14T22:13:20.000Z',
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
