import type { Runtime } from './runtime.ts'
import { isList } from './types.ts'
import { Dict, Float, Markup, Tuple, Undefined, type Value } from './values.ts'

/** The value as Python's `str` writes it, which is its form in the rendered text. */
export function str(value: Value, runtime: Runtime): string {
  if (typeof value === 'string') return value
  if (value instanceof Markup) return value.text
  if (value instanceof Undefined) return ''
  return repr(value, runtime)
}

/** The value as Python's `repr` writes it, which is its form inside a list or a dictionary. */
export function repr(value: Value, runtime: Runtime): string {
  runtime.budget.spend(1)
  if (typeof value === 'string') return reprText(value, runtime)
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'bigint') return reprLarge(value, runtime)
  if (value instanceof Float) return reprFloat(value.value)
  if (value instanceof Markup) return `Markup(${reprText(value.text, runtime)})`
  if (value instanceof Undefined) return 'Undefined'
  const text = isList(value) ? `[${reprAll(value, runtime)}]` : reprContainer(value, runtime)
  runtime.budget.text(text.length)
  return text
}

function reprLarge(value: bigint, runtime: Runtime): string {
  const text = String(value)
  // Writing a number takes longer than a text of its length.
  runtime.budget.spend(text.length)
  return text
}

function reprContainer(
  value: Exclude<Value, null | boolean | number | bigint | string | readonly Value[]>,
  runtime: Runtime,
): string {
  if (value instanceof Tuple) {
    return value.items.length === 1 ? `(${reprAll(value.items, runtime)},)` : `(${reprAll(value.items, runtime)})`
  }
  if (value instanceof Dict) {
    const entries = Array.from(value.entries(), ([key, item]) => `${repr(key, runtime)}: ${repr(item, runtime)}`)
    return `{${entries.join(', ')}}`
  }
  if (value instanceof Float || value instanceof Markup || value instanceof Undefined) return ''
  return value.repr(runtime)
}

export function reprAll(values: Iterable<Value>, runtime: Runtime): string {
  return Array.from(values, (value) => repr(value, runtime)).join(', ')
}

const named: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
/**
 * Characters that Python writes as an escape: the backslash, and unprintable characters, which are all that Unicode
 * classifies as other or separator.
 */
const escaped = /[\\\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu

function reprText(text: string, runtime: Runtime): string {
  runtime.budget.text(text.length)
  runtime.budget.walk(text.length)
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const body = text.replace(escaped, (character) => named[character] ?? escapeCode(character.codePointAt(0) ?? 0))
  return `${quote}${quote === "'" ? body.replaceAll("'", "\\'") : body}${quote}`
}

function escapeCode(code: number): string {
  const hex = code.toString(16)
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`
}

/**
 * A float with the fewest digits that distinguish it from its neighbours, as in JavaScript, but with exponents in
 * Python's notation.
 */
export function reprFloat(value: number): string {
  if (Number.isNaN(value)) return 'nan'
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf'
  if (Object.is(value, -0)) return '-0.0'
  const [digits = '', exponent = ''] = value.toExponential().split('e')
  const power = Number(exponent)
  if (value !== 0 && (power < -4 || power >= 16)) {
    return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
  }
  const text = power < -6 ? value.toFixed(Math.min(100, -power + digits.length)) : String(value)
  return text.includes('.') ? text : `${text}.0`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
}

/** The value as safe markup. */
export function escapeMarkup(value: Value, runtime: Runtime): Markup {
  if (value instanceof Markup) return value
  const text = str(value, runtime)
  runtime.budget.walk(text.length)
  return new Markup(text.replace(/[&<>"']/g, (character) => entities[character] ?? character))
}
