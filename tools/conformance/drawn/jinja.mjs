// @ts-check
import fc from 'fast-check'

/** Pieces of Jinja from which drawn templates are put together. */

/**
 * Returns Jinja that writes a text unchanged.
 * @param {string} text
 */
export function literal(text) {
  if (text === '') return ''
  const quoted = text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')
  return `{{- '${quoted}' }}`
}

export const name = '{{- call.function.name }}'
export const id = '{{- call.id }}'
export const args = 'call.function.arguments'

/**
 * Returns Jinja for each call, with a separator between two.
 * @param {string} body
 * @param {string} [separator]
 */
export function eachCall(body, separator = '') {
  return `{%- for call in message.tool_calls %}${body}${unlessLast(separator)}{%- endfor %}`
}

/**
 * Returns Jinja for each argument, with a separator between two.
 * @param {string} body
 * @param {string} [separator]
 */
export function eachArgument(body, separator = '') {
  return `{%- for key, value in ${args}.items() %}${body}${unlessLast(separator)}{%- endfor %}`
}

/** @param {string} separator */
function unlessLast(separator) {
  return separator === '' ? '' : `{%- if not loop.last %}${literal(separator)}{%- endif %}`
}

/** @type {Readonly<Record<string, (word: string) => [open: string, close: string]>>} */
const styles = {
  tag: (word) => [`<${word}>`, `</${word}>`],
  special: (word) => [`<|${word}|>`, `<|/${word}|>`],
  begun: (word) => [`<|${word}_begin|>`, `<|${word}_end|>`],
  started: (word) => [`<|${word}_start|>`, `<|${word}_end|>`],
  halves: (word) => [`<|${word}>`, `<${word}|>`],
  bracket: (word) => [`[${word.toUpperCase()}]`, `[/${word.toUpperCase()}]`],
  fullWidth: (word) => [`<\uff5c${word}\u2581begin\uff5c>`, `<\uff5c${word}\u2581end\uff5c>`],
  marked: (word) => [`<\uff5cML\uff5c${word}>`, `</\uff5cML\uff5c${word}>`],
  spaced: (word) => [`<x:${word}>`, `</x:${word}>`],
  ended: (word) => [`<${word}>`, `<${word}_end>`],
}

/**
 * Two markers of one style, around something.
 * @param {readonly string[]} words
 */
export function markers(words) {
  return fc
    .tuple(fc.constantFrom(...Object.values(styles)), fc.constantFrom(...words))
    .map(([style, word]) => style(word))
}

export const lineBreak = fc.constantFrom('', '', '\n')
