import { failed } from '../../parse/error.ts'
import { isWhitespace, trimEnd, trimStart } from '../../parse/whitespace.ts'
import { formatBraces } from '../format/braces.ts'
import { expandTabs, fill, justify } from '../format/padding.ts'
import { type Arguments, bind } from '../values/arguments.ts'
import type { Runtime } from '../values/runtime.ts'
import { indexOf, lastIndexOf, split, splitAt, splitLines, splitWords } from '../values/search.ts'
import { bounds, indexOrFail } from '../values/sequence-index.ts'
import { codePointLength, codePoints, isInteger, isTrue, iterateOrFail, textOf, typeName } from '../values/types.ts'
import { Dict, Tuple, type Value } from '../values/values.ts'

export type StringMethod = (text: string, args: Arguments, runtime: Runtime) => Value

/** The methods of Python's strings, except those on bytes and character tables. */
export const stringMethods: ReadonlyMap<string, StringMethod> = new Map<string, StringMethod>([
  ['upper', (text) => text.toUpperCase()],
  ['lower', (text) => text.toLowerCase()],
  ['casefold', (text) => text.toLowerCase().replaceAll('ß', 'ss')],
  ['capitalize', (text) => capitalize(text)],
  ['title', (text, _, runtime) => walked(text, runtime).replace(/\p{L}+/gu, capitalize)],
  [
    'swapcase',
    (text, _, runtime) =>
      Array.from(walked(walked(text, runtime), runtime), (one) =>
        one === one.toUpperCase() ? one.toLowerCase() : one.toUpperCase(),
      ).join(''),
  ],
  ['strip', (text, args, runtime) => strip(text, 'strip', args, true, true, runtime)],
  ['lstrip', (text, args, runtime) => strip(text, 'lstrip', args, true, false, runtime)],
  ['rstrip', (text, args, runtime) => strip(text, 'rstrip', args, false, true, runtime)],
  ['split', (text, args, runtime) => splitCall(text, 'split', args, runtime)],
  ['rsplit', (text, args, runtime) => splitCall(text, 'rsplit', args, runtime)],
  ['splitlines', (text, args, runtime) => lines(text, args, runtime)],
  ['partition', (text, args) => partition(text, 'partition', args)],
  ['rpartition', (text, args) => partition(text, 'rpartition', args)],
  ['startswith', (text, args, runtime) => affix(text, 'startswith', args, runtime)],
  ['endswith', (text, args, runtime) => affix(text, 'endswith', args, runtime)],
  [
    'removeprefix',
    (text, args) => {
      const prefix = part('removeprefix', args)
      return text.startsWith(prefix) ? text.slice(prefix.length) : text
    },
  ],
  [
    'removesuffix',
    (text, args) => {
      const suffix = part('removesuffix', args)
      return suffix !== '' && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text
    },
  ],
  ['replace', (text, args, runtime) => replaceCall(text, args, runtime)],
  ['find', (text, args, runtime) => find(text, 'find', args, runtime)],
  ['rfind', (text, args, runtime) => find(text, 'rfind', args, runtime)],
  ['index', (text, args, runtime) => found(find(text, 'index', args, runtime))],
  ['rindex', (text, args, runtime) => found(find(text, 'rindex', args, runtime))],
  [
    'count',
    (text, args, runtime) => {
      const within = range(text, args, runtime)
      const wanted = part('count', args)
      return wanted === '' ? codePointLength(within) + 1 : splitAt(within, wanted, runtime.budget).length - 1
    },
  ],
  ['join', (text, args, runtime) => joinCall(text, args, runtime)],
  ['center', (text, args, runtime) => pad(text, 'center', args, runtime)],
  ['ljust', (text, args, runtime) => pad(text, 'ljust', args, runtime)],
  ['rjust', (text, args, runtime) => pad(text, 'rjust', args, runtime)],
  [
    'zfill',
    (text, args, runtime) => {
      const [width = null] = bind('zfill', ['width'], args, 1)
      const sign = /^[-+]/.exec(text)?.[0] ?? ''
      return sign + fill('0', indexOrFail(width) - codePointLength(text), runtime) + text.slice(sign.length)
    },
  ],
  [
    'expandtabs',
    (text, args, runtime) => {
      const [width = 8] = bind('expandtabs', ['tabsize'], args)
      return expandTabs(text, indexOrFail(width), runtime)
    },
  ],
  ['format', (text, args, runtime) => formatBraces(text, args, runtime)],
  [
    'format_map',
    (text, args, runtime) => {
      const [mapping = null] = bind('format_map', ['mapping'], args, 1)
      if (!(mapping instanceof Dict)) throw failed('format_map() needs a mapping')
      const named = [...mapping.entries()].map(([key, value]): [string, Value] => [textOf(key) ?? '', value])
      return formatBraces(text, { positional: [], named: new Map(named) }, runtime)
    },
  ],
  ['isspace', (text, _, runtime) => isWhitespace(walked(text, runtime))],
  ['isalpha', (text) => /^\p{L}+$/u.test(text)],
  ['isdigit', (text) => /^[\p{Nd}\u00b2\u00b3\u00b9\u2070-\u2079\u2080-\u2089]+$/u.test(text)],
  ['isdecimal', (text) => /^\p{Nd}+$/u.test(text)],
  ['isnumeric', (text) => /^\p{N}+$/u.test(text)],
  ['isalnum', (text) => /^[\p{L}\p{N}]+$/u.test(text)],
  ['isascii', (text) => /^[\x00-\x7f]*$/.test(text)],
  ['isupper', (text) => isUpper(text)],
  ['islower', (text) => isLower(text)],
  [
    'istitle',
    (text, _, runtime) => text !== text.toLowerCase() && text === walked(text, runtime).replace(/\p{L}+/gu, capitalize),
  ],
  ['isidentifier', (text) => /^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}]*$/u.test(text)],
  ['isprintable', (text) => !/[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u.test(text)],
])

