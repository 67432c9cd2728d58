import { quotedEnd } from '../../../json/index.ts'
import { failed } from '../parse/error.ts'
import { sorted } from '../python/values/compare.ts'
import type { Runtime } from '../python/values/runtime.ts'
import { repr, reprFloat } from '../python/values/text.ts'
import { isInteger, isList, textOf, typeName } from '../python/values/types.ts'
import { Dict, Float, Tuple, type Value } from '../python/values/values.ts'

export interface JsonStyle {
  ensureAscii: boolean
  /** The indentation of each level; undefined for one line. */
  indent: string | undefined
  /** Between items, and between key and value. */
  separators: readonly [string, string]
  sortKeys: boolean
  /** Within a constant, whose text is kept whole. */
  isInConstant?: boolean
}

/** The value as Python's `json.dumps` writes it. */
export function dumpJson(value: Value, style: JsonStyle, runtime: Runtime): string {
  return dump(value, style, '\n', runtime)
}

function dump(value: Value, style: JsonStyle, newline: string, runtime: Runtime): string {
  runtime.budget.spend(1)
  const text = textOf(value)
  if (text !== undefined) return quote(text, style, runtime)
  if (value === null) return 'null'
  if (typeof value === 'bigint') return repr(value, runtime)
  if (isInteger(value)) return String(value)
  if (value instanceof Float) return dumpFloat(value)
  if (isList(value) || value instanceof Tuple) {
    const items = isList(value) ? value : value.items
    const inner = deeper(style, newline)
    return wrap(
      '[',
      items.map((item) => dump(item, style, inner, runtime)),
      ']',
      style,
      newline,
      runtime,
    )
  }
  if (value instanceof Dict)
    return value.written && !style.isInConstant
      ? dumpConstant(value, style, newline, runtime)
      : dumpDict(value, style, newline, runtime)
  throw failed(`Object of type ${typeName(value).replace(/^.*\./, '')} is not JSON serializable`)
}

function dumpDict(dict: Dict, style: JsonStyle, newline: string, runtime: Runtime): string {
  const inner = deeper(style, newline)
  const members = entriesOf(dict, style, runtime).map(
    ([key, item]) => quote(keyText(key), style, runtime) + style.separators[1] + dump(item, style, inner, runtime),
  )
  return wrap('{', members, '}', style, newline, runtime)
}

/** Tools are most of a prompt, and the same in all of an agent's: written once, at the price of each time. */
function dumpConstant(dict: Dict, style: JsonStyle, newline: string, runtime: Runtime): string {
  const { ensureAscii, indent, separators, sortKeys } = style
  const key = JSON.stringify([ensureAscii, indent, separators, sortKeys, newline])
  const known = dict.written?.get(key)
  if (known) {
    runtime.budget.spend(known.steps)
    return known.text
  }
  const before = runtime.budget.steps
  const text = dumpDict(dict, { ...style, isInConstant: true }, newline, runtime)
  // Reading a character has V8 copy the text into one piece. Else it keeps all that the text was joined from: 60 MB in `bench:hostile`.
  text.charCodeAt(0)
  dict.written?.set(key, { text, steps: runtime.budget.steps - before })
  return text
}

function deeper(style: JsonStyle, newline: string): string {
  return style.indent === undefined ? newline : newline + style.indent
}

function entriesOf(dict: Dict, style: JsonStyle, runtime: Runtime): (readonly [Value, Value])[] {
  const keys = [...dict.keys()]
  const order = style.sortKeys ? sorted(keys, keys, false, runtime) : keys
  return order.map((key) => [key, dict.get(key) ?? null])
}

function wrap(
  open: string,
  parts: readonly string[],
  close: string,
  style: JsonStyle,
  newline: string,
  runtime: Runtime,
): string {
  if (parts.length === 0) return open + close
  const inner = style.indent === undefined ? '' : deeper(style, newline)
  const between = style.separators[0].length + inner.length
  runtime.budget.text(parts.reduce((sum, part) => sum + part.length + between, 0))
  // Joined one by one, a part of megabytes is not copied at each level.
  let text = open
  let before = inner
  for (const part of parts) {
    text += before + part
    before = style.separators[0] + inner
  }
  return text + (style.indent === undefined ? '' : newline) + close
}

