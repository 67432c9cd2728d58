import type { ConfigProblem } from '../config/error.ts'
import type { ModelRule } from '../config/schema/types.ts'
import { patternOf } from './models.ts'

/** Represents any text in a pattern that is compared with others. No model name contains it. */
const anyText = '\u0000'

/**
 * Returns a problem for each pattern that no model name comes to, because an earlier rule matches all that it would match. A pattern
 * matches all that another does if it matches the other's text with each `*` replaced by a character that is in no pattern.
 */
export function unreachableRules(rules: readonly ModelRule[]): ConfigProblem[] {
  const patterns = rules.map(({ match }) => patternOf(match))
  return rules.flatMap(({ match }, index) => {
    const taken = match.map((pattern) =>
      patterns.slice(0, index).findIndex((earlier) => earlier.test(pattern.replaceAll('*', anyText))),
    )
    if (taken.every((earlier) => earlier >= 0)) return [problem(['models', index], match.join(', '), taken)]
    return taken.flatMap((earlier, at) =>
      earlier < 0 ? [] : [problem(['models', index, 'match', at], match[at] ?? '', [earlier])],
    )
  })
}

function problem(path: ConfigProblem['path'], match: string, taken: readonly number[]): ConfigProblem {
  const earlier = [...new Set(taken)].map((index) => `models[${index}]`).join(', ')
  return { path, message: `${match}: never used, as ${earlier} matches it first; move it up, or remove it` }
}
