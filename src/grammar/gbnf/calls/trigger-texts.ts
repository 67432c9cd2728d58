import type { GrammarTrigger } from './trigger.ts'

/** The beginning of a trigger pattern that counts at the beginning of a line only. */
const lineStart = '(?:^|\\n)[ \\t]*'
/** The indents that are expanded; a call that is indented deeper is not constrained. */
const indents = ['', ' ', '  ', '   ', '    ', '\t']

/** The texts that a trigger matches: an empty list if it is empty, undefined if they cannot be listed. */
export function textsOf({ type, value }: GrammarTrigger): string[] | undefined {
  if (type === 'word') return [value]
  if (!value.startsWith(lineStart)) return wordsOf(value)
  const words = wordsOf(value.slice(lineStart.length))
  return words?.flatMap((word) => indents.map((indent) => `\n${indent}${word}`))
}

/** The words of a group of plain texts. */
function wordsOf(group: string): string[] | undefined {
  const [, inner] = /^\(([\s\S]*)\)$/.exec(group) ?? []
  if (inner === undefined) return undefined
  if (inner === '') return []
  const words = ['']
  for (let at = 0; at < inner.length; at++) {
    const char = inner.charAt(at)
    if (char === '|') {
      words.push('')
      continue
    }
    if (/[.*+?^${}()[\]]/.test(char)) return undefined
    let literal = char
    if (char === '\\') {
      at++
      const escaped = inner.charAt(at)
      if (escaped !== 'n' && /^\w?$/.test(escaped)) return undefined
      literal = escaped === 'n' ? '\n' : escaped
    }
    words.push((words.pop() ?? '') + literal)
  }
  return words.includes('') ? undefined : words
}
