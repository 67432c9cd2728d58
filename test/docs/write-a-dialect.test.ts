import { afterAll, expect, test } from 'vitest'
import { blockRunner, blocks, page, printingBlocks, shownLines } from '../support/doc-blocks.ts'

const { lines, remove } = blockRunner('write-a-dialect')
afterAll(remove)

const text = page('docs/write-a-dialect.md')
const examples = printingBlocks(text)

test('each block of code in docs/write-a-dialect.md is followed by what it prints', () => {
  expect(examples).toHaveLength(blocks(text, 'ts').length)
  expect(examples.length).toBeGreaterThan(3)
})

test.each(examples.map((example, index) => [index + 1, example] as const))(
  'block %d of docs/write-a-dialect.md prints what the page says',
  async (index, { code, output }) => {
    expect(await lines(code, `block-${index}`)).toEqual(shownLines(output))
  },
)
