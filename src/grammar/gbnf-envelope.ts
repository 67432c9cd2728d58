import type { EnvelopeMember } from './envelope-members.ts'
import { charsOf, empty, type Gbnf, inOrder, perhaps, text, times } from './gbnf.ts'
import { CharSet } from './gbnf-chars.ts'

const digits = CharSet.range('0', '9')
const callId: Gbnf = times(
  charsOf(CharSet.range('a', 'z').or(CharSet.range('A', 'Z')).or(digits).or(CharSet.of('_-'))),
  1,
  40,
)
/** Numbers of calls have so many digits at most. */
const longestIndex = 3
const callIndex: Gbnf = {
  type: 'choice',
  of: [text('0'), inOrder(charsOf(CharSet.range('1', '9')), times(charsOf(digits), 0, longestIndex - 1))],
}

/**
 * A call as an object, its members as they are written; `space` is what may stand between them, where that is free. Then the one behind a
 * colon may be left out as well: templates that put an object together by themselves leave out both.
 */
export function envelopeObject(members: readonly EnvelopeMember[], name: string, args: Gbnf, space?: Gbnf): Gbnf {
  const parts = members.map((member) => {
    const key = `${JSON.stringify(member.key ?? name)}:`
    const content = contentOf(member, name, args, space)
    return space ? inOrder(key, perhaps(text(' ')), content) : inOrder(`${key} `, content)
  })
  const [edge, comma] = space ? [space, inOrder(',', space)] : [empty, ', ']
  return inOrder('{', edge, ...parts.flatMap((one, index) => (index === 0 ? [one] : [comma, one])), edge, '}')
}

function contentOf(member: EnvelopeMember, name: string, args: Gbnf, space: Gbnf | undefined): Gbnf | string {
  switch (member.holds) {
    case 'name':
      return JSON.stringify(name)
    case 'arguments':
      return args
    case 'id':
      return inOrder('"', callId, '"')
    case 'index':
      return member.isText ? inOrder('"', callIndex, '"') : callIndex
    case 'constant':
      return member.json
    case 'members':
      return envelopeObject(member.of, name, args, space)
  }
}
