import { type Pattern, type PatternLike, pattern } from '../../../grammar/index.ts'

/** DeepSeek's bar is full-width; distilled models write a plain one. */
const bar: Pattern = pattern.chars('|\uff5c', 1, 1, '\uff5c')

/**
 * A marker of words between bars. Distilled models write it with plain bars, and separate its words by underscores,
 * which they escape as in Markdown, or by spaces; `between` is the written separator.
 */
export function barMarker(between: string, ...words: string[]): Pattern {
  const gap = pattern.sequence(pattern.tolerated('\\'), pattern.chars('\u2581_ ', 1, 1, between))
  const inner = words.flatMap((word, index): PatternLike[] => (index === 0 ? [word] : [gap, word]))
  const barred = pattern.sequence('<', bar, ...inner, bar, '>')
  // Without bars, words that are parted by a blank or a line are any tag.
  return between === '\u2581' ? pattern.choice(barred, `<${words.join(between)}>`) : barred
}
