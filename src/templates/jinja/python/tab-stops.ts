import type { Runtime } from './runtime.ts'

/** Python's `expandtabs`: spaces up to the next column that `width` divides, in each line; tabs go where it divides none. */
export function expandTabs(text: string, width: number, runtime: Runtime): string {
  runtime.budget.walk(text.length)
  const parts = text.split(/([\t\n\r])/)
  let column = 0
  let length = text.length
  const spaces = parts.map((part) => {
    const count = part === '\t' && width > 0 ? width - (column % width) : 0
    length += count
    if (part === '\n' || part === '\r') column = 0
    else column += part === '\t' ? count : [...part].length
    return count
  })
  // Before it is made: a width may be of any size.
  runtime.budget.text(length)
  return parts.map((part, at) => (part === '\t' ? ' '.repeat(spaces[at] ?? 0) : part)).join('')
}
