import { isJsonObject, type JsonObject, type JsonValue } from '../../../conversation/index.ts'
import { Language, orUndefined } from '../../language/language.ts'
import { CharSet } from '../../regex/chars.ts'
import { constantsOf } from '../../schema/values/constants.ts'
import { asList } from '../../schema/values/lists.ts'
import { multiplesOf, writingsOf } from '../../schema/values/multiples.ts'
import { type Bound, lowerBound, upperBound } from '../../schema/values/number-bounds.ts'
import { charsOf, choice, empty, type Gbnf, optional, printGbnf, repeat, sequence, text } from '../gbnf.ts'
import { languageGbnf, languageOf } from '../language.ts'
import type { GbnfRules } from '../rules.ts'

const digit: Gbnf = charsOf(CharSet.range('0', '9'))
const nonZero: Gbnf = charsOf(CharSet.range('1', '9'))
/** Models that begin to repeat a digit do not stop by themselves. */
const longestNumber = 30

/** A number of a schema; undefined if none fits. */
export function numberOf(schema: JsonObject, isInteger: boolean, rules: GbnfRules): Gbnf | undefined {
  const within = boundedNumber(schema, isInteger, rules)
  const multiples = asList(schema.multipleOf)
  const not = asList(schema.not)
  if (!within || multiples.length + not.length === 0)
    return within && rules.addFixed(isInteger ? 'integer' : 'number', within)
  const key = `number ${JSON.stringify([isInteger, multiples, not])} ${printGbnf(within)}`
  return rules.once(key, () => {
    const found = orUndefined(() => numbersOf(withoutExponent(within), multiples, not))
    if (!found) rules.notice('"multipleOf" and "not" of numbers are not all expressed')
    const gbnf = found ? languageGbnf(found, isInteger ? 'integer' : 'number', rules) : within
    return gbnf && rules.add(isInteger ? 'integer' : 'number', gbnf)
  })
}

/** Numbers without exponents that are multiples of the given numbers, and not multiples of the excluded ones. */
function numbersOf(within: Gbnf, multiples: readonly JsonValue[], not: readonly JsonValue[]): Language | undefined {
  const narrowing = multiples.map(multiplesLanguage)
  // Multiples are numbers, however many digits they have. A limit of 30 digits has 30 states for each place where digits may end.
  const whole = narrowing.length > 0 ? withoutLimit(within) : within
  let found = within === plainNumber && narrowing.length > 0 ? Language.all : languageOf(whole)
  for (const one of narrowing) {
    if (!one) return undefined
    found = found.and(one)
  }
  for (const one of not) {
    if (!isJsonObject(one)) return undefined
    const values = constantsOf(one)?.filter((value) => typeof value === 'number')
    const languages = [...(values ?? []).map(writingsOf), ...asList(one.multipleOf).map(multiplesLanguage)]
    for (const language of languages) {
      if (!language) return undefined
      found = found.without(language)
    }
  }
  return found
}

function withoutLimit(gbnf: Gbnf): Gbnf {
  switch (gbnf.type) {
    case 'sequence':
    case 'choice':
      return { ...gbnf, of: gbnf.of.map(withoutLimit) }
    case 'repeat':
      return repeat(withoutLimit(gbnf.of), gbnf.min, gbnf.max === longestNumber ? undefined : gbnf.max)
    default:
      return gbnf
  }
}

function multiplesLanguage(factor: JsonValue): Language | undefined {
  return typeof factor === 'number' ? multiplesOf(factor) : undefined
}

/** A number, within the bounds of its schema. */
function boundedNumber(schema: JsonObject, isInteger: boolean, rules: GbnfRules): Gbnf | undefined {
  const low = lowerBound(schema, isInteger)
  const high = upperBound(schema, isInteger)
  if (low === undefined && high === undefined) return isInteger ? wholeNumber : decimalNumber
  const parts = [low, high].map((bound) => (bound === undefined ? undefined : plainDecimal(bound)))
  if ((low !== undefined && !parts[0]) || (high !== undefined && !parts[1])) {
    rules.notice('bounds of numbers beyond 20 digits are not expressed')
    return isInteger ? wholeNumber : decimalNumber
  }
  return boundedBody(parts[0], parts[1], isInteger)
}

