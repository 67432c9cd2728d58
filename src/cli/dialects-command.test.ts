import { describe, expect, test } from 'vitest'
import { fakeReading } from '../../test/support/cli/fake-reading.ts'
import { type FakeWorld, fakeWorld } from '../../test/support/cli/fake-world.ts'
import { run } from './run.ts'

async function dialects(...args: string[]): Promise<FakeWorld & { code: number }> {
  const world = fakeWorld()
  const reading = fakeReading()
  const code = await run(['node', 'anycall', 'dialects', ...args], {
    io: world.io,
    services: { ...world.services, reading },
  })
  return Object.assign(world, { code })
}

describe('anycall dialects', () => {
  test('is a table', async () => {
    const { code, out } = await dialects()
    expect(code).toBe(0)
    expect(out).toBe(`NAME       TRIGGER  FAMILIES     SOURCE
plain      no       Plain 1      a page
triggered  yes      Triggered 2  a book

anycall dialects NAME shows one with an example.
`)
  })

  test('shows one with its example', async () => {
    const { code, out } = await dialects('triggered')
    expect(code).toBe(0)
    expect(out).toBe(`name      triggered
families  Triggered 2
source    a book
trigger   yes: calls count only after a line that is different in each conversation

A call:

  !!
  f

To read it: anycall read FILE --dialect triggered --trigger TRIGGER --tools TOOLS
`)
  })

  test('--json', async () => {
    const plain = { name: 'plain', families: 'Plain 1', source: 'a page', usesTrigger: false, example: '<call>\nf' }
    expect(JSON.parse((await dialects('--json')).out)).toMatchObject([plain, { name: 'triggered' }])
    expect(JSON.parse((await dialects('plain', '--json')).out)).toEqual(plain)
  })

  test('a name that is none', async () => {
    const { code, out, err } = await dialects('trigered')
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toBe(
      'error: there is no dialect "trigered"; did you mean triggered? run "anycall dialects" for the list\n',
    )
  })
})
