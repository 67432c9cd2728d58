import * as z from 'zod'

// The error message of every field is the expected value, as a noun; for an unknown key it is the known keys, separated
// by spaces.

// A day: beyond 2^31 ms Node's timers fire at once.
export const maxSeconds = 86_400

/** An error message. */
export function expected(text: string): { error: string } {
  return { error: text }
}

export function section<Shape extends z.core.$ZodLooseShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  // A key such as `$schema` is the editor's.
  const known = Object.keys(shape).filter((key) => !key.startsWith('$'))
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? known.join(' ') : `an object with ${known.join(', ')}`),
  })
}

/** A number; as text too, because variables of the environment are text. */
export function number(min: number, max: number, unit: string): z.ZodType<number> {
  const text = expected(`${unit} from ${min} to ${max}`)
  return z.preprocess(numeric, z.number(text).min(min, text).max(max, text))
}

export function whole(min: number, max: number, noun: string = 'whole number'): z.ZodType<number> {
  const text = expected(`a ${noun} from ${min} to ${max}`)
  return z.preprocess(numeric, z.int(text).min(min, text).max(max, text))
}

/** A whole number, or the word `auto`. */
export function wholeOrAuto(min: number, max: number): z.ZodType<number | 'auto'> {
  const text = expected(`auto, or a whole number from ${min} to ${max}`)
  return z.preprocess(numeric, z.union([z.literal('auto', text), z.int(text).min(min, text).max(max, text)], text))
}

function numeric(value: unknown): unknown {
  return typeof value === 'string' && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value
}

export function oneOfValues<const Values extends readonly [string, ...string[]]>(
  values: Values,
): z.ZodType<Values[number]> {
  return z.literal(values, expected(values.length === 1 ? values[0] : `one of ${values.join(', ')}`))
}

/** One of the names, which errors list. */
export function oneOf(candidates: readonly string[], noun: string): z.ZodType<string> {
  const text = nameText(candidates, noun)
  return z.string(text).refine((value) => candidates.includes(value), { ...text, params: { candidates } })
}

/** One of the names, or an object of the program's own. */
export function oneOfOrOwn<Own>(
  candidates: readonly string[],
  noun: string,
  isOwn: (value: unknown) => value is Own,
): z.ZodType<string | Own> {
  const isKnown = (value: unknown): boolean => isOwn(value) || (typeof value === 'string' && candidates.includes(value))
  return z.custom<string | Own>(isKnown, { ...nameText(candidates, noun), params: { candidates } })
}

function nameText(candidates: readonly string[], noun: string): { error: string } {
  return expected(candidates.length === 0 ? `${noun}, of which there is none` : `${noun} (${candidates.join(', ')})`)
}
