import { choice, empty, type Gbnf, repeat, sequence } from './gbnf.ts'
import { type GbnfRules, repetitionLimit } from './rules.ts'

/** Higher counts exceed the length of any reply. */
const mostCounted = 10_000_000
/** The maximum number of repetitions in a rule: more become blocks of blocks, each a separate rule. */
const blockLength = 256

/**
 * From `min` to `max` repetitions, for any numbers: engines repeat up to some hundred times, so more is counted in
 * blocks. A lower bound above ten million is reduced to that, and such an upper bound is ignored.
 */
export function counted(one: Gbnf, min: number, max: number | undefined, rules: GbnfRules): Gbnf {
  const least = Math.min(min, mostCounted)
  const most = max === undefined || max > mostCounted ? undefined : max
  if (least < min) rules.notice(`a minimum count of ${min} is expressed as ${least}`)
  if (most === undefined && max !== undefined && max < Number.POSITIVE_INFINITY) {
    rules.notice(`a maximum count of ${max} is not expressed`)
  }
  if (Math.max(least, most ?? 0) <= repetitionLimit(one)) return repeat(one, least, most)
  const item = rules.add('item', one)
  if (most === undefined) return sequence(exactly(item, least, rules), repeat(item, 0))
  return sequence(exactly(item, least, rules), upTo(item, most - least, rules))
}

function exactly(item: Gbnf, count: number, rules: GbnfRules): Gbnf {
  if (count <= blockLength) return repeat(item, count, count)
  const block = rules.add('items', repeat(item, blockLength, blockLength))
  return sequence(exactly(block, Math.floor(count / blockLength), rules), exactly(item, count % blockLength, rules))
}

/** Complete blocks, then a part of one; after the greatest number of blocks, the rest of the last. */
function upTo(item: Gbnf, count: number, rules: GbnfRules): Gbnf {
  if (count <= blockLength) return repeat(item, 0, count)
  const block = rules.add('items', repeat(item, blockLength, blockLength))
  const [blocks, rest] = [Math.floor(count / blockLength), count % blockLength]
  const fewer = sequence(upTo(block, blocks - 1, rules), repeat(item, 0, blockLength - 1))
  return rules.add('items', choice([fewer, sequence(exactly(block, blocks, rules), repeat(item, 0, rest))]) ?? empty)
}

/** The same with all that is repeated more often than engines count. */
export function withCounts(gbnf: Gbnf, rules: GbnfRules): Gbnf {
  switch (gbnf.type) {
    case 'repeat':
      return counted(withCounts(gbnf.of, rules), gbnf.min, gbnf.max, rules)
    case 'sequence':
      return sequence(...gbnf.of.map((part) => withCounts(part, rules)))
    case 'choice':
      return choice(gbnf.of.map((part) => withCounts(part, rules))) ?? empty
    default:
      return gbnf
  }
}
