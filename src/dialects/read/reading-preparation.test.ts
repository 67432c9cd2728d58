import { expect, it } from 'vitest'
import type { FormatData } from '../format/format.ts'
import { universal } from '../formats/universal.ts'
import { ReadingPreparation } from './reading-preparation.ts'
import { ReplyFormat } from './reply/format.ts'

/** Returns a format whose expressions nobody has made or let go before. */
const fresh = (): FormatData => ({ ...universal })
const tools = [{ name: 'f', description: '', schema: { type: 'object' } }]

it('is needed once for a text that may begin a call, and never for one that cannot', async () => {
  const format = fresh()
  const prepared = (text: string): Promise<void> | undefined => new ReadingPreparation(format, { tools }).prepare(text)
  expect(prepared('123')).toBeUndefined()
  const preparing = prepared('a <b')
  expect(preparing).toBeInstanceOf(Promise)
  await preparing
  expect(prepared('a <b')).toBeUndefined()
})

it('makes all long expressions for a character', async () => {
  const format = fresh()
  await new ReadingPreparation(format, { tools: [] }).prepare('[')
  const left = [...ReplyFormat.of(format).expressionsFor('[')].filter(({ isUnprepared }) => isUnprepared)
  expect(left).toEqual([])
})
