import { charsOf, either, type Gbnf, inOrder, printGbnf, text } from './gbnf.ts'
import { CharSet } from './gbnf-chars.ts'
import type { GbnfRules } from './gbnf-rules.ts'

/** Text up to a closing marker, as its reader finds it. */
export interface Until {
  /** What ends the text, as it is written; where it is empty, the text may end anywhere. */
  closer: string
  /**
   * What the text may not hold, in whatever case: with what its own marker begins, and that of what is around it. They
   * are searched for with the text's beginning taken for a line's.
   */
  marks: readonly string[]
  /** The text begins on a line of its own. */
  isLineStart: boolean
  /**
   * What its reader would take for something else than text: a CDATA section at its beginning, a JSON string that is all
   * of it. `safe`: whatever does not begin like a plain word.
   */
  not: readonly ('cdata' | 'quoted' | 'unsafe')[]
  isNonEmpty?: boolean
}

const cdata = '<![CDATA['
const blanks = CharSet.of(' \t\n\r\u000b\f\u00a0\u3000\u2028\u2029\ufeff')
/** With these begins nothing but a word: no number, literal, quote, bracket or tag. */
const safeStarts = CharSet.all.without(
  blanks.or(CharSet.of('"\'{[<-+.0123456789tfnuTFNUI\u201c\u201d\u2018\u2019\uff02&')),
)

interface State {
  /** How much of the closer the text ends in: of what may become it. */
  closer: readonly number[]
  marks: readonly (readonly [mark: number, length: number])[]
  /** What the text may still turn out to be. */
  kind: string
  /** How much was read, while all of it may be the closer; -1 once there is text. */
  start: number
}

/** Automata that were made before: formats have few, and each request wants them again. */
const made = new Map<string, Automaton>()
const maxMade = 500

interface Automaton {
  start: string
  states: ReadonlyMap<string, { body: Gbnf; text: string }>
}

/** The text with its closer behind it: a deterministic automaton, a rule for each of its states. */
export function textUntil(until: Until, rules: GbnfRules): Gbnf {
  const key = keyOf(until)
  let automaton = made.get(key)
  if (!automaton) {
    if (made.size >= maxMade) made.clear()
    const label = `text-${hashOf(key)}`
    const states = [...new UntilAutomaton(until, label).build()]
    automaton = {
      start: `${label}-0`,
      states: new Map(states.map(([name, body]) => [name, { body, text: printGbnf(body) }])),
    }
    made.set(key, automaton)
  }
  const { start, states } = automaton
  if (rules.all.get(start) !== states.get(start)?.body)
    for (const [name, { body, text }] of states) rules.define(name, body, text)
  return { type: 'rule', name: start }
}

function keyOf({ closer, marks, isLineStart, not, isNonEmpty }: Until): string {
  return `${closer}\u0000${marks.join('\u0000')}\u0001${isLineStart} ${not.join()} ${isNonEmpty === true}`
}

/** A short name for a text; the same in each grammar, so that equal grammars are equal texts. */
function hashOf(text: string): string {
  let hash = 0xcbf29ce484222325n
  for (let at = 0; at < text.length; at++)
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(at))) * 0x100000001b3n)
  return hash.toString(36).slice(-8)
}

class UntilAutomaton {
  readonly #until: Until
  readonly #label: string
  readonly #rules = new Map<string, Gbnf>()
  readonly #closer: readonly string[]
  readonly #marks: readonly (readonly string[])[]
  readonly #names = new Map<string, string>()
  readonly #classes = new Map<string, readonly (readonly [string, CharSet])[]>()
  readonly #queue: [string, State][] = []

  constructor(until: Until, label: string) {
    this.#until = until
    this.#label = label
    this.#closer = [...until.closer]
    const marks = [...new Set(until.marks.map((mark) => mark.toLowerCase()))]
    // What begins with another mark is kept out with that, unless it began before the text did.
    const isKeptOut = (mark: string) => marks.some((other) => other !== mark && mark.startsWith(other))
    const needed = until.isLineStart ? marks : marks.filter((mark) => !isKeptOut(mark))
    this.#marks = needed.map((mark) => [...mark])
  }

