import { RecentMap } from '../../../conversation/index.ts'
import { CharSet } from '../../regex/chars.ts'
import { charsOf, choice, commonPrefix, type Gbnf, sequence, text } from '../gbnf.ts'
import { type PrintedRule, printedRule } from '../rule-family.ts'
import type { GbnfRules } from '../rules.ts'
import { bothCases, KeywordSearch } from './keyword-search.ts'
import { hashOf, type Until } from './until.ts'

/** Engines take no end of groups in each other. */
const longestRest = 60
/** Few formats have one, with a rule for each letter of keys; templates and keys may be any number. */
const maxHeads = 8
const maxRules = 2000

/**
 * The text up to a closing marker that contains the argument's key (`]<]minimax[>[</path>`). Nearly all of its
 * automaton is the same for each key: the text up to the marker's head, `]<]minimax[>[</`, and the text after a head
 * that is not followed by the rest of a mark. So only the letters of the key need separate rules. Undefined if the
 * marks have no common head, or if the text must be distinguished from other forms.
 */
export function textUntilKey(until: Until, rules: GbnfRules): Gbnf | undefined {
  const { closer, isLineStart, not, isNonEmpty } = until
  const own = closer.toLowerCase()
  if (isLineStart || isNonEmpty || not.length > 0 || own.length !== closer.length) return undefined
  const marks = [...new Set(until.marks.map((mark) => mark.toLowerCase()))]
  const others = marks.filter((mark) => mark !== own)
  const head = others.reduce(commonPrefix, own)
  const rest = [...own.slice(head.length)]
  const isPartOfOther = marks.some((one) => marks.some((other) => other !== one && other.startsWith(one)))
  const isFitting = others.length < marks.length && rest.length <= longestRest
  if (isPartOfOther || !isFitting || !isHead(head, marks)) return undefined
  return rules.once(`until ${closer}\u0000${others.join('\u0000')}`, () => {
    const shared = headOf(head, others)
    const after = shared.after(rest, rules)
    const end: Gbnf = { type: 'rule', name: rules.reserve(`until-${rest.join('')}`) }
    rules.define(end.name, choice([text(closer), sequence(shared.head, after, end)]) ?? end)
    return sequence(shared.free, end)
  })
}

/** True if no head begins within another, nor within the text that follows it. */
function isHead(head: string, marks: readonly string[]): boolean {
  const [first = '', second = ''] = head
  return second !== '' && !isRepeated(head) && marks.every((mark) => !mark.slice(head.length).includes(first))
}

/** True if it ends with its own beginning. */
function isRepeated(head: string): boolean {
  for (let at = 1; at < head.length; at++) if (head.startsWith(head.slice(at))) return true
  return false
}

const heads = new RecentMap<string, MarkHead>(maxHeads)

function headOf(head: string, others: readonly string[]): MarkHead {
  const key = [head, ...others].join('\u0000')
  const found = heads.get(key)
  const known = found && found.size < maxRules ? found : new MarkHead(key, head, others)
  heads.set(key, known)
  return known
}

/** The characters that continue one of the other marks. */
type Branches = ReadonlyMap<string, Branch>
interface Branch {
  next: Branches
  rule: Gbnf
}
const none: Branches = new Map()

/** The beginning that marks share, in lower case, and the rules that do not depend on the key of one of them. */
class MarkHead {
  /** The head in any case. */
  readonly head: Gbnf
  /** Text up to the beginning of a head. */
  readonly free: Gbnf
  readonly #label: string
  readonly #chars: readonly string[]
  /** Its states are the lengths of the part of a head that the text ends in. */
  readonly #search: KeywordSearch
  /** With names that are the same in each grammar. */
  readonly #rules: [name: string, PrintedRule][] = []
  readonly #departures = new Map<string, Gbnf>()
  /** The number of these rules that each grammar already has. */
  readonly #defined = new WeakMap<GbnfRules, number>()
  readonly #others: Branches

