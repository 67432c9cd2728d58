import { expect, it } from 'vitest'
import { universal } from '../formats/universal.ts'
import { ReadingPreparation } from './reading-preparation.ts'
import { ReplyFormat } from './reply/format.ts'

const tools = [{ name: 'f', description: '', schema: { type: 'object' } }]

it('is needed once for a text that may begin a call, and never for one that cannot', async () => {
  const prepared = (text: string): Promise<void> | undefined =>
    new ReadingPreparation(universal, { tools }).prepare(text)
  expect(prepared('123')).toBeUndefined()
  const preparing = prepared('a <b')
  expect(preparing).toBeInstanceOf(Promise)
  await preparing
  expect(prepared('a <b')).toBeUndefined()
})

it('makes all long expressions for a character', async () => {
  await new ReadingPreparation(universal, { tools: [] }).prepare('[')
  const left = [...ReplyFormat.of(universal).expressionsFor('[')].filter(({ isUnprepared }) => isUnprepared)
  expect(left).toEqual([])
})