function keyText(key: Value): string {
  const text = textOf(key)
  if (text !== undefined) return text
  if (key === null) return 'null'
  if (isInteger(key)) return String(key)
  if (key instanceof Float) return dumpFloat(key)
  throw failed(`keys must be str, int, float, bool or None, not ${typeName(key)}`)
}

function dumpFloat({ value }: Float): string {
  if (Number.isFinite(value)) return reprFloat(value)
  return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity'
}

function quote(text: string, style: JsonStyle, runtime: Runtime): string {
  runtime.budget.text(text.length)
  // JavaScript escapes lone surrogates too, which Python leaves as they are; such a text cannot be sent to a model either way.
  const quoted = JSON.stringify(text)
  if (!style.ensureAscii) return quoted
  runtime.budget.walk(2 * quoted.length)
  return quoted.replace(/[\x7f-\uffff]/g, (unit) =>
    unit === '\x7f' ? unit : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** The error of a text that is no JSON. */
class JsonFault extends Error {}

const literals: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['null', null],
  ['true', true],
  ['false', false],
  ['NaN', new Float(Number.NaN)],
  ['Infinity', new Float(Number.POSITIVE_INFINITY)],
  ['-Infinity', new Float(Number.NEGATIVE_INFINITY)],
])
/** A sign, a quote that opens a string, or a literal. */
const token = /\s*(?:([[\]{},:"])|([^\s[\]{},:"]+))/y
const deepest = 500

/**
 * JSON text as a value of Python: unlike with `JSON.parse`, 1.0 stays a float, large whole numbers keep their digits and keys their order.
 * Throws a JsonFault.
 */
export function parseJson(text: string): Value {
  const parser = new JsonParser(text)
  return parser.whole()
}

class JsonParser {
  readonly #text: string
  #at = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
  }

  whole(): Value {
    const value = this.#value(this.#next())
    if (this.#text.slice(this.#at).trim() !== '') throw new JsonFault(`more than one value, at ${this.#at}`)
    return value
  }

  #next(): string {
    token.lastIndex = this.#at
    const found = token.exec(this.#text)
    if (!found) throw new JsonFault(`the text ends too early, at ${this.#at}`)
    this.#at = token.lastIndex
    const [, sign, literal = ''] = found
    if (sign !== '"') return sign ?? literal
    const start = this.#at - 1
    const end = quotedEnd(this.#text, start)
    if (end < 0) throw new JsonFault(`the text ends too early, at ${start}`)
    this.#at = end
    return this.#text.slice(start, end)
  }

  #value(first: string): Value {
    if (first === '{') return this.#nested(() => this.#object())
    if (first === '[') return this.#nested(() => this.#array())
    if (first.startsWith('"')) return this.#string(first)
    const literal = literals.get(first)
    if (literal !== undefined) return literal
    if (/^-?(?:0|[1-9]\d*)$/.test(first)) {
      const number = Number(first)
      return Number.isSafeInteger(number) ? number : BigInt(first)
    }
    if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(first)) return new Float(Number(first))
    throw new JsonFault(`no value, but ${JSON.stringify(first)}, before ${this.#at}`)
  }

  #object(): Dict {
    const dict = new Dict()
    for (let next = this.#next(); next !== '}'; next = this.#next()) {
      if (dict.size > 0) {
        this.#expect(',', next)
        next = this.#next()
      }
      if (!next.startsWith('"')) throw new JsonFault(`no key, but ${JSON.stringify(next)}, before ${this.#at}`)
      const key = this.#string(next)
      this.#expect(':', this.#next())
      dict.set(key, this.#value(this.#next()))
    }
    return dict
  }

  #array(): Value[] {
    const items: Value[] = []
    for (let next = this.#next(); next !== ']'; next = this.#next()) {
      if (items.length > 0) {
        this.#expect(',', next)
        next = this.#next()
      }
      items.push(this.#value(next))
    }
    return items
  }

  #expect(expected: string, found: string): void {
    if (found !== expected) throw new JsonFault(`no '${expected}', but ${JSON.stringify(found)}, before ${this.#at}`)
  }

  #string(quoted: string): string {
    try {
      return String(JSON.parse(quoted))
    } catch {
      throw new JsonFault(`a string is invalid, before ${this.#at}`)
    }
  }

  #nested<Result>(parse: () => Result): Result {
    if (++this.#depth > deepest) throw new JsonFault(`more than ${deepest} levels`)
    const result = parse()
    this.#depth--
    return result
  }
}
