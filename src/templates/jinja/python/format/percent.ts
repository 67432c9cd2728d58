import { failed } from '../../parse/error.ts'
import { Range } from '../values/range.ts'
import type { Runtime } from '../values/runtime.ts'
import { escapeMarkup, repr, str } from '../values/text.ts'
import { codePointLength, isNumeric, textOf, toFloat, toIndex, typeName } from '../values/types.ts'
import { Dict, Float, Markup, Tuple, Undefined, type Value } from '../values/values.ts'
import { type FormatSpec, formatNumber, formatText, plainSpec } from './spec.ts'

const conversion = /%(?:\(([^)]*)\))?([-+ #0]*)(\*|\d+)?(?:\.(\*|\d+)?)?[hlL]?([diouxXeEfFgGcrsa%])?/g

/** `text % values`, as Python's strings have it. */
export function formatPercent(format: Value, values: Value, runtime: Runtime): Value {
  const text = textOf(format) ?? ''
  const isSafe = format instanceof Markup
  const positional = values instanceof Tuple ? values.items : [values]
  let used = 0
  const take = () => {
    const value = positional[used++]
    if (value === undefined) throw failed('not enough arguments for format string')
    return value
  }
  const parts: string[] = []
  let at = 0
  for (const match of text.matchAll(conversion)) {
    const [all, key, flags = '', width, precision, type] = match
    parts.push(text.slice(at, match.index))
    at = match.index + all.length
    if (type === undefined)
      throw failed(at >= text.length ? 'incomplete format' : `unsupported format character '${text[at]}'`)
    if (type === '%') {
      parts.push('%')
      continue
    }
    const spec = readSpec(
      flags,
      width === '*' ? take() : width,
      all.includes('.') ? (precision === '*' ? take() : (precision ?? 0)) : undefined,
    )
    const value = key === undefined ? take() : named(values, key, runtime)
    const written = convert(isSafe && type === 's' ? escapeMarkup(value, runtime) : value, type, spec, runtime)
    runtime.budget.text(written.length)
    parts.push(written)
  }
  // Python treats any value with items as a mapping, except tuples and text.
  const isMapping =
    values instanceof Dict || values instanceof Undefined || values instanceof Range || Array.isArray(values)
  if (!isMapping && used < positional.length) throw failed('not all arguments converted during string formatting')
  const result = parts.join('') + text.slice(at)
  return isSafe ? new Markup(result) : result
}

function named(values: Value, key: string, runtime: Runtime): Value {
  if (!(values instanceof Dict)) throw failed('format requires a mapping')
  const value = values.get(key)
  if (value === undefined) throw failed(repr(key, runtime))
  return value
}

function readSpec(flags: string, width: Value | undefined, precision: Value | undefined): FormatSpec {
  return {
    ...plainSpec,
    align: flags.includes('-') ? '<' : flags.includes('0') ? '=' : '>',
    fill: flags.includes('0') && !flags.includes('-') ? '0' : ' ',
    sign: flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '-',
    alternate: flags.includes('#'),
    width: width === undefined ? 0 : count(width),
    precision: precision === undefined ? undefined : count(precision),
  }
}

function count(value: Value): number {
  const number = typeof value === 'string' ? Number(value) : toIndex(value)
  if (number === undefined) throw failed('* wants int')
  return number
}

function convert(value: Value, type: string, spec: FormatSpec, runtime: Runtime): string {
  const text: FormatSpec = { ...spec, align: spec.align === '=' ? '>' : spec.align, fill: ' ' }
  switch (type) {
    case 's':
      return formatText(str(value, runtime), text, runtime)
    case 'r':
    case 'a':
      return formatText(repr(value, runtime), text, runtime)
    case 'c': {
      const code = toIndex(value)
      if (code === undefined && codePointLength(textOf(value) ?? '') !== 1) throw failed('%c requires int or char')
      return formatText(
        code === undefined ? str(value, runtime) : String.fromCodePoint(Math.max(0, Math.min(code, 0x10ffff))),
        text,
        runtime,
      )
    }
    case 'd':
    case 'i':
    case 'u':
      if (!isNumeric(value)) throw failed(`%${type} format: a real number is required, not ${typeName(value)}`)
      return formatNumber(
        value instanceof Float ? BigInt(Math.trunc(value.value)) : value,
        { ...spec, type: 'd' },
        runtime,
      )
    case 'o':
    case 'x':
    case 'X':
      if (!isNumeric(value) || value instanceof Float) {
        throw failed(`%${type} format: an integer is required, not ${typeName(value)}`)
      }
      return formatNumber(value, { ...spec, type }, runtime)
    default:
      if (!isNumeric(value)) throw failed(`must be real number, not ${typeName(value)}`)
      return formatNumber(new Float(toFloat(value)), { ...spec, type }, runtime)
  }
}