  constructor(key: string, head: string, others: readonly string[]) {
    this.#label = `text-${hashOf(key)}`
    this.#chars = [...head]
    this.#search = new KeywordSearch([this.#chars], true)
    for (const state of this.#chars.keys()) {
      const end = this.#endsIn(state) ? text('') : undefined
      this.#add(this.#freeName(state), choice([this.#without(state, []), end]) ?? text(''))
    }
    this.free = { type: 'rule', name: this.#freeName(0) }
    this.head = this.#add(`${this.#label}-head`, sequence(...this.#chars.map(anyCase)))
    this.#others = this.#branches(others.map((mark) => [...mark.slice(head.length)]))
  }

  /** The text that may follow a head that begins no mark, up to the beginning of the next head. */
  after(rest: readonly string[], rules: GbnfRules): Gbnf {
    const found = this.#ownBranch(rest, 0, this.#others)
    for (const [name, rule] of this.#rules.slice(this.#defined.get(rules) ?? 0)) rules.addPrinted(name, rule)
    this.#defined.set(rules, this.#rules.length)
    return found
  }

  get size(): number {
    return this.#rules.length
  }

  #add(name: string, body: Gbnf): Gbnf {
    this.#rules.push([name, printedRule(body)])
    return { type: 'rule', name }
  }

  #freeName(state: number): string {
    return `${this.#label}-${state}`
  }

  /** From one character of the rest of the own mark on. */
  #ownBranch(rest: readonly string[], at: number, others: Branches): Gbnf {
    const char = rest[at] ?? ''
    const nexts = others.size === 0 ? [char] : [...new Set([...others.keys(), char])]
    const parts = [this.#departure(nexts)]
    for (const [next, branch] of others) {
      if (next !== char && branch.next.size > 0) parts.push(sequence(anyCase(next), branch.rule))
    }
    // The last character would complete the mark.
    const own = others.get(char)?.next ?? none
    if (at + 1 < rest.length) parts.push({ type: 'sequence', of: [anyCase(char), this.#ownBranch(rest, at + 1, own)] })
    const [only] = parts
    return parts.length === 1 && only ? only : { type: 'choice', of: parts }
  }

  #branches(rests: readonly (readonly string[])[]): Branches {
    const byChar = new Map<string, (readonly string[])[]>()
    for (const [char, ...rest] of rests) {
      if (char !== undefined) byChar.set(char, [...(byChar.get(char) ?? []), rest])
    }
    return new Map(
      [...byChar].map(([char, after]): [string, Branch] => {
        const next = this.#branches(after)
        const goesOn = [...next].filter(([, branch]) => branch.next.size > 0)
        const parts = goesOn.map(([one, branch]) => sequence(anyCase(one), branch.rule))
        const body = choice([this.#departure([...next.keys()]), ...parts]) ?? text('')
        return [char, { next, rule: this.#add(`${this.#label}-other-${this.#rules.length}`, body) }]
      }),
    )
  }

  /** A character that continues no mark, followed by free text; or the next head, right here. */
  #departure(nexts: readonly string[]): Gbnf {
    const key = nexts.length === 1 ? (nexts[0] ?? '') : nexts.toSorted().join('')
    let found = this.#departures.get(key)
    if (!found) {
      const chars = [...key].map((char) => (/[a-z0-9]/.test(char) ? char : `x${char.codePointAt(0)?.toString(16)}`))
      const body = choice([this.#without(0, nexts), text('')]) ?? text('')
      found = this.#add([this.#label, 'not', ...chars].join('-'), body)
      this.#departures.set(key, found)
    }
    return found
  }

  /** Any character except some, in any case, that completes no head. */
  #without(state: number, except: readonly string[]): Gbnf {
    const ways = new Map<number, string>()
    for (const char of this.#search.nextsAt(state)) {
      const next = this.#search.step(state, char.toLowerCase())
      const chars = ways.get(next) ?? ''
      if (next !== 0 && !except.includes(char.toLowerCase()) && !chars.includes(char)) ways.set(next, chars + char)
    }
    const gone = [...except.flatMap(bothCases), ...ways.values()].join('')
    ways.delete(this.#chars.length)
    const steps: [CharSet, number][] = [[CharSet.all.without(CharSet.of(gone)), 0]]
    for (const [next, chars] of ways) steps.push([CharSet.of(chars), next])
    return (
      choice(steps.map(([set, next]) => sequence(charsOf(set), { type: 'rule', name: this.#freeName(next) }))) ??
      text('')
    )
  }

  /** True if a head may begin in that state of the search. */
  #endsIn(state: number): boolean {
    let at = state
    return this.#chars.every((char, index) => {
      at = this.#search.step(at, char)
      return at < this.#chars.length || index === this.#chars.length - 1
    })
  }
}

const inAnyCase = new Map<string, Gbnf>()
const maxChars = 500

function anyCase(char: string): Gbnf {
  const found = inAnyCase.get(char) ?? charsOf(CharSet.of(bothCases(char).join('')))
  if (inAnyCase.size >= maxChars) inAnyCase.clear()
  inAnyCase.set(char, found)
  return found
}
