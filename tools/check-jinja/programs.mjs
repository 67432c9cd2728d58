// @ts-check
/** Jinja programs at random, put together from the tables of productions. */
import fc from 'fast-check'
import { expressions, parts, statements, texts } from './productions.mjs'

const slot = /«([a-zA-Z]+)»/

const { program, expression, loose } = fc.letrec((tie) => {
  /** @param {string} production @returns {fc.Arbitrary<string>} */
  const filled = (production) => {
    const pieces = production.split(slot)
    const slots = pieces.filter((_, at) => at % 2 === 1)
    if (slots.length === 0) return fc.constant(production)
    return fc
      .tuple(...slots.map((kind) => tie(kind)))
      .map((found) => pieces.map((piece, at) => (at % 2 === 1 ? String(found[(at - 1) / 2]) : piece)).join(''))
  }
  /** @param {readonly string[]} productions */
  const oneOf = (productions) => fc.oneof(...productions.map(filled))
  /** @param {readonly [readonly string[], readonly string[]]} kinds */
  const nested = ([ends, holding]) =>
    fc.oneof(
      { maxDepth: 4, depthIdentifier: 'expression' },
      oneOf(ends),
      ...(holding.length > 0 ? [oneOf(holding), oneOf(holding)] : []),
    )
  const some = fc.oneof(
    { maxDepth: 3, depthIdentifier: 'statement' },
    filled('«blank»«out»'),
    filled('«blank»«statement»'),
    filled('«blank»«statement»«statement»'),
  )
  return {
    ...Object.fromEntries(
      Object.entries(expressions).map(([kind, [ends = [], holding = []]]) => [kind, nested([ends, holding])]),
    ),
    ...Object.fromEntries(Object.entries(parts).map(([kind, productions]) => [kind, oneOf(productions)])),
    out: oneOf(['{{ «any» }}', '{{- «any» }}', '{{ «text» -}}', '{{- «list» -}}']),
    statement: oneOf(statements),
    some,
    turn: oneOf([
      '«some»{{ «ofLoop» }}',
      '{{ «ofLoop» }}«some»',
      '«tag»if «truth»«end»«tag»break«end»«tag»endif«end»«some»',
      '«tag»if «truth»«end»«tag»continue«end»«tag»endif«end»{{ «ofLoop» }}',
    ]),
    expression: filled('{{ «any» }}'),
    loose: filled('{{ «loosely» }}'),
    program: filled('«statement»«blank»«statement»«blank»'),
  }
})

const message = fc.record(
  {
    role: fc.constantFrom('user', 'assistant', 'system', 'tool'),
    content: fc.oneof(fc.constantFrom(...texts), fc.constantFrom(null, ['x', 'y'], [{ type: 'text', text: 'hi' }])),
    tool_calls: fc.constantFrom(
      ...[{ a: 1, b: [1, 2.5, null, true], c: 'é"\'' }, {}, '{"a":1}'].map((args) => [
        { id: 'c1', type: 'function', function: { name: 'f', arguments: args } },
      ]),
    ),
    n: fc.constantFrom(0, 1, -3, 2.5, true),
  },
  { requiredKeys: ['role', 'content'] },
)

/** Whole floats are left out: in JavaScript they are whole numbers. */
const variables = fc.record({
  messages: fc.array(message, { maxLength: 4 }),
  s: fc.constantFrom(...texts),
  t: fc.constantFrom(...texts),
  n: fc.constantFrom(0, 1, 2, 3, 7, -4, 10),
  f: fc.constantFrom(0.5, -2.25, 1e-7, 3.25, 0.1),
  b: fc.boolean(),
  none: fc.constant(null),
  l: fc.constantFrom([], [3, 1, 2], ['b', 'A', 'c', 'a'], [1, 'a', null], [1.5, 2, true], [[1, 2], [3]], ['x']),
  d: fc.constantFrom({}, { a: 1, b: 'x' }, { z: [1], y: { k: null }, B: 2 }, { role: 'r', items: 3 }),
  tools: fc.constantFrom(
    [],
    [{ name: 'w', description: 'd', parameters: { type: 'object', properties: { city: { type: 'string' } } } }],
  ),
})

/** A program with its variables. */
export const drawnProgram = fc.record({
  source: fc.oneof(expression, expression, program, program, loose).map(String),
  variables,
})
