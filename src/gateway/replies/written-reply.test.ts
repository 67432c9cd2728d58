import { expect, test } from 'vitest'
import { mostCharacters } from './known-replies.ts'
import { WrittenReply } from './written-reply.ts'

test('a reply that is too long to be remembered is not collected', () => {
  const written = new WrittenReply()
  const piece = 'x'.repeat(mostCharacters / 4)
  written.begin('hermes')
  for (let count = 0; count < 4; count++) written.pieces([{ type: 'text', text: piece }])
  expect(written.text).toEqual({ dialect: 'hermes', text: 'x'.repeat(mostCharacters) })
  written.pieces([{ type: 'text', text: 'y' }])
  expect(written.text).toBeUndefined()
  written.begin('hermes')
  written.pieces([{ type: 'text', text: 'z' }])
  expect(written.text).toEqual({ dialect: 'hermes', text: 'z' })
})
