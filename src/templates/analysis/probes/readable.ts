import { nonces } from './nonces.ts'
import { slots } from './slots.ts'

const words: readonly (readonly [word: string, found: readonly string[]])[] = [
  ['NAME', [slots.name, ...nonces.names]],
  ['KEY', [slots.key, ...nonces.keys]],
  ['VALUE', [slots.value, ...nonces.values]],
  ['ID', [slots.id, ...nonces.ids]],
  ['INDEX', [slots.index]],
  ['TYPE', [slots.type]],
  ['TEXT', [nonces.text]],
  ['REASONING', [nonces.reasoning]],
  ['RESULT', [nonces.result]],
  ['USER', [nonces.user, nonces.laterUser]],
]
const wordOf = new Map(words.flatMap(([word, found]) => found.map((one) => [one, word] as const)))
const anyOfThem = new RegExp([...wordOf.keys()].join('|'), 'g')

/**
 * A text of a probe, or a marker found in one, for people: the probe's own content is replaced by a word, as in
 * `<function=NAME>`.
 */
export function readable(text: string): string {
  return text.replace(anyOfThem, (found) => wordOf.get(found) ?? found)
}
