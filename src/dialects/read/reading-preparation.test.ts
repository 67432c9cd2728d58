import { beforeEach, expect, it } from 'vitest'
import { turnsDuring } from '../../../test/support/turns.ts'
import { LazyRegExp } from '../../grammar/index.ts'
import type { FormatData } from '../format/format.ts'
import { universal } from '../formats/universal.ts'
import { ReplyFormat } from './format/reply-format.ts'
import { ReadingPreparation } from './reading-preparation.ts'

/** Returns a format that nobody has prepared before. */
const fresh = (): FormatData => ({ ...universal, blocks: [...universal.blocks] })
const tools = [{ name: 'f', description: '', schema: { type: 'object' } }]

/** The source that is compiled at once, in characters. */
const mostCompiled = 1_000_000
let number = 0

/** Compiles so many characters of other expressions; those that were compiled first are let go. */
function compileOthers(characters: number): void {
  for (let count = 0; count < characters; count += 10_000)
    new LazyRegExp(`${number++} ${'x'.repeat(10_000)}`, 'y').testAt('', 0)
}

/** Other tests of the process may have prepared the same expressions. */
beforeEach(() => compileOthers(2 * mostCompiled))

it('is needed once for a text that may begin a call, and never for one that cannot', async () => {
  const format = fresh()
  const prepared = (text: string): Promise<void> | undefined => new ReadingPreparation(format, { tools }).prepare(text)
  await prepared('123')
  expect(prepared('123')).toBeUndefined()
  const preparing = prepared('a <b')
  expect(preparing).toBeInstanceOf(Promise)
  await preparing
  expect(prepared('a <b')).toBeUndefined()
})

it('is not needed again if only the expressions for other characters were let go', async () => {
  const preparation = new ReadingPreparation(fresh(), { tools })
  await preparation.prepare('[')
  compileOthers(0.85 * mostCompiled)
  const before = LazyRegExp.letGo
  await preparation.prepare('<')
  expect(LazyRegExp.letGo).toBeGreaterThan(before)
  expect(preparation.prepare('<')).toBeUndefined()
})

it('is needed again after the expressions were let go', async () => {
  const format = fresh()
  const preparation = new ReadingPreparation(format, { tools })
  await preparation.prepare('[')
  expect(preparation.prepare('[')).toBeUndefined()
  compileOthers(2 * mostCompiled)
  await preparation.prepare('[')
  const left = [...ReplyFormat.of(format).expressionsFor('[')].filter(({ isUnprepared }) => isUnprepared)
  expect(left).toEqual([])
})

it('compiles a format that was not, with a pause after each block', async () => {
  const format = { ...universal, blocks: universal.blocks.map((block) => ({ ...block })) }
  const turns = await turnsDuring(() => new ReadingPreparation(format, { tools }).prepare('123') ?? Promise.resolve())
  expect(ReplyFormat.isCompiled(format)).toBe(true)
  expect(turns).toBeGreaterThanOrEqual(format.blocks.length)
})

it('makes all long expressions for a character', async () => {
  const format = fresh()
  await new ReadingPreparation(format, { tools: [] }).prepare('[')
  const left = [...ReplyFormat.of(format).expressionsFor('[')].filter(({ isUnprepared }) => isUnprepared)
  expect(left).toEqual([])
})