const sign = optional(text('-'))
const wholePart: Gbnf = choice([text('0'), sequence(nonZero, repeat(digit, 0, longestNumber))]) ?? digit
const fraction = sequence('.', repeat(digit, 1, longestNumber))
const exponent = sequence(charsOf('eE'), optional(charsOf('+-')), repeat(digit, 1, 2))
const wholeNumber = sequence(sign, wholePart)
const plainNumber = sequence(sign, wholePart, optional(fraction))
const decimalNumber = sequence(sign, wholePart, optional(fraction), optional(exponent))

/** Bounded numbers have no exponents anyway. */
function withoutExponent(gbnf: Gbnf): Gbnf {
  return gbnf === decimalNumber ? plainNumber : gbnf
}

export function anyInteger(rules: GbnfRules): Gbnf {
  return rules.addFixed('integer', wholeNumber)
}

export function anyNumber(rules: GbnfRules): Gbnf {
  return rules.addFixed('number', decimalNumber)
}

/** A number's digits before and after the point, and its sign. */
interface Decimal {
  isNegative: boolean
  whole: string
  fraction: string
  isExclusive: boolean
}

function plainDecimal({ value, isExclusive }: Bound): Decimal | undefined {
  const [, minus, whole, afterPoint = ''] = /^(-?)([0-9]{1,20})(?:\.([0-9]{1,20}))?$/.exec(String(value)) ?? []
  if (whole === undefined) return undefined
  return { isNegative: minus === '-', whole, fraction: afterPoint.replace(/(?<!0)0+$/, ''), isExclusive }
}

/** Bodies that were made before: the bounds of most tools are the same few. */
const bodies = new Map<string, Gbnf | undefined>()
const maxBodies = 300

function boundedBody(low: Decimal | undefined, high: Decimal | undefined, isInteger: boolean): Gbnf | undefined {
  const key = JSON.stringify([low, high, isInteger])
  if (bodies.has(key)) return bodies.get(key)
  if (bodies.size >= maxBodies) bodies.clear()
  const body = between(low, high, isInteger)
  bodies.set(key, body)
  return body
}

const zero: Decimal = { isNegative: false, whole: '0', fraction: '', isExclusive: false }

function between(low: Decimal | undefined, high: Decimal | undefined, isInteger: boolean): Gbnf | undefined {
  const from = low ?? undefined
  const isLowNegative = !from || from.isNegative
  const isHighNegative = high?.isNegative ?? false
  const positive = isHighNegative ? undefined : magnitude(from && !from.isNegative ? from : zero, high, isInteger)
  // A negative number is bounded by its amount, with the bounds mirrored. Zero has no sign.
  const below: Decimal = { ...zero, isExclusive: true }
  const negative = isLowNegative ? magnitude(isHighNegative && high ? high : below, from, isInteger) : undefined
  return choice([positive, negative && sequence('-', negative)])
}

/** An amount from `low` to `high`. */
function magnitude(low: Decimal, high: Decimal | undefined, isInteger: boolean): Gbnf | undefined {
  const anyFraction = isInteger ? empty : optional(fraction)
  const isSame = high?.whole === low.whole
  const parts: (Gbnf | undefined)[] = []
  if (!isSame) {
    const first = String(BigInt(low.whole) + 1n)
    const last = high && BigInt(high.whole) - 1n
    if (last === undefined) parts.push(sequence(atLeast(first), anyFraction))
    else if (BigInt(first) <= last) {
      parts.push(...wholeRange(first, String(last)).map((one) => sequence(one, anyFraction)))
    }
  }
  if (high && BigInt(high.whole) < BigInt(low.whole)) return undefined
  const fractionOf = (from: Decimal | undefined, to: Decimal | undefined): Gbnf | undefined => {
    if (isInteger) return (from?.isExclusive && from.whole === '0') || to?.isExclusive ? undefined : empty
    return fractions(from, to)
  }
  const atLow = fractionOf(low, isSame ? high : undefined)
  if (atLow) parts.push(sequence(low.whole, atLow))
  const atHigh = high && !isSame ? fractionOf(undefined, high) : undefined
  if (high && atHigh) parts.push(sequence(high.whole, atHigh))
  return choice(parts)
}

