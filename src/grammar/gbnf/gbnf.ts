import { sharedLength } from '../../conversation/index.ts'
import { CharSet, printLiteral } from '../regex/chars.ts'

/**
 * The texts that a grammar admits, as plain data. `printGbnf` prints it as GBNF, llama.cpp's notation, which xgrammar
 * and SGLang also read. `undefined` in place of a grammar admits nothing.
 */
export type Gbnf =
  | { type: 'literal'; text: string }
  | { type: 'chars'; set: CharSet }
  | { type: 'sequence'; of: readonly Gbnf[] }
  | { type: 'choice'; of: readonly Gbnf[] }
  | { type: 'repeat'; of: Gbnf; min: number; max: number | undefined }
  | { type: 'rule'; name: string }

export const empty: Gbnf = { type: 'literal', text: '' }

export function text(literal: string): Gbnf {
  return { type: 'literal', text: literal }
}

export function charsOf(set: CharSet | string): Gbnf {
  return { type: 'chars', set: typeof set === 'string' ? CharSet.of(set) : set }
}

function isEmpty(gbnf: Gbnf): boolean {
  return gbnf.type === 'literal' && gbnf.text === ''
}

/** Parts one after another; neighbouring literals are merged. */
export function sequence(...of: (Gbnf | string)[]): Gbnf {
  const [first, second] = of
  // Usually it is a member and the rest after it. An array that grows reserves space for 17 from its first element on.
  if (of.length === 2 && isPart(first) && isPart(second)) return { type: 'sequence', of: [first, second] }
  const parts: Gbnf[] = []
  for (const part of of) {
    if (typeof part === 'string') append(text(part), parts)
    else if (part.type === 'sequence') for (const one of part.of) append(one, parts)
    else append(part, parts)
  }
  return parts.length === 1 && parts[0] ? parts[0] : parts.length === 0 ? empty : { type: 'sequence', of: parts }
}

/** True if `one` remains a separate part inside a sequence. */
function isPart(one: Gbnf | string | undefined): one is Gbnf {
  return typeof one === 'object' && one.type !== 'sequence' && one.type !== 'literal'
}

function append(one: Gbnf, parts: Gbnf[]): void {
  if (one.type === 'literal') {
    if (one.text === '') return
    const last = parts.at(-1)
    if (last?.type === 'literal') {
      parts[parts.length - 1] = text(last.text + one.text)
      return
    }
  }
  parts.push(one)
}

/** Up to this number, alternatives are compared one by one; more are compared by their printed text. */
const fewAlternatives = 12

/** A choice between several, without duplicates; undefined if there are none. */
export function choice(of: readonly (Gbnf | undefined)[]): Gbnf | undefined {
  const all = of.every(isAlternative) ? of : of.flatMap((one) => (one?.type === 'choice' ? one.of : (one ?? [])))
  if (all.length <= 1) return all[0]
  const found =
    all.length <= fewAlternatives ? fewOf(all) : [...new Map(all.map((one) => [printGbnf(one), one])).values()]
  return found.length === 1 ? found[0] : { type: 'choice', of: found }
}

function isAlternative(one: Gbnf | undefined): one is Gbnf {
  return one !== undefined && one.type !== 'choice'
}

function fewOf(all: readonly Gbnf[]): readonly Gbnf[] {
  for (let at = 1; at < all.length; at++) {
    // Nearly always all differ.
    if (!isNew(all, at)) return all.filter((_, one) => isNew(all, one))
  }
  return all
}

/** True if none of the expressions before it is written alike. */
function isNew(all: readonly Gbnf[], at: number): boolean {
  const one = all[at] ?? empty
  for (let before = 0; before < at; before++) if (isSame(one, all[before] ?? empty)) return false
  return true
}

/** True for two that are written alike. */
export function isSame(one: Gbnf, other: Gbnf): boolean {
  if (one === other) return true
  switch (one.type) {
    case 'literal':
      return other.type === 'literal' && one.text === other.text
    case 'rule':
      return other.type === 'rule' && one.name === other.name
    case 'chars':
      return other.type === 'chars' && one.set.toString() === other.set.toString()
    case 'repeat':
      return other.type === 'repeat' && one.min === other.min && one.max === other.max && isSame(one.of, other.of)
    case 'sequence':
    case 'choice':
      return (
        other.type === one.type &&
        one.of.length === other.of.length &&
        one.of.every((part, at) => isSame(part, other.of[at] ?? empty))
      )
  }
}

/** `min` to `max` times; without `max`, any number from `min` on. */
export function repeat(of: Gbnf, min: number, max?: number): Gbnf {
  if (max === 0 || isEmpty(of)) return empty
  return min === 1 && max === 1 ? of : { type: 'repeat', of, min, max }
}

/** Once, or not at all. */
export function optional(of: Gbnf): Gbnf {
  return repeat(of, 0, 1)
}

/**
 * Prints a grammar expression as GBNF. Two expressions admit the same if their texts are equal. The names of the rules
 * that it refers to are pushed to `names`.
 */
