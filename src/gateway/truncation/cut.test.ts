import { describe, expect, test } from 'vitest'
import type { Conversation, Turn } from '../../conversation/index.ts'
import { Cut } from './cut.ts'

/** Turns in one word each: `u1` a message, `a1` a reply, `c1` a call, `r1` its result, `r1+u2` both, `s` system text. */
function turnsOf(words: string): Turn[] {
  return words.split(' ').map((word): Turn => {
    if (word === 's') return { role: 'system', text: 's' }
    const ids = word.split('+')
    if (/^[ac]/.test(word)) {
      return {
        role: 'assistant',
        parts: ids.map((id) =>
          id.startsWith('c')
            ? { type: 'call', id: id.slice(1), name: 'f', arguments: '{}' }
            : { type: 'text', text: id },
        ),
      }
    }
    return {
      role: 'user',
      parts: ids.map((id) =>
        id.startsWith('r')
          ? { type: 'result', callId: id.slice(1), name: 'f', content: [{ type: 'text', text: id }], isError: false }
          : { type: 'text', text: id },
      ),
    }
  })
}

function wordsOf(turns: readonly Turn[]): string {
  const word = (turn: Turn): string =>
    turn.role === 'system'
      ? 's'
      : turn.parts
          .map((part) => {
            if (part.type === 'call') return `c${part.id}`
            if (part.type === 'result') return `r${part.callId}`
            return part.type === 'text' ? part.text : part.type
          })
          .join('+')
  return turns.map(word).join(' ')
}

function conversationOf(turns: Turn[]): Conversation {
  return {
    model: 'm',
    system: 'Be kind.',
    turns,
    tools: [],
    toolChoice: { type: 'auto' },
    parallelCalls: true,
    stopSequences: [],
    sampling: {},
  }
}

describe('a conversation, step by step', () => {
  test.each<[words: string, left: [words: string, items: number][]]>([
    ['u1', []],
    ['u1 a1', []],
    ['u1 a1 u2', [['u2', 2]]],
    [
      'u1 a1 u2 a2 u3',
      [
        ['u2 a2 u3', 2],
        ['u3', 4],
      ],
    ],
    ['u1 u2', [['u2', 1]]],
    ['u1 c1 r1', []],
    // The last message stays, and the last reply with its results.
    ['u1 c1 r1 c2 r2', [['u1 c2 r2', 2]]],
    ['u1 c1+c2 r1+r2 c3 r3', [['u1 c3 r3', 4]]],
    [
      'u1 c1 r1 a1 u2',
      [
        ['u1 a1 u2', 2],
        ['u2', 4],
      ],
    ],
    // A message in the turn of a result is another step.
    ['u1 c1 r1+u2 a2', [['u2 a2', 3]]],
    // A result is removed together with its call, at any distance from it.
    ['u1 c1+c2 r1 u2 r2 a2', [['u2 a2', 5]]],
    ['a1 u1', [['u1', 1]]],
    ['u1 s a1 s u2', [['s s u2', 2]]],
  ])('%s', (words, expected) => {
    const whole = conversationOf(turnsOf(words))
    const cut = new Cut(whole)
    expect(cut.conversation).toBe(whole)
    const seen: [string, number][] = []
    while (cut.shorten(1)) seen.push([wordsOf(cut.conversation.turns), cut.items])
    expect(seen).toEqual(expected)
    expect(cut.conversation).toMatchObject({ system: 'Be kind.' })
  })

  test('loses as many steps as have the tokens asked for', () => {
    const text = 'four'.repeat(100)
    const cut = new Cut(conversationOf(turnsOf(`u${text} a u${text} a u${text} a u4`)))
    expect(cut.shorten(150)).toBe(true)
    expect(wordsOf(cut.conversation.turns)).toBe(`u${text} a u4`)
    expect(cut.items).toBe(4)
    expect(cut.shorten(1_000_000)).toBe(true)
    expect(wordsOf(cut.conversation.turns)).toBe('u4')
    expect(cut.shorten(1)).toBe(false)
  })

  test('keeps the tools that a result described', () => {
    const tool = (name: string) => ({ name, description: '', schema: {} })
    const [listed, found] = [tool('listed'), tool('found')]
    const turns = turnsOf('u1 c1 r1 a1 u2').map(
      (turn): Turn =>
        turn.role === 'user'
          ? { ...turn, parts: turn.parts.map((part) => (part.type === 'result' ? { ...part, tools: [found] } : part)) }
          : turn,
    )
    const cut = new Cut({ ...conversationOf(turns), tools: [listed, found], listedTools: [listed] })
    cut.shorten(1)
    expect(cut.conversation.listedTools).toEqual([listed, found])
  })
})
