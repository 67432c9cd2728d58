import { choice, commonPrefix, empty, type Gbnf, isSame, sequence, text } from './gbnf.ts'

/**
 * Moves the parts with which all alternatives begin and end out of the choice. The calls of many tools differ in little
 * but a name, so an engine then follows one rule up to the name, not one for each tool.
 */
export function withSharedEnds(
  alternatives: readonly Gbnf[],
  choiceOf: (of: readonly Gbnf[]) => Gbnf | undefined = choice,
): Gbnf | undefined {
  if (alternatives.length < 2) return alternatives[0]
  const all = alternatives.map(partsOf)
  const { parts: head, cut: begun } = shared(all, (parts, at) => parts[at], commonPrefix)
  const rests = all.map((parts) => without(parts, head.length, begun))
  const { parts: tail, cut: ended } = shared(rests, (parts, at) => parts[parts.length - 1 - at], commonSuffix)
  const middles = rests.map((parts) => {
    const kept = tail.length === 0 ? parts : parts.slice(0, -tail.length)
    const last = kept.at(-1)
    return ended !== '' && last?.type === 'literal'
      ? sequence(...kept.slice(0, -1), last.text.slice(0, -ended.length))
      : sequence(...kept)
  })
  const middle = choiceOf(middles)
  return middle && sequence(...head, begun, middle, ended, ...tail.reverse())
}

function partsOf(gbnf: Gbnf): readonly Gbnf[] {
  return gbnf.type === 'sequence' ? gbnf.of : [gbnf]
}

/** The parts without the first few, and without a text with which the next one begins. */
function without(parts: readonly Gbnf[], count: number, begun: string): readonly Gbnf[] {
  const rest = parts.slice(count)
  const [first, ...others] = rest
  if (begun === '' || first?.type !== 'literal') return rest
  const left = first.text.slice(begun.length)
  return left === '' ? others : [text(left), ...others]
}

/** The parts that all sequences have in common at one end, and the common text of the literals next to those. */
function shared(
  all: readonly (readonly Gbnf[])[],
  partAt: (parts: readonly Gbnf[], at: number) => Gbnf | undefined,
  common: (one: string, other: string) => string,
): { parts: Gbnf[]; cut: string } {
  const [first = []] = all
  const parts: Gbnf[] = []
  for (;;) {
    const part = partAt(first, parts.length)
    if (!part) return { parts, cut: '' }
    const others = all.map((one) => partAt(one, parts.length) ?? empty)
    if (others.every((other) => isSame(part, other))) {
      parts.push(part)
      continue
    }
    if (part.type !== 'literal') return { parts, cut: '' }
    let cut = part.text
    for (const other of others) cut = other.type === 'literal' ? common(cut, other.text) : ''
    return { parts, cut }
  }
}

function commonSuffix(one: string, other: string): string {
  let length = 0
  while (length < one.length && length < other.length && one.at(-1 - length) === other.at(-1 - length)) length++
  // Half of a surrogate pair is not a character.
  if (length > 0 && /[\udc00-\udfff]/.test(one.charAt(one.length - length))) length--
  return length === 0 ? '' : one.slice(-length)
}
