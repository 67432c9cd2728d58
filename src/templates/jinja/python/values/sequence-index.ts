import { failed } from '../../parse/error.ts'
import { toIndex, typeName } from './types.ts'
import type { Value } from './values.ts'

/** An argument as an index. Fails as Python does if it is not a whole number. */
export function indexOrFail(value: Value): number {
  const index = toIndex(value)
  if (index !== undefined) return index
  throw failed(`'${typeName(value)}' object cannot be interpreted as an integer`)
}

/** The bounds that Python's `slice.indices` gives. */
export function bounds(length: number, by: number, start: Value, stop: Value): [from: number, to: number] {
  const [low, high] = by > 0 ? [0, length] : [-1, length - 1]
  const place = (value: Value, otherwise: number) => {
    if (value === null) return otherwise
    const index = sliceIndexOrFail(value)
    return Math.max(low, Math.min(high, index < 0 ? index + length : index))
  }
  return by > 0 ? [place(start, 0), place(stop, length)] : [place(start, length - 1), place(stop, -1)]
}

/** An index of a slice. Fails as Python does if it is not a whole number. */
export function sliceIndexOrFail(value: Value): number {
  const index = toIndex(value)
  if (index !== undefined) return index
  throw failed('slice indices must be integers or None or have an __index__ method')
}
