import { describe, expect, test } from 'vitest'
import { overlapOf } from './overlap.ts'

describe('an overlap', () => {
  test.each([
    ['two runs of blanks', /\s{0,64}\s{0,64}x/y, 'adjacent'],
    ['two runs with what may be missing between them', /\s*(?:a)?\s*x/y, 'adjacent'],
    ['two runs with a mark between them that both take', /[^<]*,[^<]*;/y, 'adjacent'],
    ['a lazy run before one of the same characters', /<([^<>]{1,256}?)\s{0,64}>/y, 'adjacent'],
    ['a run, and a look ahead at each of its places', /[^<]*(?=\s*x)/y, 'adjacent'],
    ['a run that is looked for from each place', /\s+$/, 'adjacent'],
    ['a tag that is looked for from each place', /<[^>]*>/g, 'adjacent'],
    ['a repetition of a repetition', /(?:a*)*b/y, 'nested'],
    ['a repetition of one of two that begin alike', /(?:a|ab?)*c/y, 'nested'],
    ['alternatives that share a text', /(?:\s|\n)*x/y, 'nested'],
    ['classes in any case', /[a-z]*[A-Z]*;/iy, 'adjacent'],
    ['what comes after one of its own characters', /(?<=[a-z])[a-z]+;/g, 'adjacent'],
    ['a run that ends with a mark of its own, before another', /[a-z_]*(?<=_)[a-z_]*;/y, 'adjacent'],
    ['a run that is found, and what may come after it', /a+(?:[ab]*c)?/g, 'adjacent'],
    ['a run that is found where something comes after it', /[a-z]+?(?=\s|$)/g, 'adjacent'],
    ['a run up to a word, before another one', /(?:(?!ab)[^;])*b[^;]*;/y, 'adjacent'],
    ['a run up to a part of a word', /(?:(?!abc)[^;])*ab[^;]*;/y, 'adjacent'],
    ['what comes again', /(a*)\1b/y, 'adjacent'],
  ])('%s', (_name, expression, type) => {
    expect(overlapOf(expression)).toMatchObject({ type })
  })

  test.each([
    ['runs of different characters', /\s{0,64}[^\s<]{1,64}\s{0,64}</y],
    ['a mark that the second run does not take', /[^<]*<[^<]*>/y],
    ['a mark that the first run does not take', /[^,]*,[^<]*>/y],
    ['a run that takes all that there is', /\s{0,64}(?!\s)(?:x)?\s{0,64}(?!\s)y/y],
    ['a trimmed run', /<\s*(?!\s)([^<>\s](?:[^<>]*[^<>\s])?)\s*>/y],
    ['alternatives of which one is taken', /(?:a*x|a*y)/y],
    ['classes in this case', /[a-z]*[A-Z]*;/y],
    ['a tag with no other in it, looked for from each place', /<[^<>]*>/g],
    ['a few characters', /[<>]{1,2}[<>]{1,2}/y],
    ['repeated elements', /(?:\s*"[^"]*",)*]/y],
    ['words', /(?:\w+(?!\w)\s*(?!\s))*;/y],
    ['what comes after a blank, looked for from each place', /(?<=\s)\w+;/g],
    ['what does not come after a letter', /(?<![\p{L}\p{N}_])[a-z]+;/gu],
    ['a run that is found wherever it begins', /\s+/g],
    ['a run up to a word, before another', /<(?:(?!name=)[^>])*name="[^"]*"[^>]*>/iy],
    ['a run up to a word that begins like its end', /(?:(?!abab)[^;])*abab[^;]*;/y],
    ['what is bound to the beginning', /^\s*x/],
  ])('%s: none', (_name, expression) => {
    expect(overlapOf(expression)).toBeUndefined()
  })
})