export function printGbnf(gbnf: Gbnf, names?: string[]): string {
  switch (gbnf.type) {
    case 'literal':
      return printLiteral(gbnf.text)
    case 'chars':
      return gbnf.set.toString()
    case 'rule':
      names?.push(gbnf.name)
      return gbnf.name
    case 'sequence':
      return printed(gbnf.of, ' ', names)
    case 'choice':
      return printed(gbnf.of, ' | ', names)
    case 'repeat':
      return printRepeat(gbnf, names)
  }
}

/**
 * Prints the parts of a choice or a sequence. A choice within a choice needs no brackets; within a sequence it does.
 */
function printed(of: readonly Gbnf[], separator: ' ' | ' | ', names: string[] | undefined): string {
  let all = ''
  for (const part of of) {
    const one = printGbnf(part, names)
    if (all !== '') all += separator
    all += part.type === 'choice' && separator === ' ' ? `(${one})` : one
  }
  return all
}

function printRepeat({ of, min, max }: Extract<Gbnf, { type: 'repeat' }>, names: string[] | undefined): string {
  const isOne = of.type === 'chars' || of.type === 'rule' || (of.type === 'literal' && [...of.text].length === 1)
  const inner = printGbnf(of, names)
  const one = isOne ? inner : `(${inner})`
  if (min === 0 && max === 1) return `${one}?`
  if (max === undefined) return min === 0 ? `${one}*` : min === 1 ? `${one}+` : `${one}{${min},}`
  return min === max ? `${one}{${min}}` : `${one}{${min},${max}}`
}

/** The text with which all that is admitted begins; `rules` are those that it refers to. */
export function prefixOf(gbnf: Gbnf, rules: ReadonlyMap<string, Gbnf>, limit: number = 200): string {
  return prefix(gbnf, rules, limit).text
}

function prefix(gbnf: Gbnf, rules: ReadonlyMap<string, Gbnf>, limit: number): { text: string; isWhole: boolean } {
  switch (gbnf.type) {
    case 'literal':
      return { text: gbnf.text, isWhole: true }
    case 'sequence': {
      let found = ''
      for (const part of gbnf.of) {
        const next = prefix(part, rules, limit - found.length)
        found += next.text
        if (!next.isWhole || found.length >= limit) return { text: found, isWhole: false }
      }
      return { text: found, isWhole: true }
    }
    case 'choice': {
      let shared: string | undefined
      for (const one of gbnf.of) {
        const { text: begin } = prefix(one, rules, Math.min(limit, shared?.length ?? limit))
        shared = shared === undefined ? begin : commonPrefix(shared, begin)
        if (shared === '') break
      }
      return { text: shared ?? '', isWhole: false }
    }
    case 'rule': {
      const body = rules.get(gbnf.name)
      return body && limit > 0 ? prefix(body, rules, limit - 1) : { text: '', isWhole: false }
    }
    case 'chars':
    case 'repeat':
      return { text: '', isWhole: false }
  }
}

/** True if the expression admits the empty text. A rule that refers to itself adds no empty text of its own. */
export function mayBeEmpty(
  gbnf: Gbnf,
  rules: ReadonlyMap<string, Gbnf>,
  open: ReadonlySet<string> = new Set<string>(),
): boolean {
  switch (gbnf.type) {
    case 'literal':
      return gbnf.text === ''
    case 'chars':
      return false
    case 'sequence':
      return gbnf.of.every((part) => mayBeEmpty(part, rules, open))
    case 'choice':
      return gbnf.of.some((part) => mayBeEmpty(part, rules, open))
    case 'repeat':
      return gbnf.min === 0 || mayBeEmpty(gbnf.of, rules, open)
    case 'rule': {
      const body = open.has(gbnf.name) ? undefined : rules.get(gbnf.name)
      return body !== undefined && mayBeEmpty(body, rules, new Set([...open, gbnf.name]))
    }
  }
}

export function commonPrefix(one: string, other: string): string {
  let length = sharedLength(one, other)
  // Half of a surrogate pair is not a character.
  if (length > 0 && /[\ud800-\udbff]/.test(one.charAt(length - 1))) length--
  return one.slice(0, length)
}

/** The expression without its first `length` characters, which everything it admits has in common. */
export function withoutPrefix(gbnf: Gbnf, length: number, rules: ReadonlyMap<string, Gbnf>): Gbnf {
  if (length === 0) return gbnf
  switch (gbnf.type) {
    case 'literal':
      return { type: 'literal', text: gbnf.text.slice(length) }
    case 'sequence': {
      const [first, ...rest] = gbnf.of
      if (!first) return gbnf
      const begin = prefix(first, rules, 1000)
      const held = begin.isWhole ? Math.min(length, begin.text.length) : length
      const after = sequence(...rest)
      return sequence(withoutPrefix(first, held, rules), withoutPrefix(after, length - held, rules))
    }
    case 'choice':
      return choice(gbnf.of.map((one) => withoutPrefix(one, length, rules))) ?? gbnf
    case 'rule': {
      const body = rules.get(gbnf.name)
      return body ? withoutPrefix(body, length, rules) : gbnf
    }
    default:
      return gbnf
  }
}