/** Whole numbers from `first` on. */
function atLeast(first: string): Gbnf {
  const longer = sequence(nonZero, repeat(digit, first.length, longestNumber))
  return choice([...sameLength(first, '9'.repeat(first.length)), longer]) ?? longer
}

function wholeRange(first: string, last: string): Gbnf[] {
  const found: Gbnf[] = []
  for (let length = first.length; length <= last.length; length++) {
    const from = length === first.length ? first : `1${'0'.repeat(length - 1)}`
    const to = length === last.length ? last : '9'.repeat(length)
    found.push(...sameLength(from, to))
  }
  return found
}

/** Numbers of one length, digit by digit. */
function sameLength(from: string, to: string): Gbnf[] {
  if (from === '') return [empty]
  const rest = from.length - 1
  if (from[0] === to[0]) return sameLength(from.slice(1), to.slice(1)).map((one) => sequence(from[0] ?? '', one))
  const found: Gbnf[] = []
  const isWholeLow = /^0*$/.test(from.slice(1))
  const isWholeHigh = /^9*$/.test(to.slice(1))
  const first = Number(from[0]) + (isWholeLow ? 0 : 1)
  const last = Number(to[0]) - (isWholeHigh ? 0 : 1)
  if (!isWholeLow) found.push(...sameLength(from.slice(1), '9'.repeat(rest)).map((one) => sequence(from[0] ?? '', one)))
  if (first <= last)
    found.push(sequence(charsOf(CharSet.range(String(first), String(last))), repeat(digit, rest, rest)))
  if (!isWholeHigh) found.push(...sameLength('0'.repeat(rest), to.slice(1)).map((one) => sequence(to[0] ?? '', one)))
  return found
}

/** The fraction that may follow a whole number, from that of `low` to that of `high`; it may be missing. */
function fractions(low: Decimal | undefined, high: Decimal | undefined): Gbnf | undefined {
  const found: Gbnf[] = []
  const anyDigits = repeat(digit, 0, longestNumber)
  /** `at` digits were the same as both, or one, of the bounds' so far. */
  const walk = (at: number, written: string, isLow: boolean, isHigh: boolean): void => {
    const lowDigit = isLow ? Number(low?.fraction[at] ?? 0) : 0
    const highRest = isHigh ? (high?.fraction.slice(at) ?? '') : undefined
    const isLowDone = !isLow || at >= (low?.fraction.length ?? 0)
    const isEnough = isLowDone && !(isLow && low?.isExclusive) && !(isHigh && highRest === '' && high?.isExclusive)
    if (isEnough && highRest !== undefined) found.push(written === '' ? empty : text(written))
    if (highRest === '') {
      if (isEnough && at > 0) found.push(sequence(written, repeat(text('0'), 0, longestNumber)))
      else if (isEnough) found.push(sequence('.', repeat(text('0'), 1, longestNumber)))
      return
    }
    const point = at === 0 ? '.' : written
    if (highRest === undefined && isLowDone) {
      if (isEnough) found.push(at === 0 ? optional(fraction) : sequence(written, anyDigits))
      // Above the bound itself: any digit that is not zero, at any place.
      else found.push(sequence(point, repeat(text('0'), 0, longestNumber), nonZero, anyDigits))
      return
    }
    const highDigit = highRest === undefined ? 9 : Number(highRest[0])
    for (let one = lowDigit; one <= highDigit; one++) {
      const staysLow = isLow && one === lowDigit && !(isLowDone && !low?.isExclusive)
      const staysHigh = highRest !== undefined && one === highDigit
      const next = `${point}${one}`
      if (staysLow || staysHigh) {
        if (at < 24) walk(at + 1, next, staysLow, staysHigh)
      } else found.push(sequence(next, anyDigits))
    }
  }
  walk(0, '', low !== undefined && (low.fraction !== '' || low.isExclusive), high !== undefined)
  return choice(found)
}
