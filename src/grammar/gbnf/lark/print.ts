import { empty, type Gbnf, repeat, sequence } from '../gbnf.ts'
import { beginningsOf } from './beginnings.ts'
import { namesIn, ruleGroups } from './groups.ts'
import { linearAutomatonOf, type Way } from './linear.ts'
import { LarkNames } from './names.ts'
import { larkLiteral, larkSet } from './notation.ts'

type Automaton = ReadonlyMap<string, readonly Way[]>

/**
 * Prints a grammar in Lark, as llguidance takes it.
 *
 * - What refers to no rule around itself is a terminal, and as large a one as possible: llguidance matches terminals
 *   with automata, and all else with a parser.
 * - Text without some words is an automaton, a rule for each state, each of which comes at the end of others. It is
 *   printed the other way round, because the parser's work for rules that end with each other grows with the text. A
 *   run of characters that stays in one state is one terminal.
 *
 * @example
 * printLark(text('ab'), new Map()) // '%llguidance {}\nstart: "ab"\n'
 */
export function printLark(root: Gbnf, rules: ReadonlyMap<string, Gbnf>): string {
  return new LarkPrinter([root], rules).print((printer) => printer.rule(root))
}

/**
 * Prints a grammar that follows a text, or does not come. Such a text must not contain some words, with which the
 * grammar begins: up to `spelled` characters of its beginning are terminals of one character, so that the text may
 * always go on otherwise, as llguidance takes the longest terminal.
 */
export function printLarkAfter(free: Gbnf, root: Gbnf, rules: ReadonlyMap<string, Gbnf>, spelled: number): string {
  const ways = beginningsOf(root, rules)
  return new LarkPrinter([free, root], rules).print((printer) => {
    const after = ways.map(({ text, rest }) => {
      const chars = [...text]
      const begin = chars.slice(0, spelled).map(larkLiteral)
      return [...begin, printer.bracketed(sequence(chars.slice(spelled).join(''), rest))].join(' ')
    })
    return `${printer.rule(free)} (${after.join(' | ')})?`
  })
}

class LarkPrinter {
  readonly #rules: ReadonlyMap<string, Gbnf>
  readonly #groups: readonly (readonly string[])[]
  readonly #names = new LarkNames()
  /** The rules that are terminals. */
  readonly #regular = new Set<string>()
  /** The rules that others than those of their group refer to. */
  readonly #entered: ReadonlySet<string>
  /** The names of terminals that are no rules, by their bodies. */
  readonly #parts = new Map<string, string>()
  readonly #lines: string[] = []

