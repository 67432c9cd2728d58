import { RecentMap } from '../../../conversation/index.ts'
import { reached } from '../../language/automaton.ts'
import { Language } from '../../language/language.ts'
import { patternLanguage } from '../../language/pattern.ts'
import { CharSet } from '../../regex/chars.ts'

/** The most states: each is a remainder and a place. */
const mostStates = 2000
const digits = [...'0123456789'].map((digit) => CharSet.of(digit))

interface Place {
  /** Before the first digit, after a zero that is the first, in the whole part, after the point, in the fraction. */
  at: 'start' | 'sign' | 'zero' | 'whole' | 'point' | 'fraction'
  remainder: number
  /** Digits of the fraction, as far as they count. */
  length: number
}

/** Results for factors: the members of a schema have the same few. They took a tenth of the time for 100 bounded members. */
const known = new RecentMap<number, Language>(20)
const mostKnownStates = 300

/**
 * The numbers, without exponents, that are a multiple of another one. Undefined if that takes too many states, as for
 * factors of many digits.
 *
 * @example
 * multiplesOf(0.25)?.has('1.750') // true
 */
export function multiplesOf(factor: number): Language | undefined {
  const made = known.get(factor)
  if (made) return made
  const [, whole, fraction = ''] = /^([0-9]{1,9})(?:\.([0-9]{1,9}))?$/.exec(String(factor)) ?? []
  const [divisor, scale] = [Number(`${whole}${fraction}`), fraction.length]
  if (!(divisor > 0) || divisor * (scale + 2) > mostStates) return undefined
  const states = reached<Place>(
    { at: 'start', remainder: 0, length: 0 },
    ({ at, remainder, length }) => `${at} ${remainder} ${length}`,
    (place) => ({ accepts: isMultiple(place, divisor, scale), edges: edgesOf(place, divisor, scale) }),
  )
  const language = Language.from(states)
  if (language.states.length <= mostKnownStates) known.set(factor, language)
  return language
}

function isMultiple({ at, remainder, length }: Place, divisor: number, scale: number): boolean {
  if (at !== 'zero' && at !== 'whole' && at !== 'fraction') return false
  return (remainder * 10 ** (scale - length)) % divisor === 0
}

function edgesOf(place: Place, divisor: number, scale: number): { set: CharSet; to: Place }[] {
  const { at, remainder, length } = place
  const next = (digit: number) => (remainder * 10 + digit) % divisor
  const each = (to: (digit: number) => Place | undefined) =>
    digits.flatMap((set, digit) => {
      const found = to(digit)
      return found ? [{ set, to: found }] : []
    })
  switch (at) {
    case 'start':
    case 'sign': {
      const first = each((digit) => ({ at: digit === 0 ? 'zero' : 'whole', remainder: next(digit), length: 0 }))
      return at === 'start' ? [...first, { set: CharSet.of('-'), to: { ...place, at: 'sign' } }] : first
    }
    case 'zero':
      return [{ set: CharSet.of('.'), to: { ...place, at: 'point' } }]
    case 'whole':
      return [
        { set: CharSet.of('.'), to: { ...place, at: 'point' } },
        ...each((digit) => ({ at, remainder: next(digit), length: 0 })),
      ]
    case 'point':
    case 'fraction':
      return each((digit) => {
        // After the digits that matter, only zeros are allowed.
        if (length === scale) return digit === 0 ? { at: 'fraction', remainder, length } : undefined
        return { at: 'fraction', remainder: next(digit), length: length + 1 }
      })
  }
}

/** The ways to write a number without an exponent; undefined for one that has one itself. */
export function writingsOf(value: number): Language | undefined {
  const [, sign = '', whole, fraction = ''] = /^(-?)([0-9]{1,30})(?:\.([0-9]{1,30}))?$/.exec(String(value)) ?? []
  if (whole === undefined) return undefined
  const zeros = fraction === '' ? '(?:\\.0+)?' : `\\.${fraction}0*`
  return patternLanguage(`^${value === 0 ? '-?' : sign}${whole}${zeros}$`)
}