/** The text, after its length was charged to the budget. */
function walked(text: string, { budget }: Runtime): string {
  budget.walk(text.length)
  return text
}

export function capitalize(text: string): string {
  const [first = ''] = text
  return first.toUpperCase() + text.slice(first.length).toLowerCase()
}

export function isUpper(text: string): boolean {
  return text === text.toUpperCase() && text !== text.toLowerCase()
}

export function isLower(text: string): boolean {
  return text === text.toLowerCase() && text !== text.toUpperCase()
}

/** `strip` and its kin: without characters to strip it is white space. */
export function strip(
  text: string,
  name: string,
  args: Arguments,
  atStart: boolean,
  atEnd: boolean,
  runtime: Runtime,
): string {
  const [chars = null] = bind(name, ['chars'], args)
  const set = textOf(chars)
  if (set === undefined && chars !== null) throw failed(`${name} arg must be None or str`)
  runtime.budget.walk(set?.length ?? 0)
  const characters = new Set(set?.split(''))
  const isStripped = set === undefined ? undefined : (character: string) => characters.has(character)
  const rest = atStart ? trimStart(text, isStripped) : text
  return atEnd ? trimEnd(rest, isStripped) : rest
}

function splitCall(text: string, name: 'split' | 'rsplit', args: Arguments, runtime: Runtime): Value {
  const [separator = null, most = -1] = bind(name, ['sep', 'maxsplit'], args)
  const limit = indexOrFail(most)
  if (separator === null) runtime.budget.walk(text.length)
  const parts =
    separator === null
      ? splitWords(text, limit < 0 ? Number.POSITIVE_INFINITY : limit, name === 'rsplit')
      : split(
          text,
          stringOrFail(separator, 'must be str or None'),
          limit < 0 ? Number.POSITIVE_INFINITY : limit,
          name === 'rsplit',
          runtime.budget,
        )
  runtime.budget.elements(parts.length)
  return parts
}

function lines(text: string, args: Arguments, runtime: Runtime): Value {
  const [keep = false] = bind('splitlines', ['keepends'], args)
  if (!isInteger(keep)) throw failed(`'${typeName(keep)}' object cannot be interpreted as an integer`)
  runtime.budget.walk(text.length >>> 1)
  const parts = splitLines(text, isTrue(keep))
  runtime.budget.elements(parts.length)
  return parts
}

