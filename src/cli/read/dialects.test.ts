import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { fakeWorld } from '../../../test/support/cli/fake-world.ts'
import type { ReplyEvent } from '../../conversation/index.ts'
import { ownReading } from '../io/io.ts'
import { run } from '../run.ts'

async function read(text: string, ...args: string[]): Promise<string> {
  const world = fakeWorld()
  // Piece by piece, as a model writes.
  const stdin = (): Readable => Readable.from(text.match(/.{1,3}/gsu)?.map((piece) => Buffer.from(piece)) ?? [])
  const code = await run(['node', 'anycall', 'read', '--tool', 'get_weather', ...args], {
    io: { ...world.io, stdin },
    services: world.services,
  })
  expect(code).toBe(0)
  return world.out
}

describe.each(ownReading.dialects.map((dialect) => [dialect.name, dialect] as const))(
  'anycall read, %s',
  (name, dialect) => {
    const [first = ''] = dialect.example.split('\n', 1)
    const flags = ['--dialect', name, ...(dialect.usesTrigger ? ['--trigger', first] : [])]
    const text = `Let me look ⟦there⟧.\n${dialect.example}`

    test('the call of its example is read', async () => {
      const events = (await read(text, '--json', ...flags))
        .trim()
        .split('\n')
        .map((line): ReplyEvent | { type: 'report' } => JSON.parse(line))
      expect(events.find((event) => event.type === 'call-start')).toMatchObject({ name: 'get_weather' })
      expect(events.filter((event) => event.type === 'call-end')).toMatchObject([{ complete: true }])
      expect(events.slice(-2)).toMatchObject([{ type: 'finish', reason: 'calls' }, { type: 'report' }])
      expect(await read(text, ...flags)).toMatch(
        /^Let me look ⟦there⟧\.\ncall get_weather \{.*"city":\s*"Paris".*\}\n$/,
      )
    })

    test('--explain shows all of the text, each part once', async () => {
      const out = await read(text, '--explain', ...flags)
      const [body = ''] = out.split(/\n\n(?:notice|report)/)
      const bare = body
        .replace(/⟦char:27E6⟧/g, '<open>')
        .replace(/⟦char:27E7⟧/g, '<close>')
        .replace(/⟦[a-z]+:|⟧/g, '')
        .replace('<open>', '⟦')
        .replace('<close>', '⟧')
      expect(bare.trimEnd()).toBe(text.trimEnd())
      expect(body).toContain('⟦argument:')
      expect(body).not.toContain('⟦unread:')
    })
  },
)
