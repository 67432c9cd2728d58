import { expect, it } from 'vitest'
import { LazyRegExp } from '../../grammar/index.ts'
import type { FormatData } from '../format/format.ts'
import { universal } from '../formats/universal.ts'
import { ReadingPreparation } from './reading-preparation.ts'
import { ReplyFormat } from './reply/format.ts'

/** Returns a format whose expressions nobody has made or let go before. */
const fresh = (): FormatData => ({ ...universal, blocks: [...universal.blocks] })
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

/** Compiles so many other expressions that all that were compiled before are let go. */
function letAllGo(): void {
  for (let index = 0; index < 300; index++) new LazyRegExp(`${index}${'x'.repeat(10_000)}`, 'y').testAt('', 0)
}

it('is needed again after the expressions were let go', async () => {
  const format = fresh()
  const preparation = new ReadingPreparation(format, { tools })
  await preparation.prepare('[')
  expect(preparation.prepare('[')).toBeUndefined()
  letAllGo()
  await preparation.prepare('[')
  const left = [...ReplyFormat.of(format).expressionsFor('[')].filter(({ isUnprepared }) => isUnprepared)
  expect(left).toEqual([])
})

it('makes all long expressions for a character', async () => {
  const format = fresh()
  await new ReadingPreparation(format, { tools: [] }).prepare('[')
  const left = [...ReplyFormat.of(format).expressionsFor('[')].filter(({ isUnprepared }) => isUnprepared)
  expect(left).toEqual([])
})
