import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(root, 'test', 'ai-sdk-docs-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('the code in docs/ai-sdk.md runs', async () => {
  const page = readFileSync(join(root, 'docs/ai-sdk.md'), 'utf8')
  const blocks = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)
  expect(blocks).toHaveLength(2)
  // The second block continues the first.
  const code = blocks
    .join('\n')
    .replaceAll(`'anycall/ai-sdk'`, `'${root}/src/ai-sdk.ts'`)
    .replaceAll('console.log(', 'printed.push(')
  const file = join(folder, 'example.ts')
  writeFileSync(file, `const printed: unknown[] = []\n${code}\nexport { printed }\n`)
  const example: { printed: unknown[] } = await import(file)
  const [text, call, ...pieces] = [...example.printed].reverse()
  expect(text).toBe('It is sunny in Paris.')
  expect(call).toEqual({ city: 'Paris' })
  expect(pieces.length).toBeGreaterThan(1)
  expect(JSON.parse(pieces.reverse().join(''))).toEqual(call)
})
