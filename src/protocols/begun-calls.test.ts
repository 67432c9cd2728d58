import { describe, expect, test } from 'vitest'
import { ReplyCollector, type ReplyEvent, type ReplyPart } from '../conversation/index.ts'
import { BegunCalls, begunParts } from './begun-calls.ts'

const start = (index = 0, name = 'f'): ReplyEvent => ({ type: 'call-start', index, id: `c${index}`, name })
const json = (json: string, index = 0): ReplyEvent => ({ type: 'call-arguments', index, json })
const end = (complete: boolean, index = 0): ReplyEvent => ({ type: 'call-end', index, complete })
const text = (text: string): ReplyEvent => ({ type: 'text', text })
const notice: ReplyEvent = { type: 'notice', notice: { code: 'x', message: 'y' } }
const finish: ReplyEvent = { type: 'finish', reason: 'length' }
const brokenOff = (name = 'f'): string =>
  `[The call of the tool ${name} broke off before its arguments and was not made.]`

const cases: [what: string, events: ReplyEvent[], given: ReplyEvent[]][] = [
  ['text', [text('a'), finish], [text('a'), finish]],
  ['a call', [start(), json('{"a"'), json(':1}'), end(true)], [start(), json('{"a"'), json(':1}'), end(true)]],
  ['its brace with what is after it', [start(), json('{'), json('"a":'), finish], [start(), json('{"a":'), finish]],
  ['a whole one without arguments', [start(), json('{'), json('}'), end(true)], [start(), json('{}'), end(true)]],
  ['a whole one without JSON', [start(), end(true)], [start(), end(true)]],
  ['one that broke off in its arguments', [start(), json('{"a'), end(false)], [start(), json('{"a'), end(false)]],
  ['one that broke off after its name', [start(), notice, end(false)], [notice, text(brokenOff())]],
  ['one that broke off after its brace', [start(), json('{'), end(false), finish], [text(brokenOff()), finish]],
  ['one that broke off after white space', [start(), json(' {\n'), end(false)], [text(brokenOff())]],
  ['one that broke off after text', [text('a'), start(), end(false)], [text('a'), text(`\n${brokenOff()}`)]],
  ['one without an end', [start(), json('{'), finish], [text(brokenOff()), finish]],
  [
    'text in the middle of one',
    [start(), text('a'), json('{}'), end(true)],
    [start(), text('a'), json('{}'), end(true)],
  ],
  [
    'one beside another, which waits',
    [start(), start(1, 'g'), json('{"a', 1), json('{'), end(false), json('":1}', 1), end(true, 1), finish],
    [text(brokenOff()), start(1, 'g'), json('{"a', 1), json('":1}', 1), end(true, 1), finish],
  ],
]

describe('calls start where their arguments begin', () => {
  test.each(cases)('%s', (_, events, given) => {
    expect(new BegunCalls().pass(events)).toEqual(given)
    const calls = new BegunCalls()
    expect(events.flatMap((event) => calls.pass([event]))).toEqual(given)
  })

  test.each(cases)('%s, as a whole reply', (_, events, given) => {
    const partsOf = (of: ReplyEvent[]): ReplyPart[] => {
      const collector = new ReplyCollector()
      collector.push(of)
      return collector.parts
    }
    const merged: ReplyPart[] = []
    for (const part of begunParts(partsOf(events))) {
      const last = merged.at(-1)
      if (part.type === 'text' && last?.type === 'text') last.text += part.text
      else merged.push(part)
    }
    expect(merged).toEqual(partsOf(given))
  })
})
