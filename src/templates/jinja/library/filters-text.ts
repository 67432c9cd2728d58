import { failed } from '../parse/error.ts'
import { fill, justify } from '../python/format/padding.ts'
import { formatPercent } from '../python/format/percent.ts'
import { pairs } from '../python/methods/methods.ts'
import { capitalize, replace, strip } from '../python/methods/string-methods.ts'
import { bind } from '../python/values/arguments.ts'
import type { Runtime } from '../python/values/runtime.ts'
import { splitLines, splitWords } from '../python/values/search.ts'
import { indexOrFail } from '../python/values/sequence-index.ts'
import { str } from '../python/values/text.ts'
import {
  codePointLength,
  failOnUndefined,
  isTrue,
  iterate,
  iterateOrFail,
  lengthOf,
  textOf,
  typeName,
} from '../python/values/types.ts'
import { Dict, Markup, Tuple, type Value } from '../python/values/values.ts'
import type { Filter } from './filter.ts'
import { wrapText } from './wrap-text.ts'

/** Filters that make text of any value. What is made of safe text is safe. */
export const textFilters: Readonly<Record<string, Filter>> = {
  upper: onText((text) => text.toUpperCase()),
  lower: onText((text) => text.toLowerCase()),
  capitalize: onText(capitalize),
  title: onText((text, runtime) => {
    runtime.budget.walk(text.length)
    return text.replace(/[^-\s({[<]+/g, capitalize)
  }),
  trim: (value, args, runtime) => like(value, strip(str(value, runtime), 'do_trim', args, true, true, runtime)),
  replace: (value, args, runtime) => {
    const [old = null, replacement = null, count = null] = bind('do_replace', ['old', 'new', 'count'], args, 2)
    const most = count === null ? -1 : indexOrFail(count)
    return replace(str(value, runtime), str(old, runtime), str(replacement, runtime), most, runtime)
  },
  indent: (value, args, runtime) => {
    const [width = 4, first = false, blank = false] = bind('do_indent', ['width', 'first', 'blank'], args)
    return indent(value, textOf(width) ?? fill(' ', indexOrFail(width), runtime), isTrue(first), isTrue(blank), runtime)
  },
  center: (value, args, runtime) => {
    const [width = 80] = bind('do_center', ['width'], args)
    return like(value, justify(str(value, runtime), 'center', indexOrFail(width), ' ', runtime))
  },
  truncate: (value, args, runtime) => {
    const [length = 255, killWords = false, end = '...', leeway = 5] = bind(
      'do_truncate',
      ['length', 'killwords', 'end', 'leeway'],
      args,
    )
    const ending = str(end, runtime)
    const most = indexOrFail(length)
    const tolerated = leeway === null ? 5 : indexOrFail(leeway)
    if (most < codePointLength(ending)) throw failed(`expected length >= ${codePointLength(ending)}, got ${most}`)
    const size = lengthOf(value)
    if (size === undefined) throw failed(`object of type '${typeName(value)}' has no len()`)
    if (size <= most + tolerated) return value
    const text = textOf(value)
    if (text === undefined) throw failed(`'${typeName(value)}' object cannot be truncated`)
    runtime.budget.elements(text.length)
    return truncate(text, most, isTrue(killWords), ending)
  },
  wordwrap: (value, args, runtime) => {
    const names = ['width', 'break_long_words', 'wrapstring', 'break_on_hyphens']
    const [width = 79, breakLong = true, wrapString = null, atHyphens = true] = bind('do_wordwrap', names, args)
    const between = textOf(wrapString) ?? '\n'
    failOnUndefined(value)
    const text = textOf(value)
    if (text === undefined) throw failed(`'${typeName(value)}' object has no attribute 'splitlines'`)
    runtime.budget.walk(text.length)
    const lines = splitLines(text).map((line) =>
      wrapText(line, {
        width: Math.max(1, indexOrFail(width)),
        breaksLongWords: isTrue(breakLong),
        breaksAtHyphens: isTrue(atHyphens),
      }).join(between),
    )
    runtime.budget.elements(lines.length)
    return lines.join(between)
  },
  wordcount: (value, _, runtime) => {
    const text = str(value, runtime)
    runtime.budget.walk(text.length)
    return text.match(/[\p{L}\p{N}_]+/gu)?.length ?? 0
  },
  striptags: (value, _, runtime) => {
    const text = str(value, runtime)
    runtime.budget.walk(text.length)
    const bare = without(without(text, '<!--', '-->'), '<', '>')
    return unescaped(splitWords(bare, Number.POSITIVE_INFINITY, false).join(' '))
  },
  format: (value, args, runtime) => {
    const named = new Dict()
    for (const [key, item] of args.named) named.set(key, item)
    if (named.size > 0 && args.positional.length > 0) {
      throw failed("can't handle positional and keyword arguments at the same time")
    }
    const format = value instanceof Markup ? value : str(value, runtime)
    return formatPercent(format, named.size > 0 ? named : new Tuple(args.positional), runtime)
  },
  urlencode: (value, _, runtime) => {
    const elements = value instanceof Dict ? pairs(value) : iterate(value)
    if (textOf(value) !== undefined || elements === undefined) return quoteUrl(str(value, runtime), '/', runtime)
    return Array.from(elements, (element) => {
      runtime.budget.elements(lengthOf(element) ?? 0)
      const pair = [...iterateOrFail(element)]
      if (pair.length !== 2) throw failed(`a query needs a pair, not ${pair.length} values`)
      return pair.map((part) => quoteUrl(str(part, runtime), '', runtime).replaceAll('%20', '+')).join('=')
    }).join('&')
  },
}

function onText(change: (text: string, runtime: Runtime) => string): Filter {
  return (value, args, runtime) => {
    bind('filter', [], args)
    const text = str(value, runtime)
    runtime.budget.text(text.length)
    return like(value, change(text, runtime))
  }
}

function like(value: Value, text: string): Value {
  return value instanceof Markup ? new Markup(text) : text
}

/** Indents all lines but the first, and but empty ones, unless asked to. */
function indent(value: Value, by: string, first: boolean, blank: boolean, runtime: Runtime): Value {
  const text = textOf(value)
  if (text === undefined) {
    throw failed(
      Array.isArray(value)
        ? `can only concatenate list (not "str") to list`
        : `unsupported operand type(s) for +=: '${typeName(value)}' and 'str'`,
    )
  }
  runtime.budget.walk(text.length >>> 2)
  const lines = splitLines(`${text}\n`)
  runtime.budget.text(text.length + lines.length * by.length)
  const indented = lines.map((line, at) => (at > 0 && (blank || line !== '') ? by + line : line)).join('\n')
  return like(value, first ? by + indented : indented)
}

function truncate(text: string, length: number, killWords: boolean, end: string): string {
  const cut = Array.from(text)
    .slice(0, length - codePointLength(end))
    .join('')
  const space = cut.lastIndexOf(' ')
  return (killWords || space < 0 ? cut : cut.slice(0, space)) + end
}

/** The text without the parts between the two marks; a mark that nothing closes stays. */
function without(text: string, open: string, close: string): string {
  const kept: string[] = []
  for (let at = 0; ; ) {
    const start = text.indexOf(open, at)
    const end = start < 0 ? -1 : text.indexOf(close, start + open.length)
    if (end < 0) return kept.join('') + text.slice(at)
    kept.push(text.slice(at, start))
    at = end + close.length
  }
}

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: '\u00a0' }

/** The text with HTML's entities decoded: numeric ones, and the names that occur outside of web pages. */
function unescaped(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(lt|gt|amp|quot|apos|nbsp));/gi,
    (entity, decimal, hex, name) => {
      if (name !== undefined) return named[String(name)] ?? entity
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'
    },
  )
}

function quoteUrl(text: string, safe: string, runtime: Runtime): string {
  runtime.budget.walk(text.length)
  const quoted = encodeURIComponent(
    text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd'),
  ).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
  return safe === '/' ? quoted.replaceAll('%2F', '/') : quoted
}