function partition(text: string, name: 'partition' | 'rpartition', args: Arguments): Value {
  const separator = part(name, args)
  if (separator === '') throw failed('empty separator')
  const at = name === 'partition' ? indexOf(text, separator) : lastIndexOf(text, separator)
  if (at < 0) return new Tuple(name === 'partition' ? [text, '', ''] : ['', '', text])
  return new Tuple([text.slice(0, at), separator, text.slice(at + separator.length)])
}

function affix(text: string, name: 'startswith' | 'endswith', args: Arguments, runtime: Runtime): boolean {
  const [wanted = null] = bind(name, ['prefix', 'start', 'end'], args, 1)
  const within = range(text, args, runtime)
  const options = wanted instanceof Tuple ? wanted.items : [wanted]
  return options.some((option) => {
    const affix = textOf(option)
    if (affix === undefined) {
      throw failed(`${name} first arg must be str or a tuple of str, not ${typeName(wanted)}`)
    }
    runtime.budget.spend(1 + (affix.length >>> 4))
    return name === 'startswith' ? within.startsWith(affix) : within.endsWith(affix)
  })
}

function replaceCall(text: string, args: Arguments, runtime: Runtime): string {
  const [old = null, replacement = null, count = -1] = bind('replace', ['old', 'new', 'count'], args, 2)
  return replace(text, stringOrFail(old), stringOrFail(replacement), indexOrFail(count), runtime)
}

/** Replaces the first `count` occurrences, or all if it is below zero. */
export function replace(text: string, old: string, replacement: string, count: number, runtime: Runtime): string {
  const limit = count < 0 ? Number.POSITIVE_INFINITY : count
  if (limit === 0) return text
  if (old === '') runtime.budget.elements(text.length)
  const parts = old === '' ? ['', ...text, ''] : splitAt(text, old, runtime.budget)
  if (parts.length === 1) return text
  const places = Math.min(limit, parts.length - 1)
  runtime.budget.text(text.length + places * replacement.length)
  if (places === parts.length - 1) return parts.join(replacement)
  return [...parts.slice(0, places), parts.slice(places).join(old)].join(replacement)
}

function find(text: string, name: string, args: Arguments, runtime: Runtime): number {
  const [, start = null] = bind(name, ['sub', 'start', 'end'], args, 1)
  const wanted = part(name, args)
  const within = range(text, args, runtime)
  const at = name.startsWith('r') ? lastIndexOf(within, wanted) : indexOf(within, wanted)
  if (at < 0) return -1
  const [offset] = bounds(codePointLength(text), 1, start, null)
  return offset + codePointLength(within.slice(0, at))
}

function found(index: number): number {
  if (index < 0) throw failed('substring not found')
  return index
}

/** The part of the text that the second and third argument name, as places. */
function range(text: string, { positional: [, start = null, end = null] }: Arguments, runtime: Runtime): string {
  if (start === null && end === null) return text
  runtime.budget.walk(text.length)
  const characters = codePoints(text, runtime.budget)
  const [from, to] = bounds(characters.length, 1, start, end)
  const within = characters.slice(from, Math.max(from, to))
  return typeof within === 'string' ? within : within.join('')
}

function joinCall(text: string, args: Arguments, runtime: Runtime): string {
  const [values = null] = bind('join', ['iterable'], args, 1)
  const parts: string[] = []
  let length = 0
  for (const value of iterateOrFail(values)) {
    const part = textOf(value)
    if (part === undefined)
      throw failed(`sequence item ${parts.length}: expected str instance, ${typeName(value)} found`)
    length += part.length + text.length
    runtime.budget.spend(1)
    parts.push(part)
  }
  runtime.budget.text(length)
  return parts.join(text)
}

function pad(text: string, name: 'center' | 'ljust' | 'rjust', args: Arguments, runtime: Runtime): string {
  const [width = null, filler = ' '] = bind(name, ['width', 'fillchar'], args, 1)
  return justify(text, name, indexOrFail(width), stringOrFail(filler), runtime)
}

function part(name: string, args: Arguments): string {
  return stringOrFail(args.positional[0] ?? null, `${name} needs a str`)
}

function stringOrFail(value: Value, otherwise?: string): string {
  const text = textOf(value)
  if (text !== undefined) return text
  throw failed(otherwise ? `${otherwise}, not ${typeName(value)}` : `argument must be str, not ${typeName(value)}`)
}
