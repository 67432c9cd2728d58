import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lawRuns } from '../../../../test/support/draws.ts'
import { ExampleGuard } from './example-guard.ts'

describe('ExampleGuard', () => {
  it.each<[text: string, inExample: boolean, onNewLine: boolean, openFence: string]>([
    ['', false, false, ''],
    ['Hi', false, false, ''],
    ['```\ncode', true, true, '```'],
    ['```js', true, true, '```'],
    ['```\ncode\n```', true, false, ''],
    ['```\ncode\n```\n', false, false, ''],
    ['```\ncode\n``` no', true, true, '```'],
    ['````\n```\n', true, true, '````'],
    ['```\n~~~\n', true, true, '```'],
    ['~~~ xml', true, true, '~~~'],
    ['```js\r\ncode', true, true, '```'],
    ['```js\r\ncode\r\n```\r\n', false, false, ''],
    ['~~~\nx\n~~~~\n', false, false, ''],
    ['- ```\n', true, true, '```'],
    ['1. a\n      ```\n', true, true, '```'],
    ['```a``` b', false, false, ''],
    ['a `b', true, false, ''],
    ['a `b`', false, false, ''],
    ['a `b` c', false, false, ''],
    ['``a ` b', true, false, ''],
    ['``a ` b``', false, false, ''],
    ['a `', true, false, ''],
    ['a ` b\n', false, false, ''],
    ['> a', true, false, ''],
    ['> a\nb', false, false, ''],
    ['a > b', false, false, ''],
    ['he said "', true, false, ''],
    ['he said " ', false, false, ''],
    ['he said "a"', false, false, ''],
    ['er sagt »', true, false, ''],
    ['er sagt »a«', false, false, ''],
    ['il dit « a »', false, false, ''],
    ['il dit » ', false, false, ''],
    ['- > a', true, false, ''],
    ['<pre>\n', true, true, '<pre'],
    ['<pre>\n```\n', true, true, '```'],
  ])('%j', (text, inExample, onNewLine, openFence) => {
    for (const pieces of [[text], text.split('')]) {
      const guard = new ExampleGuard()
      for (const piece of pieces) guard.feed(piece)
      expect([guard.inExample(false), guard.inExample(true), guard.openFence]).toEqual([
        inExample,
        onNewLine,
        openFence,
      ])
    }
  })

  it('forgets what text ended with once something else stood there', () => {
    const guard = new ExampleGuard()
    guard.feed('it said "')
    guard.interrupt()
    expect(guard.inExample(false)).toBe(false)
  })
})

it('tells the same however the text is cut', () => {
  const pieces = [
    ...['```', '~~~', '`', 'js', ' ', '\n', 'word', '"', '»', '> ', '- ', '<', 'pre', '>', '<pre>', '</pre>'],
  ]
  const piece = fc.constantFrom(...pieces, '<!--', '-->', '-', '<b>', 'x'.repeat(150))
  const property = fc.property(fc.array(piece, { maxLength: 12 }), (text) => {
    const told = [text, [text.join('')], text.join('').split('')].map((cut) => {
      const guard = new ExampleGuard()
      for (const one of cut) guard.feed(one)
      return [guard.inExample(false), guard.inExample(true), guard.openFence, guard.isLineBlank, guard.lineEnd]
    })
    expect(told).toEqual([told[0], told[0], told[0]])
  })
  fc.assert(property, { numRuns: 100 * lawRuns })
})
