import { CharSet } from '../../regex/chars.ts'
import { charsOf, type Gbnf, printGbnf, text } from '../gbnf.ts'
import { type PrintedRule, printedRule } from '../rule-family.ts'
import { GrammarTooLarge } from '../rules.ts'
import { KeywordSearch } from './keyword-search.ts'
import { blankChars, safeStarts, TextKinds } from './text-kind.ts'
import type { Until } from './until.ts'

/**
 * A marker of some hundred characters has as many states, multiplied by those of the texts that must not come before
 * it.
 */
const maxStates = 10_000

const blanks = CharSet.of(blankChars.join(''))
/** Represents all characters on which nothing depends. */
const otherChar = '\u{10fffe}'

interface State {
  rule: Extract<Gbnf, { type: 'rule' }>
  /**
   * The longest prefixes of the closer, and of a forbidden mark, that the text ends in, as node numbers of the
   * searches.
   */
  closer: number
  marks: number
  /** The forms that the text may still take. */
  kind: string
  /** The number of characters read while all of them may be the closer; -1 once there is text. */
  start: number
}

/** The characters that lead to one state. */
interface Group {
  chars: string
  hasBlanks: boolean
  hasOthers: boolean
  next: State
}

/** Builds the deterministic automaton of a text followed by its closer: a rule for each state. */
export class UntilAutomaton {
  readonly #until: Until
  readonly #label: string
  readonly #rules = new Map<string, PrintedRule>()
  readonly #closerChars: readonly string[]
  readonly #kinds: TextKinds
  readonly #closer: KeywordSearch
  readonly #marks: KeywordSearch
  readonly #states = new Map<number | string, State>()
  readonly #queue: State[] = []

