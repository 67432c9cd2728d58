import { failed } from '../parse/error.ts'
import { operate } from '../python/arithmetic.ts'
import { isLower, isUpper } from '../python/methods/string-methods.ts'
import { type Arguments, bind } from '../python/values/arguments.ts'
import { compare, contains, equals } from '../python/values/compare.ts'
import { Range } from '../python/values/range.ts'
import type { Runtime } from '../python/values/runtime.ts'
import { str } from '../python/values/text.ts'
import { isInteger, isList, isNumeric, isTrue, iterate, textOf } from '../python/values/types.ts'
import { Dict, Float, Markup, Thing, Tuple, Undefined, type Value } from '../python/values/values.ts'

export type Test = (value: Value, args: Arguments, runtime: Runtime) => boolean

/** The tests that ask about the value alone. */
const alone: readonly [string, Test][] = [
  ['defined', (value) => !(value instanceof Undefined)],
  ['undefined', (value) => value instanceof Undefined],
  ['none', (value) => value === null],
  ['boolean', (value) => typeof value === 'boolean'],
  ['true', (value) => value === true],
  ['false', (value) => value === false],
  ['integer', (value) => isInteger(value) && typeof value !== 'boolean'],
  ['float', (value) => value instanceof Float],
  ['number', (value) => isNumeric(value)],
  ['string', (value) => textOf(value) !== undefined],
  ['mapping', (value) => value instanceof Dict],
  ['iterable', (value) => iterate(value) !== undefined],
  ['sequence', isSequence],
  // Python's Undefined has a method for calls, which fails.
  ['callable', (value) => value instanceof Undefined || (value instanceof Thing && value.callable !== undefined)],
  ['escaped', (value) => value instanceof Markup],
  ['lower', (value, _, runtime) => isLower(str(value, runtime))],
  ['upper', (value, _, runtime) => isUpper(str(value, runtime))],
  ['odd', (value, _, runtime) => equals(operate('%', value, 2, runtime), 1, runtime)],
  ['even', (value, _, runtime) => equals(operate('%', value, 2, runtime), 0, runtime)],
]

/** The tests of `value is name`. */
const tests: ReadonlyMap<string, Test> = new Map<string, Test>([
  ...alone.map(([name, test]): [string, Test] => [name, withoutArguments(name, test)]),
  [
    'divisibleby',
    (value, args, runtime) => equals(operate('%', value, other('divisibleby', args), runtime), 0, runtime),
  ],
  ['sameas', (value, args) => isSame(value, other('sameas', args))],
  ['in', (value, args, runtime) => contains(other('in', args), value, runtime)],
  ...alike(['eq', '==', 'equalto'], (value, args, runtime) => equals(value, other('eq', args), runtime)),
  ...alike(['ne', '!='], (value, args, runtime) => !equals(value, other('ne', args), runtime)),
  ...alike(['lt', '<', 'lessthan'], (value, args, runtime) => compare(value, other('lt', args), runtime, '<') < 0),
  ...alike(['le', '<='], (value, args, runtime) => compare(value, other('le', args), runtime, '<=') <= 0),
  ...alike(['gt', '>', 'greaterthan'], (value, args, runtime) => compare(value, other('gt', args), runtime, '>') > 0),
  ...alike(['ge', '>='], (value, args, runtime) => compare(value, other('ge', args), runtime, '>=') >= 0),
])

function withoutArguments(name: string, test: Test): Test {
  return (value, args, runtime) => {
    const given = args.positional.length + args.named.size
    if (given > 0) throw failed(`test_${name}() takes 1 positional argument but ${given + 1} were given`)
    return test(value, args, runtime)
  }
}

function alike(names: readonly string[], test: Test): [string, Test][] {
  return names.map((name) => [name, test])
}

function other(name: string, args: Arguments): Value {
  const [value = null] = bind(`test_${name}`, ['other'], args, 1)
  return value
}

/** Python asks for a length and for items. */
function isSequence(value: Value): boolean {
  return (
    isList(value) ||
    value instanceof Range ||
    textOf(value) !== undefined ||
    value instanceof Dict ||
    value instanceof Tuple ||
    value instanceof Undefined
  )
}

/** The same object in memory; small values are one object each. */
function isSame(value: Value, wanted: Value): boolean {
  return value === wanted
}

export function applyTest(name: string, value: Value, args: Arguments, runtime: Runtime): boolean {
  const test = tests.get(name)
  if (!test) throw failed(`No test named '${name}' found.`)
  runtime.budget.spend(1)
  if (name === 'lower' || name === 'upper') runtime.budget.scan(textOf(value)?.length ?? 0)
  return test(value, args, runtime)
}

/** The predicate of `select`, `reject` and their kin: a test with its arguments, or truth. */
export function predicate(
  [name, ...rest]: readonly Value[],
  named: Arguments['named'],
  runtime: Runtime,
): (value: Value) => boolean {
  if (name === undefined) return isTrue
  const test = str(name, runtime)
  return (value) => applyTest(test, value, { positional: rest, named }, runtime)
}
