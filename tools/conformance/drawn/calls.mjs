// @ts-check
import fc from 'fast-check'
import { args, eachArgument, eachCall, id, lineBreak, literal, markers, name } from './jinja.mjs'

/**
 * The Jinja with which a drawn template writes the calls of a message; `header` is the beginning of a message of the
 * assistant. `isBare`: only words or brackets distinguish a call from the text before it.
 * @typedef {{ isBare: boolean, write: (header: string) => string }} DrawnCalls
 */

const callWords = ['tool', 'call', 'action', 'invoke', 'function', 'request', 'exec', 'do', 'command', 'job', 'run_it']
const sectionWords = ['tools', 'tool_calls', 'calls', 'actions', 'function_calls', 'requests', 'ops', 'tasks']
const argumentWords = ['parameter', 'param', 'arg', 'item', 'field', 'p', 'kv']
const toJson = fc.constantFrom('tojson', 'tojson', 'tojson(ensure_ascii=False)', 'tojson(indent=2)')

/** Around all calls, or nothing. */
const section = fc
  .tuple(fc.option(markers(sectionWords)), lineBreak)
  .map(([found, space]) => (found ? [found[0] + space, space + found[1]] : ['', '']))

/**
 * Keys and constants, and the bracket in which the rest stands.
 * @param {readonly string[]} parts
 * @param {{ colon: string, comma: string }} signs
 */
function opened(parts, { colon, comma }) {
  return parts.map((part, at) => part + (part === '{' ? '' : at % 2 === 0 ? colon : comma)).join('')
}

/** A call as a JSON object, with its name and arguments under keys of any name and order. */
const jsonObject = fc
  .record({
    nameKey: fc.constantFrom('name', 'name', 'tool', 'tool_name', 'function', 'action', 'fn'),
    argumentsKey: fc.constantFrom('arguments', 'arguments', 'parameters', 'args', 'input', 'kwargs'),
    idKey: fc.constantFrom(undefined, undefined, 'id', 'call_id', 'tool_call_id'),
    isIdFirst: fc.boolean(),
    areArgumentsFirst: fc.constantFrom(false, false, true),
    around: fc.constantFrom([], [], ['"function"', '{'], ['"type"', '"function"', '"function"', '{']),
    isEncoded: fc.constantFrom(false, false, true),
    isNameKey: fc.constantFrom(false, false, false, true),
    filter: toJson,
    signs: fc.constantFrom(
      { colon: ': ', comma: ', ' },
      { colon: ': ', comma: ', ' },
      { colon: ':', comma: ',' },
      { colon: ' : ', comma: ' , ' },
    ),
  })
  .map(
    ({ nameKey, argumentsKey, idKey, isIdFirst, areArgumentsFirst, around, isEncoded, isNameKey, filter, signs }) => {
      const { colon, comma } = signs
      const value = isEncoded ? `{{- ${args} | tojson | tojson }}` : `{{- ${args} | ${filter} }}`
      const quotedName = '{{- call.function.name | tojson }}'
      if (isNameKey) return literal('{') + quotedName + literal(colon) + value + literal('}')
      const key = argumentsKey === nameKey ? 'arguments' : argumentsKey
      const members = [literal(`"${nameKey}"${colon}`) + quotedName, literal(`"${key}"${colon}`) + value]
      if (areArgumentsFirst) members.reverse()
      const inner = members.join(literal(comma))
      const call = around.length === 0 ? inner : literal(opened(around, signs)) + inner + literal('}')
      const ownId = idKey === undefined ? [] : [`${literal(`"${idKey}"${colon}`)}{{- call.id | tojson }}`]
      // An id after the name comes too late for a call that has been emitted by then.
      const all = isIdFirst || areArgumentsFirst ? [...ownId, call] : [call, ...ownId]
      return literal('{') + all.join(literal(comma)) + literal('}')
    },
  )

const wholeObjects = fc.constantFrom(
  `{{- {'name': call.function.name, 'arguments': ${args}} | tojson }}`,
  '{{- call | tojson }}',
)

