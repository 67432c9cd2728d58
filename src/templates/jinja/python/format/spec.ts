import { failed } from '../../parse/error.ts'
import type { Runtime } from '../values/runtime.ts'
import { reprFloat, str } from '../values/text.ts'
import { codePointLength, isInteger, isNumeric, textOf, toFloat, typeName } from '../values/types.ts'
import { Float, type Value } from '../values/values.ts'
import { fill, justify } from './padding.ts'

/** A format of a value: `{:>8.2f}` or `%-8.2f`. */
export interface FormatSpec {
  fill: string
  align: '<' | '>' | '^' | '=' | undefined
  sign: '+' | '-' | ' '
  alternate: boolean
  width: number
  grouping: '' | ',' | '_'
  precision: number | undefined
  type: string
}

export const plainSpec: FormatSpec = {
  fill: ' ',
  align: undefined,
  sign: '-',
  alternate: false,
  width: 0,
  grouping: '',
  precision: undefined,
  type: '',
}

/** More digits than a number has. */
const mostPrecision = 100

export function formatNumber(value: Value, spec: FormatSpec, runtime: Runtime): string {
  if (!isNumeric(value)) throw failed(`Unknown format code '${spec.type}' for object of type '${typeName(value)}'`)
  const isWhole = 'dbxXo'.includes(spec.type) && spec.type !== ''
  if (isWhole && value instanceof Float) throw failed(`Unknown format code '${spec.type}' for object of type 'float'`)
  const isNegative = isInteger(value) ? BigInt(value) < 0n : toFloat(value) < 0 || Object.is(toFloat(value), -0)
  const digits = magnitude(value, spec)
  const sign = isNegative ? '-' : spec.sign === '-' ? '' : spec.sign
  const prefix = spec.alternate && 'bxXo'.includes(spec.type) && spec.type !== '' ? `0${spec.type}` : ''
  const grouped = spec.grouping === '' ? digits : digits.replace(/^\d+/, (whole) => group(whole, spec.grouping))
  if (spec.align === '=') {
    const missing = spec.width - sign.length - prefix.length - grouped.length
    return sign + prefix + fill(spec.fill, missing, runtime) + grouped
  }
  return aligned(sign + prefix + grouped, { ...spec, align: spec.align ?? '>' }, runtime)
}

function magnitude(value: boolean | number | bigint | Float, spec: FormatSpec): string {
  const precision = spec.precision === undefined ? undefined : Math.min(spec.precision, mostPrecision)
  if (isInteger(value) && ['', 'd', 'b', 'o', 'x', 'X', 'n'].includes(spec.type)) {
    const radix = spec.type === 'b' ? 2 : spec.type === 'o' ? 8 : spec.type.toLowerCase() === 'x' ? 16 : 10
    const whole = BigInt(value)
    const text = (whole < 0n ? -whole : whole).toString(radix)
    return spec.type === 'X' ? text.toUpperCase() : text
  }
  const float = Math.abs(toFloat(value))
  switch (spec.type) {
    case 'f':
    case 'F':
      return fixed(float, precision ?? 6)
    case '%':
      return `${fixed(float * 100, precision ?? 6)}%`
    case 'e':
    case 'E': {
      const text = float.toExponential(precision ?? 6).replace(/e([-+])(\d)$/, 'e$10$2')
      return spec.type === 'E' ? text.toUpperCase() : text
    }
    case 'g':
    case 'G':
      return general(float, precision ?? 6)
    case '':
      return precision === undefined ? reprFloat(float) : general(float, precision)
    default:
      throw failed(`Unknown format code '${spec.type}' for object of type '${typeName(value)}'`)
  }
}

/** With the digits of the number's exact value, so that 0.125 and 2.5 go to the even neighbour as in Python. */
export function fixed(value: number, precision: number): string {
  if (!Number.isFinite(value)) return reprFloat(value)
  if (value < 0 || Object.is(value, -0)) return `-${fixed(-value, precision)}`
  const text = value.toFixed(precision)
  // JavaScript takes the larger of two equally near texts, Python the even one.
  const isTie = value < 1e15 && isHalfway(value, precision)
  if (!isTie || Number(text.at(-1)) % 2 === 0) return text
  const lower = Number(text) - 10 ** -precision
  return lower.toFixed(precision)
}

function isHalfway(value: number, precision: number): boolean {
  if (precision > 20) return false
  // Halves are exact in binary, and so is their product with a small power of ten.
  const scaled = value * 10 ** precision
  return (
    scaled % 1 === 0.5 &&
    Number(value.toFixed(Math.min(100, precision + 30))) === scaled / 10 ** precision &&
    exact(value, precision)
  )
}

function exact(value: number, precision: number): boolean {
  const digits = value.toFixed(Math.min(100, precision + 60)).split('.')[1] ?? ''
  return /^50*$/.test(digits.slice(precision))
}

function general(value: number, precision: number): string {
  if (!Number.isFinite(value)) return reprFloat(value)
  const digits = Math.max(1, precision)
  const exponent = value === 0 ? 0 : Number(value.toExponential(digits - 1).split('e')[1])
  if (exponent < -4 || exponent >= digits) {
    return value
      .toExponential(digits - 1)
      .replace(/\.?0+e/, 'e')
      .replace(/e([-+])(\d)$/, 'e$10$2')
  }
  const text = value.toFixed(Math.max(0, Math.min(100, digits - 1 - exponent)))
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

function group(digits: string, separator: string): string {
  const first = digits.length % 3
  const groups = digits.slice(first).match(/\d{3}/g) ?? []
  return [...(first > 0 ? [digits.slice(0, first)] : []), ...groups].join(separator)
}

export function formatText(value: Value, spec: FormatSpec, runtime: Runtime): string {
  const text = textOf(value) ?? str(value, runtime)
  const cut = spec.precision === undefined ? text : Array.from(text).slice(0, spec.precision).join('')
  return aligned(cut, spec, runtime)
}

function aligned(text: string, spec: FormatSpec, runtime: Runtime): string {
  if (spec.width <= codePointLength(text)) return text
  const missing = spec.width - codePointLength(text)
  if (spec.align !== '^') return justify(text, spec.align === '>' ? 'rjust' : 'ljust', spec.width, spec.fill, runtime)
  const left = Math.floor(missing / 2)
  return fill(spec.fill, left, runtime) + text + fill(spec.fill, missing - left, runtime)
}
