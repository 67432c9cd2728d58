import { closest } from '../../gateway/index.ts'
import { FlagError } from '../io/flags.ts'
import type { DialectFacts } from '../io/reading.ts'

/** The dialect of that name. Throws a FlagError that lists the names; `flag` is the flag that gave the wrong one. */
export function dialectOf(name: string, dialects: readonly DialectFacts[], flag?: string): DialectFacts {
  const found = dialects.find((dialect) => dialect.name === name)
  if (found) return found
  const names = dialects.map((dialect) => dialect.name)
  const meant = closest(name, names)
  const advice = meant === undefined ? 'the' : `did you mean ${meant}? The`
  const prefix = flag === undefined ? '' : `${flag}: `
  throw new FlagError(
    `${prefix}there is no dialect ${JSON.stringify(name)}; ${advice} dialects are ${names.join(', ')}`,
  )
}