/** @type {fc.Arbitrary<DrawnCalls>} */
const json = fc
  .record({
    section,
    object: fc.oneof({ weight: 5, arbitrary: jsonObject }, { weight: 1, arbitrary: wholeObjects }),
    around: fc.option(fc.tuple(markers(callWords), lineBreak)),
    isList: fc.boolean(),
    between: fc.constantFrom('', '\n'),
  })
  .map(({ section: [open = '', close = ''], object, around, isList, between }) => {
    if (isList) {
      const list = literal(`${open}[`) + eachCall(object, ', ') + literal(`]${close}`)
      return { isBare: open === '', write: () => list }
    }
    const [[start, end], space] = around ?? [['', ''], '']
    const all =
      literal(open) + eachCall(literal(start + space) + object + literal(space + end), between) + literal(close)
    return { isBare: open + start === '', write: () => all }
  })

/** The beginning of a call, up to its arguments, and its end: the name in markers. */
const heads = fc
  .record({
    form: fc.nat({ max: 10 }),
    pair: markers(callWords),
    word: fc.constantFrom(...callWords),
    sign: fc.constantFrom('<|args|>', '[ARGS]', '<|sep|>', '<\uff5csep\uff5c>', '=>', '<args>'),
    space: lineBreak,
  })
  .map(({ form, pair: [open, close], word, sign, space }) => {
    const tag = `${space}</${word}>`
    /** @type {readonly (readonly [string, string])[]} */
    const all = [
      [literal(open) + name + literal(sign + space), literal(space + close)],
      [literal(`<${word}=`) + name + literal(`>${space}`), literal(tag)],
      [literal(`<${word} name="`) + name + literal(`">${space}`), literal(tag)],
      [literal(`<${word} name='`) + name + literal(`'>${space}`), literal(tag)],
      [literal(`<${word} id="`) + id + literal('" name="') + name + literal(`">${space}`), literal(tag)],
      [literal(open) + name + literal('\n'), literal(space + close)],
      [`${literal(`${open}functions.`) + name + literal(':')}{{- loop.index0 }}${literal(sign)}`, literal(close)],
      [literal(`${open}function${sign}`) + name + literal('\n'), literal(`\n${close}`)],
      [literal(`${open + space}<name>`) + name + literal(`</name>${space}`), literal(space + close)],
      [literal(open) + name + literal('[CALL_ID]') + id + literal(sign), literal(close)],
      [literal(`${open} to=`) + name + literal(sign), literal(close)],
    ]
    return all[form] ?? ['', '']
  })

/** The name in markers, and the arguments as JSON. */
const namedBody = fc.tuple(heads, toJson).map(([[open, close], filter]) => `${open}{{- ${args} | ${filter} }}${close}`)

/** The notation of strings and other values in tags. */
const values = fc.constantFrom(
  '{{- value if value is string else value | tojson }}',
  '{{- value | tojson }}',
  '{{- value | tojson if value is mapping or (value is sequence and value is not string) else value | string }}',
  '{{- value | string }}',
)
const elementHead = lineBreak.map((space) => [
  literal('<') + name + literal(`>${space}`),
  literal(`${space}</`) + name + literal('>'),
])

