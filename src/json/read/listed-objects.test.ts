import { describe, expect, test } from 'vitest'
import { JsonText } from '../text.ts'
import { JsonReader, type JsonStatus } from './reader.ts'

/** Reads a text, cut at a place, into a sink that accepts only an object; returns what the sink received. */
function read(text: string, cut: number): { json: string; status: JsonStatus; repairs: string[] } {
  let json = ''
  const repairs: string[] = []
  const sink = Object.assign(new JsonText((piece) => (json += piece)), {
    takesObjectOnly: () => json === '',
    repaired: (repair: string) => repairs.push(repair),
  })
  const reader = new JsonReader(sink)
  const place = reader.read(text.slice(0, cut), 0, cut === text.length)
  if (cut < text.length) reader.read(text.slice(place), 0, true, place)
  return { json, status: reader.status, repairs }
}

describe('a list where only an object makes sense', () => {
  const cases: [text: string, json: string, status: JsonStatus][] = [
    ['[{"a": [{"b": {}}]}]', '{"a":[{"b":{}}]}', 'done'],
    ['[ {"a": 1}\n ]', '{"a":1}', 'done'],
    ['[{}]', '{}', 'done'],
    ['[]', '{}', 'done'],
    ['[ ]', '{}', 'done'],
    // Either object may be meant: the first is left open, so that nobody runs it.
    ['[{"a": 1}, {"a": 2}]', '{"a":1', 'stopped'],
    ['[{"a": 1}}]', '{"a":1', 'stopped'],
  ]
  test.each(cases)('%s', (text, json, status) => {
    for (let cut = 0; cut <= text.length; cut++) {
      expect(read(text, cut), `cut at ${cut}`).toEqual({ json, status, repairs: ['listed-object'] })
    }
  })

  test.each(['["a"]', '[[{"a": 1}]]', '[1]'])('%s is a list', (text) => {
    for (let cut = 0; cut <= text.length; cut++) {
      expect(read(text, cut)).toEqual({ json: text.replaceAll(' ', ''), status: 'done', repairs: [] })
    }
  })
})
