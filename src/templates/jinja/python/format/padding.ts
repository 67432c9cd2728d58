import { failed } from '../../parse/error.ts'
import type { Runtime } from '../values/runtime.ts'
import { codePointLength } from '../values/types.ts'

/** Pads `text` to `width` code points, as Python's string methods of these names do. */
export function justify(
  text: string,
  how: 'center' | 'ljust' | 'rjust',
  width: number,
  filler: string,
  runtime: Runtime,
): string {
  const missing = width - codePointLength(text)
  if (missing <= 0) return text
  if (codePointLength(filler) !== 1) throw failed('The fill character must be exactly one character long')
  if (how === 'ljust') return text + fill(filler, missing, runtime)
  if (how === 'rjust') return fill(filler, missing, runtime) + text
  // Python puts the odd space on the left if the width is odd.
  const left = Math.floor(missing / 2) + (missing & width & 1)
  return fill(filler, left, runtime) + text + fill(filler, missing - left, runtime)
}

/** `filler`, `count` times; counted in the budget. */
export function fill(filler: string, count: number, runtime: Runtime): string {
  runtime.budget.text(Math.max(0, count) * filler.length)
  return filler.repeat(Math.max(0, count))
}

/**
 * Python's `expandtabs`: spaces up to the next column that `width` divides, in each line; with a width of zero or less,
 * tabs are removed.
 */
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
