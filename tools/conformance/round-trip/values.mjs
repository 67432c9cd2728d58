// @ts-check
/** @import { Tool } from '../../../src/index.ts' */
/** @import { Value } from '../library/template-types.ts' */

/**
 * A word that stands nowhere else, so that a text that holds it shows the part that it was given to.
 * @param {number} count
 */
export function nonce(count) {
  return `zq${count}z`
}

/** @param {string} text */
export function string(text) {
  return value(JSON.stringify(text), { type: 'string' })
}

/** @param {string | number} number as JSON has it */
export function integer(number) {
  return value(String(number), { type: 'integer' })
}

/** @param {string | number} number as JSON has it */
export function number(number) {
  return value(String(number), { type: 'number' })
}

/** @param {boolean} is */
export function boolean(is) {
  return value(String(is), { type: 'boolean' })
}

/** @param {string} [others] a type that it may be as well */
export function nothing(others) {
  return value('null', { type: others === undefined ? 'null' : [others, 'null'] })
}

/**
 * Items of one type: that of the first says what all are.
 * @param {readonly Value[]} items
 */
export function array(items) {
  const [first] = items
  return value(`[${items.map(({ json }) => json).join(', ')}]`, {
    type: 'array',
    ...(first && { items: first.schema }),
  })
}

/**
 * @param {Readonly<Record<string, Value>>} members
 * @returns {Value}
 */
export function object(members) {
  const all = Object.entries(members)
  return {
    ...value(`{${all.map(([key, { json }]) => `${JSON.stringify(key)}: ${json}`).join(', ')}}`, {
      type: 'object',
      properties: Object.fromEntries(all.map(([key, { schema }]) => [key, schema])),
    }),
    members,
  }
}

/** Strings that models and users write, with parts that have a meaning in one format or another. */
export const strings = [
  'plain',
  '',
  'He said "yes" and \'no\'.',
  '"quoted"',
  "'quoted'",
  '"',
  'C:\\temp\\new',
  '\\',
  'a \\" b \\n c',
  'first\nsecond\n\nlast',
  'line\n',
  '\nline',
  '\n\n',
  '  indented and trailing  ',
  ' ',
  '\ttab\t',
  'return\r\nline feed',
  'a < b && c > d',
  '<b>bold</b> &amp; &lt;',
  '}',
  ']}, {"a": [',
  '{"city": "Paris"}',
  '[1, 2]',
  '3',
  '-0.5e3',
  'true',
  'null',
  'None',
  'a=1, b=[2], c="3"',
  'x: y\n- z',
  '{{ template }} {% if x %} {# note #}',
  '\u00e9\u00df \u4e16\u754c \u{1F600} \u{1F468}\u200D\u{1F469}\u200D\u{1F467}',
  '\u2028 \uff5c \u2581 \uff1c \u00a0',
  '\u001b[31mred\u001b[0m \u200b',
  '```json\n{"name": "f"}\n```',
  '#include <stdio.h>\nint main(void) {\n\tprintf("%d\\n", 3);\n}\n',
  `${'long '.repeat(400)}end`,
]

/** Marks of formats: in a string they are text, as long as they are not those of the format that it is written in. */
export const formatMarks = [
  '<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call>',
  '</tool_call>',
  '<function=f>',
  '</parameter>',
  '</arg_value>',
  '<|tool_calls_section_end|>',
  '<|tool_call_end|>',
  '[TOOL_CALLS]',
  '[ARGS]',
  '<\uff5ctool\u2581calls\u2581end\uff5c>',
  '</invoke>',
  '</\uff5cDSML\uff5cparameter>',
  '<|"|>',
  '<|python_tag|>',
  '<think>',
  '</think>',
  '<|im_end|>',
  '<|end|>',
  '<|eot_id|>',
  '>>>all\n',
]

/** Text and reasoning; white space at their ends is left to the format. */
export const sentences = [
  'Hello, world!',
  'One.\n\nTwo.\n  Three.',
  'If a < b and b > c, then "d" is \'e\' & more.',
  'A path: C:\\temp\\new, a set: {1, 2}, a list: [3, 4].',
  '\u00e9\u00df \u4e16\u754c \u{1F600} \uff5c',
  '- a\n- b\n\n1. c\n2. d',
  'Use <b>bold</b> or `code`, 100 %.',
  'JSON is like {"a": [1, true, null]} or so.',
  'Like so:\n```js\nlet x = { y: 1 }\n```\nAnd so on.',
]

/**
 * @param {string} json
 * @param {Tool['schema']} schema
 * @returns {Value}
 */
function value(json, schema) {
  return { json, schema }
}
