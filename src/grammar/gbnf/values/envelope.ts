import type { JsonSigns } from '../../../json/index.ts'
import type { EnvelopeMember } from '../../read/values/envelope-members.ts'
import { CharSet } from '../../regex/chars.ts'
import { charsOf, empty, type Gbnf, optional, repeat, sequence, text } from '../gbnf.ts'
import { isSpaced } from './notation.ts'

const digits = CharSet.range('0', '9')
const callId: Gbnf = repeat(
  charsOf(CharSet.range('a', 'z').or(CharSet.range('A', 'Z')).or(digits).or(CharSet.of('_-'))),
  1,
  40,
)
/** The maximum number of digits in the number of a call. */
const longestIndex = 3
const callIndex: Gbnf = {
  type: 'choice',
  of: [text('0'), sequence(charsOf(CharSet.range('1', '9')), repeat(charsOf(digits), 0, longestIndex - 1))],
}

/** The signs between the parts of an envelope. */
interface Signs {
  edge: Gbnf
  colon: Gbnf
  comma: Gbnf
}

/**
 * The signs as they are written; `space` is the white space between the parts, if it is free. Then the space after a
 * colon is optional as well: templates that assemble an object themselves omit both.
 */
export function signsOf(signs: JsonSigns | undefined, space: Gbnf | undefined): Signs {
  if (!space)
    return { edge: text(signs?.edge ?? ''), colon: text(signs?.colon ?? ': '), comma: text(signs?.comma ?? ', ') }
  const before = (sign: string | undefined) => (isSpaced(sign) ? optional(text(' ')) : empty)
  return {
    edge: space,
    colon: sequence(before(signs?.colon), ':', optional(text(' '))),
    comma: sequence(before(signs?.comma), ',', space),
  }
}

/** A call as an object, its members as they are written. */
export function envelopeObject(members: readonly EnvelopeMember[], call: Call, signs: Signs): Gbnf {
  const { edge, colon, comma } = signs
  const parts = members.map((member) =>
    sequence(JSON.stringify(member.key ?? call.name), colon, contentOf(member, call, signs)),
  )
  return sequence('{', edge, ...parts.flatMap((one, index) => (index === 0 ? [one] : [comma, one])), edge, '}')
}

interface Call {
  name: string
  args: Gbnf
}

function contentOf(member: EnvelopeMember, call: Call, signs: Signs): Gbnf | string {
  switch (member.holds) {
    case 'name':
      return JSON.stringify(call.name)
    case 'arguments':
      return call.args
    case 'id':
      return sequence('"', callId, '"')
    case 'index':
      return member.isText ? sequence('"', callIndex, '"') : callIndex
    case 'constant':
      return member.json
    case 'members':
      return envelopeObject(member.of, call, signs)
  }
}
