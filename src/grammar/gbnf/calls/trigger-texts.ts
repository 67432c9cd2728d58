import type { GrammarTrigger } from './trigger.ts'

/** What stands before a trigger that counts at the beginning of a line only. */
const lineStart = '(?:^|\\n)[ \\t]*'
/** So much of it is told apart; a call that is indented deeper is free. */
const indents = ['', ' ', '  ', '   ', '    ', '\t']

/** The texts that a trigger stands for: none where it is empty, undefined where they cannot be told. */
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
