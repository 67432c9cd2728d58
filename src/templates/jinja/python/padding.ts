import { failed } from '../parse/error.ts'
import type { Runtime } from './runtime.ts'
import { codePointLength } from './types.ts'

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
  // Python puts the odd one on the left where the width is odd.
  const left = Math.floor(missing / 2) + (missing & width & 1)
  return fill(filler, left, runtime) + text + fill(filler, missing - left, runtime)
}

/** `filler`, `count` times; counted in the budget. */
export function fill(filler: string, count: number, runtime: Runtime): string {
  runtime.budget.text(Math.max(0, count) * filler.length)
  return filler.repeat(Math.max(0, count))
}

