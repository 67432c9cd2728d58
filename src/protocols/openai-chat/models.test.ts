import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../conversation/index.ts'
import { encodeModel, encodeModelList } from './models.ts'

const clientOf = (body: JsonValue): OpenAI => new OpenAI({ apiKey: 'k', fetch: async () => Response.json(body) })

describe('models', () => {
  it('are listed for the openai package', async () => {
    const page = await clientOf(encodeModelList([{ id: 'a' }, { id: 'b/c:d' }])).models.list()
    expect(page.object).toBe('list')
    expect(page.data.map((model) => model.id)).toEqual(['a', 'b/c:d'])
  })

  it('are listed when there are none', async () => {
    expect((await clientOf(encodeModelList([])).models.list()).data).toEqual([])
  })

  it('have each field that the API promises', () => {
    expect(encodeModel({ id: 'a' })).toEqual({ id: 'a', object: 'model', created: 0, owned_by: 'anycall' })
  })
})
