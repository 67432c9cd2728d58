import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, describe, expect, test } from 'vitest'
import { fakeWorld } from '../../../test/support/cli/fake-world.ts'
import { nimbus } from '../../../test/support/cli/template-source.ts'
import { run } from '../run.ts'

const folder = mkdtempSync(join(tmpdir(), 'anycall-template-read-'))
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

/** The prompt opens no reasoning; opens it; opens a text that holds a notice's place. */
const sources = {
  plain: file('plain.jinja', nimbus),
  opening: file('opening.jinja', nimbus.replace("('<muse>\\n' if muse_think else '')", "'<muse>\\n'")),
  closed: file('closed.jinja', nimbus.replace("('<muse>\\n' if muse_think else '')", "'<muse>\\n</muse>\\n'")),
}

async function read(source: keyof typeof sources, text: string, flags: readonly string[] = []) {
  const world = fakeWorld()
  const io = { ...world.io, stdin: () => Readable.from([Buffer.from(text)]) }
  const args = ['template', sources[source], '--read', '-', '--tool', 'get_weather', ...flags]
  const code = await run(['node', 'anycall', ...args], { io, services: world.services })
  return { code, out: world.out, err: world.err }
}

const call = '<use get_weather>{"city": "Paris"}</use>'
const called = 'call get_weather {"city":"Paris"}\n'

describe('--read', () => {
  test.each<[keyof typeof sources, string, string[], string]>([
    ['plain', `Let me look.\n${call}`, [], `Let me look.\n${called}`],
    ['plain', `<muse>\nHm.\n</muse>\nSo.\n${call}[end]`, [], `│ Hm.\nSo.\n${called}`],
    // The prompt has the opening marker.
    ['opening', `Hm.\n</muse>\nSo.\n${call}`, [], `│ Hm.\nSo.\n${called}`],
    ['opening', `<muse>\nHm.\n</muse>\n${call}`, [], `│ Hm.\n${called}`],
    ['opening', `Hm.\n</muse>\n${call}`, ['--reasoning', 'detect'], `Hm.\n</muse>\n${called}`],
    ['plain', `Hm.\n</muse>\n${call}`, ['--reasoning', 'open'], `│ Hm.\n${called}`],
    // And both.
    ['closed', `So.\n${call}`, [], `So.\n${called}`],
  ])('%s: %j %j', async (source, text, flags, expected) => {
    const { code, out, err } = await read(source, text, flags)
    expect(out).toBe(expected)
    expect(err).toBe('report: 1 call, finish calls\n')
    expect(code).toBe(0)
  })

  test.each(['plain', 'closed'] as const)('%s: places and spans are those of the text', async (source) => {
    const text = 'So.\n<use get_weather>{"city": "Paris",}</use>'
    const explained = await read(source, text, ['--explain'])
    expect(explained.out).toContain('So.⟦marker:\n<use ⟧⟦name:get_weather⟧⟦marker:>⟧⟦argument:')
    expect(explained.out).toContain('notice 2:35 repaired: ')
    const events = (await read(source, text, ['--json'])).out
    expect(events).toContain('"code":"repaired"')
    expect(/"span":\[(\d+),/.exec(events)?.[1]).toBe(String(text.indexOf('}</use>')))
  })

  test('--cut says that the text was cut', async () => {
    const { out, err } = await read('plain', '<use get_weather>{"city": "Par', ['--cut'])
    expect(out).toBe('call get_weather {"city":"Par (incomplete)\n')
    expect(err).toContain('report: 0 calls, 1 incomplete call, finish length\n')
  })

  test('--calls-in-reasoning makes the calls of reasoning', async () => {
    const text = `<muse>\n${call}\n</muse>\nNo.`
    expect((await read('plain', text)).out).not.toContain(called)
    expect((await read('plain', text, ['--calls-in-reasoning'])).out).toContain(called)
  })
})
