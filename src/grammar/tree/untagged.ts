import type { Pattern } from './pattern.ts'
import * as pattern from './pattern.ts'

/**
 * What a value begins with whose opening tag was left out: none of these tags, nor, where the text is over, what may have
 * become one.
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
