import { failed } from '../parse/error.ts'
import { fixed } from '../python/format/spec.ts'
import { bind } from '../python/values/arguments.ts'
import type { Runtime } from '../python/values/runtime.ts'
import { indexOrFail } from '../python/values/sequence-index.ts'
import {
  failOnUndefined,
  fromBigInt,
  isInteger,
  isNumeric,
  textOf,
  toFloat,
  toIndex,
  typeName,
} from '../python/values/types.ts'
import { Float, orElse, type Value } from '../python/values/values.ts'
import type { Filter } from './filter.ts'

/** Filters for numbers. */
export const numberFilters: Readonly<Record<string, Filter>> = {
  abs: (value) => {
    if (value instanceof Float) return new Float(Math.abs(value.value))
    if (!isInteger(value)) throw failed(`bad operand type for abs(): '${typeName(value)}'`)
    const whole = BigInt(value)
    return fromBigInt(whole < 0n ? -whole : whole)
  },
  int: (value, args, runtime) => {
    failOnUndefined(value)
    const [otherwise = 0, base = 10] = bind('do_int', ['default', 'base'], args)
    return orElse(toInteger(value, toIndex(base) ?? 10, runtime), () => otherwise)
  },
  float: (value, args) => {
    failOnUndefined(value)
    const [otherwise = new Float(0)] = bind('do_float', ['default'], args)
    const number = parseFloatText(value)
    return number === undefined ? otherwise : new Float(number)
  },
  round: (value, args) => {
    const [digits = 0, method = 'common'] = bind('do_round', ['precision', 'method'], args)
    return round(value, indexOrFail(digits), textOf(method) ?? '')
  },
  filesizeformat: (value, args) => {
    const [binary = false] = bind('do_filesizeformat', ['binary'], args)
    return fileSize(parseFloatText(value) ?? Number.NaN, binary === true)
  },
}

function toInteger(value: Value, base: number, { budget }: Runtime): Value | undefined {
  if (isInteger(value)) return fromBigInt(BigInt(value))
  const text = textOf(value)
  budget.spend(2 * Math.min(longestNumber, text?.length ?? 0))
  const whole = text === undefined ? undefined : parseInteger(text.trim().replace(/(?<=\w)_(?=\w)/g, ''), base)
  if (whole !== undefined) return whole
  const number = parseFloatText(value)
  return number === undefined || !Number.isFinite(number) ? undefined : fromBigInt(BigInt(Math.trunc(number)))
}

const prefixes: Readonly<Record<number, RegExp>> = { 2: /^0b/i, 8: /^0o/i, 16: /^0x/i }
/** More digits than this Python does not read either. */
const longestNumber = 4300

function parseInteger(text: string, base: number): Value | undefined {
  const [, sign = '', body = ''] = /^([-+]?)(.*)$/s.exec(text) ?? []
  const digits = body.replace(prefixes[base] ?? /(?!)/, '').toLowerCase()
  if (digits === '' || digits.length > longestNumber) return undefined
  let value = 0n
  for (const digit of digits) {
    const place = '0123456789abcdefghijklmnopqrstuvwxyz'.indexOf(digit)
    if (place < 0 || place >= base) return undefined
    value = value * BigInt(base) + BigInt(place)
  }
  return fromBigInt(sign === '-' ? -value : value)
}

function parseFloatText(value: Value): number | undefined {
  if (isNumeric(value)) return toFloat(value)
  const text = textOf(value)
    ?.trim()
    .replace(/(?<=\d)_(?=\d)/g, '')
  if (text === undefined) return undefined
  if (/^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i.test(text)) return Number(text)
  if (/^[-+]?(?:inf|infinity)$/i.test(text))
    return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  return /^[-+]?nan$/i.test(text) ? Number.NaN : undefined
}

function round(value: Value, digits: number, method: string): Value {
  if (!isNumeric(value)) throw failed(`type ${typeName(value)} doesn't define __round__ method`)
  if (method === 'common') {
    if (isInteger(value) && digits >= 0) return fromBigInt(BigInt(value))
    const number = toFloat(value)
    if (digits >= 0) return new Float(Number(fixed(number, Math.min(digits, 100))))
    const unit = 10 ** -digits
    const rounded = Number(fixed(number / unit, 0)) * unit
    return isInteger(value) ? rounded || 0 : new Float(rounded)
  }
  if (method !== 'ceil' && method !== 'floor') throw failed('method must be common, ceil or floor')
  const unit = 10 ** Math.min(digits, 300)
  // Python rounds to a whole number, which has no negative zero.
  return new Float((Math[method](toFloat(value) * unit) || 0) / unit)
}

function fileSize(bytes: number, binary: boolean): string {
  const base = binary ? 1024 : 1000
  if (Number.isNaN(bytes)) throw failed('filesizeformat needs a number')
  if (bytes === 1) return '1 Byte'
  if (bytes < base) return `${Math.trunc(bytes)} Bytes`
  const units = binary ? ['KiB', 'MiB', 'GiB', 'TiB', 'PiB'] : ['kB', 'MB', 'GB', 'TB', 'PB']
  const power = Math.min(units.length, Math.floor(Math.log(bytes) / Math.log(base)))
  return `${(bytes / base ** power).toFixed(1)} ${units[power - 1]}`
}