  constructor(until: Until, label: string) {
    this.#until = until
    this.#label = label
    this.#kinds = new TextKinds(until.not)
    this.#closerChars = [...until.closer]
    this.#closer = new KeywordSearch([this.#closerChars], false)
    const marks = [...new Set(until.marks.map((mark) => mark.toLowerCase()))]
    // A mark that begins with another mark is excluded together with it, unless it began before the text did.
    const isKeptOut = (mark: string) => marks.some((other) => other !== mark && mark.startsWith(other))
    const needed = until.isLineStart ? marks : marks.filter((mark) => !isKeptOut(mark))
    this.#marks = new KeywordSearch(
      needed.map((mark) => [...mark]),
      true,
    )
  }

  /** The rules by name, the start first. */
  build(): ReadonlyMap<string, PrintedRule> {
    const { isLineStart, isNonEmpty } = this.#until
    this.#stateOf(0, isLineStart ? this.#marks.step(0, '\n') : 0, this.#kinds.start, isNonEmpty ? 0 : -1)
    // States are added while they are defined.
    for (const state of this.#queue) this.#rules.set(state.rule.name, this.#define(state))
    return this.#rules
  }

  #stateOf(closer: number, marks: number, kind: string, start: number): State {
    // Nearly all states are of text with nothing before it: of these a number is enough.
    const place = closer * this.#marks.size + marks
    const key = kind === 'text' && start < 0 ? place : `${place} ${start} ${kind}`
    let state = this.#states.get(key)
    if (!state) {
      if (this.#states.size >= maxStates) throw new GrammarTooLarge()
      state = {
        rule: { type: 'rule', name: `${this.#label}-${this.#states.size.toString(36)}` },
        closer,
        marks,
        kind,
        start,
      }
      this.#states.set(key, state)
      this.#queue.push(state)
    }
    return state
  }

  #define(state: State): PrintedRule {
    const groups: Group[] = []
    const parts: Gbnf[] = []
    const isFirst = state.kind === 'first'
    const significant = this.#significantChars(state)
    const join = (next: State): Group => {
      let group = groups.find((one) => one.next === next)
      if (!group) {
        group = { chars: '', hasBlanks: false, hasOthers: false, next }
        groups.push(group)
      }
      return group
    }
    // Characters that lead to no other state.
    let ended = ''
    for (const char of significant) {
      // No text may begin with the line break that its reader takes for the marker's.
      const isBreak = state.start === 0 && (char === '\n' || char === '\r') && this.#closerChars[0] !== char
      const next = isBreak || (isFirst && !safeStarts.has(char)) ? undefined : this.#step(state, char)
      if (typeof next === 'object') join(next).chars += char
      else ended += char
      if (typeof next === 'string') parts.push(text(char + next))
    }
    const other = this.#step(state, otherChar)
    if (typeof other === 'object') join(other).hasOthers = true
    const blank = isFirst ? undefined : blankChars.find((char) => !significant.has(char))
    const afterBlank = blank === undefined ? undefined : this.#step(state, blank)
    if (typeof afterBlank === 'object') join(afterBlank).hasBlanks = true
    const texts = parts.map((part) => printGbnf(part))
    for (const group of groups) {
      const set = setOf(group, groups, ended, isFirst)
      parts.push({ type: 'sequence', of: [charsOf(set), group.next.rule] })
      texts.push(`${set} ${group.next.rule.name}`)
    }
    if (this.#closerChars.length === 0) {
      parts.push(text(''))
      texts.push('""')
    }
    const [only] = parts
    if (parts.length <= 1) return printedRule(only ?? text(this.#until.closer))
    const names = groups.map(({ next }) => next.rule.name)
    return { body: { type: 'choice', of: parts }, text: texts.join(' | '), names }
  }

  /** The characters that matter in a state: all others lead to the same state. */
  #significantChars(state: State): ReadonlySet<string> {
    const found = new Set<string>(['\n', '\r'])
    for (const char of this.#closer.nextsAt(state.closer)) found.add(char)
    for (const char of this.#marks.nextsAt(state.marks)) found.add(char)
    for (const char of this.#kinds.charsAt(state.kind)) found.add(char)
    return found
  }

  /**
   * The state after a character; the rest of the closer if the character ends the text; undefined if it is not allowed.
   */
  #step(state: State, char: string): State | string | undefined {
    const closer = this.#closer.step(state.closer, char)
    const marks = this.#marks.step(state.marks, char.toLowerCase())
    const kind = state.kind === 'text' ? 'text' : this.#kinds.after(state.kind, char, closer !== 0)
    if (kind === undefined) return undefined
    const read = state.start + 1
    const isAtStart = state.start >= 0 && this.#closer.hasLength(closer, read)
    const markLength = this.#marks.wholeAt(marks)
    if (markLength > 0 || this.#closer.wholeAt(closer) > 0) {
      const at = this.#closer.lengthsAt(closer).find((length) => length >= markLength)
      if (at === undefined || this.#kinds.isMistaken(kind) || (isAtStart && at === read)) return undefined
      return this.#closerChars.slice(at).join('')
    }
    return this.#stateOf(closer, marks, kind, isAtStart ? read : -1)
  }
}

/** Sets that were made before, of some characters and of all others: the markers of all formats are of the same. */
const few = new Map<string, CharSet>()
const many = new Map<string, CharSet>()
const maxSets = 2000

/** The characters of a group; others and white space are all that neither lead elsewhere nor, as the ended, nowhere. */
function setOf(group: Group, groups: readonly Group[], ended: string, isFirst: boolean): CharSet {
  const { chars, hasOthers, hasBlanks } = group
  if (!hasOthers && !hasBlanks) return madeOnce(few, chars, CharSet.of)
  const rest = groups.reduce((found, one) => (one === group ? found : found + one.chars), ended)
  if (hasOthers && hasBlanks) return madeOnce(many, rest, (without) => CharSet.all.without(CharSet.of(without)))
  const without = CharSet.of(rest)
  const all = (hasOthers ? CharSet.all.without(without.or(blanks)) : blanks.without(without)).or(CharSet.of(chars))
  return isFirst ? all.and(safeStarts) : all
}

function madeOnce(sets: Map<string, CharSet>, chars: string, make: (chars: string) => CharSet): CharSet {
  const known = sets.get(chars)
  if (known) return known
  if (sets.size >= maxSets) sets.clear()
  const set = make(chars)
  sets.set(chars, set)
  return set
}