  constructor(roots: readonly Gbnf[], rules: ReadonlyMap<string, Gbnf>) {
    const outside = roots.flatMap(namesIn)
    this.#rules = rules
    this.#groups = ruleGroups(outside, rules)
    const groupOf = new Map(this.#groups.flatMap((group) => group.map((name) => [name, group] as const)))
    const entered = new Set(outside)
    for (const [name, group] of groupOf) {
      for (const other of namesIn(rules.get(name))) if (groupOf.get(other) !== group) entered.add(other)
    }
    this.#entered = entered
  }

  /** `start` returns the body of the first rule. */
  print(startOf: (printer: LarkPrinter) => string): string {
    for (const group of this.#groups) this.#group(group)
    const start = `start: ${startOf(this)}\n`
    return `%llguidance {}\n${start}${this.#lines.join('')}`
  }

  #group(group: readonly string[]): void {
    const [name = ''] = group
    const body = this.#rules.get(name) ?? empty
    const isRecursive = group.length > 1 || namesIn(body).includes(name)
    if (!isRecursive && this.#isRegular(body)) {
      this.#regular.add(name)
      this.#line(this.#names.terminal(name), this.#terminal(body))
      return
    }
    const automaton = isRecursive ? linearAutomatonOf(group, this.#rules) : undefined
    if (automaton) for (const state of group) if (this.#entered.has(state)) this.#automaton(state, automaton)
    if (!automaton) for (const one of group) this.#line(this.#names.rule(one), this.rule(this.#rules.get(one) ?? empty))
  }

  #line(name: string, body: string): void {
    this.#lines.push(`${name}: ${body}\n`)
  }

  /**
   * Prints the texts from one state of an automaton on: for each state the texts that lead to it, and those that lead
   * from there to an end.
   */
  #automaton(start: string, automaton: Automaton): void {
    const names = new Map([[start, this.#names.state()]])
    /** The predecessors of each state, with the text on each edge. */
    const into = new Map<string, Map<string, string[]>>([[start, new Map()]])
    const ends = new Map<string, string[]>()
    // Entries are added while they are read.
    for (const [state, own] of names) {
      for (const { label, to } of automaton.get(state) ?? []) {
        const isRun = to === state && label.type === 'chars'
        const written = this.bracketed(isRun ? repeat(label, 1) : label)
        if (to !== undefined && !names.has(to)) names.set(to, this.#names.state())
        const ways = to === undefined ? ends : (into.get(to) ?? new Map<string, string[]>())
        if (to !== undefined) into.set(to, ways)
        const before = ways.get(written)
        if (before) before.push(own)
        else ways.set(written, [own])
      }
    }
    this.#line(this.#names.rule(start), printWays(ends))
    for (const [state, own] of names) {
      const first = state === start ? ['""'] : []
      this.#line(own, [...first, printWays(into.get(state) ?? new Map())].filter((one) => one !== '').join(' | '))
    }
  }

  #isRegular(gbnf: Gbnf): boolean {
    switch (gbnf.type) {
      case 'rule':
        return this.#regular.has(gbnf.name)
      case 'sequence':
      case 'choice':
        return gbnf.of.every((part) => this.#isRegular(part))
      case 'repeat':
        return this.#isRegular(gbnf.of)
      default:
        return true
    }
  }

  /** A part of a rule. */
  rule(gbnf: Gbnf): string {
    if (this.#isRegular(gbnf)) return this.#lexeme(gbnf)
    switch (gbnf.type) {
      case 'rule':
        return this.#names.rule(gbnf.name)
      case 'choice':
        return gbnf.of.map((one) => this.rule(one)).join(' | ')
      case 'repeat':
        return this.bracketed(gbnf.of) + countOf(gbnf)
      case 'sequence':
        return this.#runs(gbnf.of)
          .map((part) => this.bracketed(part))
          .join(' ')
      default:
        return this.#lexeme(gbnf)
    }
  }

  bracketed(gbnf: Gbnf): string {
    const isOne = gbnf.type !== 'choice' || this.#isRegular(gbnf)
    const isWhole = isOne && (gbnf.type !== 'repeat' || this.#isRegular(gbnf))
    const written = this.rule(gbnf)
    return isWhole && (gbnf.type !== 'sequence' || this.#isRegular(gbnf)) ? written : `(${written})`
  }

  /** Neighbours that are terminals become one. */
  #runs(parts: readonly Gbnf[]): readonly Gbnf[] {
    const found: Gbnf[] = []
    for (const part of parts) {
      const last = found.at(-1)
      if (last && this.#isRegular(last) && this.#isRegular(part)) found[found.length - 1] = sequence(last, part)
      else found.push(part)
    }
    return found
  }

  /** A terminal within a rule: a literal, a set or a name. */
  #lexeme(gbnf: Gbnf): string {
    if (gbnf.type === 'literal') return gbnf.text === '' ? '' : larkLiteral(gbnf.text)
    if (gbnf.type === 'chars') return larkSet(gbnf.set)
    if (gbnf.type === 'rule') return this.#names.terminal(gbnf.name)
    const body = this.#terminal(gbnf)
    const known = this.#parts.get(body)
    if (known !== undefined) return known
    const name = this.#names.terminal(`part ${this.#parts.size + 1}`)
    this.#parts.set(body, name)
    this.#line(name, body)
    return name
  }

  /** The body of a terminal, or a part of one. */
  #terminal(gbnf: Gbnf): string {
    switch (gbnf.type) {
      case 'literal':
        return larkLiteral(gbnf.text)
      case 'chars':
        return larkSet(gbnf.set)
      case 'rule':
        return this.#names.terminal(gbnf.name)
      case 'choice':
        return gbnf.of.map((one) => this.#terminal(one)).join(' | ')
      case 'sequence':
        return gbnf.of.map((part) => this.#inTerminal(part)).join(' ')
      case 'repeat':
        return this.#inTerminal(gbnf.of) + countOf(gbnf)
    }
  }

  #inTerminal(gbnf: Gbnf): string {
    const isGroup = gbnf.type === 'choice' || gbnf.type === 'sequence' || gbnf.type === 'repeat'
    return isGroup ? `(${this.#terminal(gbnf)})` : this.#terminal(gbnf)
  }
}

/** States with the text that follows each. */
function printWays(ways: ReadonlyMap<string, readonly string[]>): string {
  return [...ways]
    .map(([written, states]) => {
      const before =
        states.length === 1 ? (states[0] ?? '') : written === '' ? states.join(' | ') : `(${states.join(' | ')})`
      return written === '' ? before : `${before} ${written}`
    })
    .join(' | ')
}

function countOf({ min, max }: Extract<Gbnf, { type: 'repeat' }>): string {
  if (min === 0 && max === 1) return '?'
  if (max === undefined) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`
  return min === max ? `{${min}}` : `{${min},${max}}`
}