  build(): ReadonlyMap<string, Gbnf> {
    const { not, isLineStart, isNonEmpty } = this.#until
    const marks = isLineStart ? this.#advanceMarks([], '\n') : []
    const kind = not.includes('unsafe') ? 'first' : not.length > 0 ? 'before' : 'text'
    this.#ruleOf({ closer: [], marks, kind, start: isNonEmpty ? 0 : -1 })
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) this.#define(...next)
    return this.#rules
  }

  #ruleOf(state: State): Gbnf {
    const { closer, marks, kind, start } = state
    const key = `${closer.join()} ${marks.join()} ${kind} ${start}`
    let name = this.#names.get(key)
    if (name === undefined) {
      name = `${this.#label}-${this.#names.size}`
      this.#names.set(key, name)
      this.#queue.push([name, state])
    }
    return { type: 'rule', name }
  }

  #define(name: string, state: State): void {
    const groups = new Map<string, { sets: CharSet[]; next: Gbnf }>()
    const ends: Gbnf[] = []
    for (const [char, all] of this.#classesOf(this.#aliveIn(state))) {
      const set = state.kind === 'first' ? all.and(safeStarts) : all
      if (set.isEmpty) continue
      // No text may begin with the line break that its reader takes for the marker's.
      if (state.start === 0 && (char === '\n' || char === '\r') && this.#closer[0] !== char) continue
      const next = this.#step(state, char)
      if (next === undefined) continue
      if (typeof next === 'string') {
        ends.push(text(char + next))
        continue
      }
      const rule = this.#ruleOf(next)
      const name = rule.type === 'rule' ? rule.name : ''
      const known = groups.get(name)
      if (known) known.sets.push(set)
      else groups.set(name, { sets: [set], next: rule })
    }
    const goesOn = [...groups.values()].map(({ sets, next }) => {
      const [only] = sets
      const set = only && sets.length === 1 ? only : CharSet.from(sets.flatMap(({ ranges }) => ranges))
      return inOrder(charsOf(set), next)
    })
    const end = this.#closer.length === 0 ? text('') : undefined
    this.#rules.set(name, either([...ends, ...goesOn, end]) ?? text(this.#until.closer))
  }

  /** Each of the characters by itself, and all others; of these any one stands for all. */
  #classesOf(alive: readonly string[]): readonly (readonly [string, CharSet])[] {
    const key = alive.join('')
    let found = this.#classes.get(key)
    if (!found) {
      const set = CharSet.of(key)
      const others = CharSet.all.without(set.or(blanks))
      found = [
        ...alive.map((char) => [char, CharSet.of(char)] as const),
        ['\u{10fffe}', others],
        ['\u3000', blanks.without(set)],
      ]
      this.#classes.set(key, found)
    }
    return found
  }

  /** The characters on which anything depends in a state: all others lead where the rest leads. */
  #aliveIn(state: State): string[] {
    const found = new Set<string>(['\n', '\r'])
    for (const at of [0, ...state.closer]) found.add(this.#closer[at] ?? '')
    const open = [...this.#marks.map((_, mark) => [mark, 0] as const), ...state.marks]
    for (const [mark, at] of open) {
      const char = this.#marks[mark]?.[at] ?? ''
      found.add(char)
      if ([...char.toUpperCase()].length === 1) found.add(char.toUpperCase())
    }
    if (state.kind.startsWith('cdata')) found.add(cdata[state.kind.length - 'cdata'.length] ?? '')
    else if (state.kind !== 'text') for (const char of '"\\<') found.add(char)
    found.delete('')
    return [...found]
  }

  /** The state behind a character; where it ends the text, the rest of the closer; undefined where it may not stand. */
  #step(state: State, char: string): State | string | undefined {
    const closer = [0, ...state.closer].filter((at) => this.#closer[at] === char).map((at) => at + 1)
    const marks = this.#advanceMarks(state.marks, char)
    const isVirgin = state.start >= 0 && closer.includes(state.start + 1)
    const kind = this.#kindBehind(state.kind, char, closer.length > 0)
    if (kind === undefined) return undefined
    const whole = marks.filter(([mark, length]) => length === this.#marks[mark]?.length)
    if (whole.length > 0 || closer.includes(this.#closer.length)) {
      const [, markLength = 0] = whole.reduce((one, other) => (other[1] > one[1] ? other : one), whole[0] ?? [0, 0])
      const at = closer.find((length) => length >= markLength)
      if (at === undefined || kind === 'behind' || (isVirgin && at === state.start + 1)) return undefined
      return this.#closer.slice(at).join('')
    }
    return { closer, marks, kind, start: isVirgin ? state.start + 1 : -1 }
  }

  #advanceMarks(marks: State['marks'], char: string): State['marks'] {
    const lower = char.toLowerCase()
    const open: State['marks'] = [...this.#marks.map((_, mark) => [mark, 0] as const), ...marks]
    return open.filter(([mark, at]) => this.#marks[mark]?.[at] === lower).map(([mark, at]) => [mark, at + 1] as const)
  }

  /** Follows what the whole text may be taken for; undefined where it surely would be. */
  #kindBehind(kind: string, char: string, mayClose: boolean): string | undefined {
    const isBlank = blanks.has(char)
    const isQuotable = this.#until.not.includes('quoted')
    if (kind.startsWith('cdata')) {
      const read = kind.slice('cdata'.length) + char
      if (!cdata.startsWith(read)) return 'text'
      return read === cdata ? undefined : `cdata${read}`
    }
    switch (kind) {
      case 'before':
        if (isBlank) return kind
        if (char === '"' && isQuotable) return 'inside'
        return char === '<' && this.#until.not.includes('cdata') ? 'cdata<' : 'text'
      case 'inside':
        return char === '\n' ? 'text' : char === '\\' ? 'escape' : char === '"' ? 'behind' : kind
      case 'escape':
        return 'inside'
      case 'behind':
        return isBlank || mayClose ? kind : 'text'
      default:
        return 'text'
    }
  }
}
