import { expect, test } from 'vitest'
import { randomOf } from '../../../test/support/grammar/random.ts'
import { formats } from '../../dialects/formats/index.ts'
import { universal } from '../../dialects/formats/universal.ts'
import { readableBlockOf } from '../../dialects/read/format/readable-block.ts'
import { compile } from '../read/program.ts'
import { LazyRegExp } from '../regex/lazy-reg-exp.ts'
import { overlapOf } from '../regex/overlap.ts'
import { sourceGroups } from './sought.ts'
import { kindOf, tagOpeners } from './tag-opener.ts'
import type { Terminal } from './terminal.ts'

const terminals: readonly Terminal[] = [
  ...new Set(
    formats.flatMap(({ blocks }) =>
      blocks.flatMap(({ tree }) => {
        const { instructions, first, closers } = compile(tree)
        const steps = instructions.flatMap((one) => ('terminal' in one ? [one.terminal] : []))
        const ends = instructions.flatMap((one) => (one.op === 'value' ? one.ends.map(({ terminal }) => terminal) : []))
        return [...first, ...closers, ...steps, ...ends]
      }),
    ),
  ),
]

/** The places in the examples where a mark may begin: those of each, from there on, up to some place, in any case. */
const random = randomOf(0)
const texts = formats.flatMap(({ example }) =>
  [...example.matchAll(/[^\w\s]/g)].flatMap(({ index }) => {
    const rest = example.slice(index, index + 1 + Math.floor(random() * 60))
    const cased = [...rest].map((char) => (random() < 0.3 ? char.toUpperCase() : char)).join('')
    return [rest, cased, `${rest.slice(0, 8)}\u212a\u017f`]
  }),
)

test('a terminal that matches, or may with more text, begins with its prefix', () => {
  const some = texts.filter((_, index) => index % 8 === 0)
  for (const { prefix, whole, begun } of terminals) {
    if (prefix === '') continue
    for (const text of some) {
      if (!whole.testAt(text, 0) && !begun.testAt(text, 0)) continue
      const given = text.slice(0, prefix.length).toLowerCase()
      expect([text, given]).toEqual([text, prefix.slice(0, text.length)])
    }
  }
})

test('beginnings that are searched together are found where one of them is', () => {
  const sought = [...new Set(terminals.flatMap(({ opener, beginning }) => [opener, beginning]))]
  for (const key of ['whole', 'begun'] as const) {
    const alone = sought.map(({ sources }) => new LazyRegExp(sources[key], 'iy'))
    const together = sourceGroups(sought).map((sources) => new LazyRegExp(sources[key], 'iy'))
    const finds = (list: readonly LazyRegExp[], text: string) => list.some((one) => one.testAt(text, 0))
    for (const text of texts) expect([key, text, finds(together, text)]).toEqual([key, text, finds(alone, text)])
  }
})

test('no expression for the beginnings of calls is too long for V8 to optimize', () => {
  const sought = universal.blocks.flatMap((block) => readableBlockOf(block).sought(true))
  for (const char of new Set(sought.flatMap(({ firstChars }) => firstChars ?? []))) {
    const here = sought.filter(({ firstChars }) => firstChars?.includes(char) ?? true)
    for (const part of [here.filter(({ atLine }) => atLine), here.filter(({ atLine }) => !atLine)]) {
      const sizes = sourceGroups(part).map(({ whole, begun }) => Math.max(whole.length, begun.length))
      expect([char, sizes.filter((size) => size > 20 * 1024)]).toEqual([char, []])
    }
  }
})

test('tags that are searched together have no repetitions that overlap', () => {
  const tags = [...new Set(terminals.flatMap(({ opener: { tag } }) => tag ?? []))]
  for (const kind of new Set(tags.map(kindOf))) {
    const of = tags.filter((tag) => kindOf(tag) === kind)
    const neighbours = of.slice(1).map((tag, index) => [of[index] ?? tag, tag])
    for (const list of [of, ...neighbours]) {
      const { whole, begun } = tagOpeners(list)
      for (const source of [whole, begun])
        expect([kind, source, overlapOf({ source, flags: 'iy' })]).toEqual([kind, source, undefined])
    }
  }
})
