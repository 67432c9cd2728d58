import type { Pattern } from './pattern.ts'
import * as pattern from './pattern.ts'

/**
 * Returns a pattern for the beginning of a value without an opening tag: none of these tags and, at the end of the
 * text, no beginning of one.
 */
export function untagged(...tags: readonly string[]): Pattern {
  const longest = Math.max(...tags.map((tag) => tag.length))
  return pattern.ahead(
    pattern.choice(
      pattern.chars('^<\\s', 1, 1),
      pattern.sequence('<', pattern.notAhead(pattern.choice(...tags.map((tag) => tag.slice(1)))), any(longest - 1)),
    ),
  )
}

function any(count: number): Pattern {
  return pattern.chars('\\s\\S', count, count)
}
