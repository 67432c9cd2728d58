import * as z from 'zod'

// The error message of every field is what was expected, as a noun; of an unknown key it is the keys that are known,
// apart by spaces.

// A day: beyond 2^31 ms Node's timers fire at once.
export const maxSeconds = 86_400

/** An error message. */
export function expected(text: string): { error: string } {
  return { error: text }
}

export function section<Shape extends z.core.$ZodLooseShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  const known = Object.keys(shape)
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? known.join(' ') : `an object with ${known.join(', ')}`),
  })
}

/** A number; as text too, since what comes from the environment is text. */
export function number(min: number, max: number, unit: string): z.ZodType<number> {
  const text = expected(`${unit} from ${min} to ${max}`)
  return z.preprocess(numeric, z.number(text).min(min, text).max(max, text))
}

export function whole(min: number, max: number, noun: string = 'whole number'): z.ZodType<number> {
  const text = expected(`a ${noun} from ${min} to ${max}`)
  return z.preprocess(numeric, z.int(text).min(min, text).max(max, text))
}

function numeric(value: unknown): unknown {
  return typeof value === 'string' && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value
}

export function choice<const Values extends readonly [string, ...string[]]>(values: Values): z.ZodType<Values[number]> {
  return z.literal(values, expected(values.length === 1 ? values[0] : `one of ${values.join(', ')}`))
}

export function oneOf(candidates: readonly string[], noun: string): z.ZodType<string> {
  const text = expected(
    candidates.length === 0 ? `${noun}, of which there is none` : `${noun} (${candidates.join(', ')})`,
  )
  return z.string(text).refine((value) => candidates.includes(value), { ...text, params: { candidates } })
}
