import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lawRuns } from '../../../test/support/draws.ts'
import { cutAt, readPieces } from '../../../test/support/json/reading.ts'

const gemma = { delimiters: ['<|"|>'] }
const functionGemma = { delimiters: ['<escape>'] }

describe('JsonReader with delimiters', () => {
  it.each([
    ['a delimited string and a number', '{city:<|"|>Paris<|"|>,n:3}', '{"city":"Paris","n":3}'],
    ['quotes in it', '{content:<|"|>She said "hello" loudly<|"|>}', '{"content":"She said \\"hello\\" loudly"}'],
    ['brackets, lines and backslashes in it', '{a:<|"|>}\n\\n], <b<|<|"|>}', '{"a":"}\\n\\\\n], <b<|"}'],
    ['what looks like a member at its end', '{a:<|"|>x,b:<|"|>,c:<|"|>,d:<|"|>}', '{"a":"x,b:","c":",d:"}'],
    ['an empty string', '{a:<|"|><|"|>,b:[<|"|>x<|"|>]}', '{"a":"","b":["x"]}'],
    ['keys of other letters', '{@at:{gte:<|"|>now<|"|>}}', '{"@at":{"gte":"now"}}'],
    ['delimited keys', '{<|"|>a b<|"|>:{c:true}}', '{"a b":{"c":true}}'],
    ['ordinary JSON for values', '{refs:["ds_1"],opts:{"mode": "fast"}}', '{"refs":["ds_1"],"opts":{"mode":"fast"}}'],
  ])('reads %s', (_name, text, json) => {
    for (const pieces of [[text], text.split('')]) {
      expect(readPieces(pieces, gemma)).toEqual({ json, status: 'done', end: text.length, repairs: [] })
    }
  })

  it.each([
    ["['ds_1']", '["ds_1"]', 'single-quotes'],
    ['{key="v"}', '{"key":"v"}', 'missing-colon'],
    ['{a:x,b:1}', '{"a":"x","b":1}', 'bare-string'],
    ['{a:"x"<|"|>,b:1}', '{"a":"x","b":1}', 'surplus-quote'],
    ['{b:1,a:"x"<|"|>}', '{"b":1,"a":"x"}', 'surplus-quote'],
    ['{a:["x"<|"|> ],b:1}', '{"a":["x"],"b":1}', 'surplus-quote'],
    ['{a:Paris, France<|"|>,b:5}', '{"a":"Paris, France","b":5}', 'missing-quote'],
    ['{a:{b:to Oslo<|"|>},c:<|"|>x<|"|>}', '{"a":{"b":"to Oslo"},"c":"x"}', 'missing-quote'],
    ['{a:to Oslo,b:<|"|>x<|"|>}', '{"a":"to Oslo","b":"x"}', 'missing-quote'],
    ['{a:2026-01-15<|"|>}', '{"a":"2026-01-15"}', 'missing-quote'],
    ['{a:<|"|>x<|"|> <|"|>b<|"|>:1}', '{"a":"x","b":1}', 'missing-comma'],
    ['{a:<|"|>look<|"|>angle:90}', '{"a":"look","angle":90}', 'missing-comma'],
    ['{a:[1] b:{}}', '{"a":[1],"b":{}}', 'missing-comma'],
    ['{a:<|"|>with }],b:<|"|>x.txt<|"|>}', '{"a":"with }]","b":"x.txt"}', 'missing-quote'],
    ['{a:<|"|>one, two, b: <|"|>x<|"|>}', '{"a":"one, two","b":"x"}', 'missing-quote'],
    ['{a:<|"|>say <|"|>x<|"|> to<|"|>,b:1}', '{"a":"say \\"x\\" to","b":1}', 'inner-quote'],
    ['{a:<|"|>f(<|"|><|"|><|"|> x <|"|><|"|><|"|>)<|"|>}', '{"a":"f(\\"\\"\\" x \\"\\"\\")"}', 'inner-quote'],
  ])('repairs %s', (text, json, repair) => {
    for (const pieces of [[text], text.split('')]) {
      const reading = readPieces(pieces, gemma)
      expect(reading.json).toBe(json)
      expect([...new Set(reading.repairs.map(([name]) => name))]).toEqual([repair])
    }
  })

  it('says nothing of None where a style has both words', () => {
    const text = '{a:None,b:[True,false,null]}'
    const json = '{"a":null,"b":[true,false,null]}'
    for (const pieces of [[text], text.split('')]) {
      expect(readPieces(pieces, { ...gemma, bothWords: true })).toMatchObject({ json, repairs: [] })
    }
    expect(readPieces([text], gemma).repairs.map(([name]) => name)).toEqual(['python-literal', 'python-literal'])
  })

  it('keeps any text between two delimiters as it is, in any pieces', () => {
    const part = fc.constantFrom('<', 'escape', '>', '<esc', '"', "'", '\\', '\n', '}', ',', 'x', '\u{1f600}', '<|"|>')
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), fc.array(fc.nat(), { maxLength: 8 }), (parts, cuts) => {
        const value = parts.join('')
        fc.pre(!`${value}<escape>`.slice(0, -1).includes('<escape>'))
        const text = `{k:<escape>${value}<escape>}`
        const reading = readPieces(cutAt(text, cuts), functionGemma)
        expect(reading.repairs).toEqual([])
        expect(JSON.parse(reading.json)).toEqual({ k: value })
        expect(reading.json).toBe(readPieces([text], functionGemma).json)
      }),
    )
  })

  it('reads strings with delimiters in them alike in any pieces', () => {
    const part = fc.constantFrom(
      '<|"|>',
      '<|"|>',
      ',b:',
      ', c :',
      'x',
      ' ',
      '}',
      ']',
      '<|',
      '<tool_call|>',
      '\u00e9',
      ':',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), fc.array(fc.nat(), { maxLength: 8 }), (parts, cuts) => {
        const text = `{a:<|"|>${parts.join('')}<|"|>,d:1}<tool_call|>`
        const whole = readPieces([text], gemma)
        expect(readPieces(cutAt(text, cuts), gemma)).toEqual(whole)
        expect(readPieces(text.split(''), gemma)).toEqual(whole)
      }),
      { numRuns: 30 * lawRuns },
    )
  })
})