/** The name in markers, and each argument. */
const taggedBody = fc
  .record({
    head: fc.oneof({ weight: 4, arbitrary: heads }, { weight: 1, arbitrary: elementHead }),
    form: fc.nat({ max: 7 }),
    word: fc.constantFrom(...argumentWords),
    space: lineBreak,
    between: lineBreak,
    value: values,
  })
  .map(({ head: [open, close], form, word, space, between, value }) => {
    const key = '{{- key }}'
    const tag = literal(`${space}</${word}>`)
    const isString = `{{- 'true' if value is string else 'false' }}`
    /** @type {readonly (readonly [string, string])[]} */
    const all = [
      [literal(`<${word}=`) + key + literal(`>${space}`), tag],
      [literal(`<${word} name="`) + key + literal(`">${space}`), tag],
      [literal(`<${word} name='`) + key + literal(`'>${space}`), tag],
      [literal(`<${word}="`) + key + literal(`">${space}`), tag],
      [literal('<') + key + literal('>'), literal('</') + key + literal('>')],
      [literal(`<${word}_key>`) + key + literal(`</${word}_key>${space}<${word}_value>`), literal(`</${word}_value>`)],
      [literal(`<|${word}|>`) + key + literal('<|is|>'), literal(`<|/${word}|>`)],
      [literal(`<${word} name="`) + key + literal('" string="') + isString + literal('">'), literal(`</${word}>`)],
    ]
    const [argumentOpen, argumentClose] = all[form] ?? ['', '']
    return open + eachArgument(argumentOpen + value + argumentClose, between) + close
  })

/** The name, and a line for each argument. */
const lines = fc.tuple(markers(callWords), fc.constantFrom(': ', ' = ')).map(([[open, close], sign]) => {
  const line = `{{- key }}${literal(sign)}{{- value | tojson }}${literal('\n')}`
  return literal(open) + name + literal('\n') + eachArgument(line) + literal(close)
})

/** @type {fc.Arbitrary<DrawnCalls>} */
const marked = fc
  .record({ section, body: fc.oneof(namedBody, taggedBody, taggedBody, lines), between: fc.constantFrom('', '\n') })
  .map(({ section: [open = '', close = ''], body, between }) => {
    // A tag that is the tool's name is a word in brackets without a section around it.
    const isBare = open === '' && body.startsWith(literal('<') + name)
    return { isBare, write: () => literal(open) + eachCall(body, between) + literal(close) }
  })

const pythonString = `value | replace('\\\\', '\\\\\\\\') | replace("'", "\\\\'") | replace('\\n', '\\\\n')`

/** @type {fc.Arbitrary<DrawnCalls>} */
const python = fc
  .record({
    around: markers(callWords),
    separator: fc.constantFrom(undefined, ', ', '\n', '; '),
    value: fc.constantFrom(
      '{{- value | tojson }}',
      `{{- "'" + (${pythonString}) + "'" if value is string else value | string }}`,
    ),
  })
  .map(({ around: [open, close], separator, value }) => {
    const call = name + literal('(') + eachArgument(`{{- key }}${literal('=')}${value}`, ', ') + literal(')')
    const [start, end] = separator === undefined ? ['[', ']'] : ['', '']
    const all = literal(open + start) + eachCall(call, separator ?? ', ') + literal(end + close)
    return { isBare: false, write: () => all }
  })

/** Words and lines, as ReAct has them. @type {fc.Arbitrary<DrawnCalls>} */
const words = fc
  .tuple(fc.constantFrom('Action', 'Tool', 'Call'), fc.constantFrom('Action Input', 'Input', 'Args'))
  .map(([first, second]) => {
    const call = `${literal(`${first}: `) + name + literal(`\n${second}: `)}{{- ${args} | tojson }}`
    return { isBare: true, write: () => eachCall(call, '\n') }
  })

/** A message for each call. @type {fc.Arbitrary<DrawnCalls>} */
const messages = fc
  .tuple(
    fc.constantFrom(['<|tool_call|>', '<|with|>'], [' to=', '<|body|>'], ['<|channel|>call to=', '<|body|>']),
    fc.constantFrom('<|call|>', '<|eom|>'),
    toJson,
  )
  .map(([[open = '', sign = ''], end, filter]) => {
    const call = `${literal(open) + name + literal(sign)}{{- ${args} | ${filter} }}`
    return { isBare: false, write: (/** @type {string} */ header) => eachCall(call, end + header) }
  })

/** @type {fc.Arbitrary<DrawnCalls>} */
export const drawnCalls = fc.oneof(
  { weight: 4, arbitrary: json },
  { weight: 6, arbitrary: marked },
  { weight: 1, arbitrary: python },
  { weight: 1, arbitrary: words },
  { weight: 1, arbitrary: messages },
)
