import type { JsonObject, Tool } from '../../conversation/index.ts'
import { CharSet } from '../regex/chars.ts'
import { charsOf, type Gbnf, repeat, sequence, text } from './gbnf.ts'
import type { Notation, OfferedTool } from './made-once.ts'
import { type PrintedRule, printedRule, type RuleFamily } from './rule-family.ts'

/**
 * llama.cpp refuses repetitions whose count multiplied by their rules reaches 2000, and copies the repeated expression.
 */
const maxRepetition = 2000
/** So that a tool's schema cannot make a grammar of any size. */
const maxRules = 6000
/**
 * The same bound for the text of its rules: a constant may be long and occur in many. The rules of 500 tools have 250
 * 000 characters.
 */
const maxCharacters = 600_000
/**
 * Past this size the grammar is not completed: the text that a format writes for each letter of a name cannot be
 * replaced by any value.
 */
const mostCharacters = 2_000_000
const mostRules = 30_000

/** Thrown while a grammar is made that is too large for any engine: it has to be made of less. */
export class GrammarTooLarge extends Error {}

/** A grammar has a state for each character of a name that is kept out: 20 000 take 50 ms of CPU. */
const mostKeptOut = 10_000

/**
 * Members that come in any order, each at most once, take two to the power of that many rules. Five always do; with one tool or two it may be
 * seven, with four six. If it were six for 24 tools, their grammar would be half as large again.
 */
function mostCountedFor(tools: number): number {
  return Math.max(5, Math.min(7, Math.floor(Math.log2(256 / Math.max(1, tools)))))
}

/** States for the orders of members in all large objects of a grammar, and in one of them. */
const statesOfOrders = 1500
const statesOfOneOrder = 512

/** No space, one space, or a line break with an indent. */
const gapInList: Gbnf = {
  type: 'choice',
  of: [text(''), text(' '), sequence('\n', repeat(charsOf(CharSet.of(' ')), 0, 16))],
}

/** The rules of one grammar: each body once, under a descriptive name. */
export class GbnfRules {
  readonly all: Map<string, Gbnf> = new Map<string, Gbnf>()
  /** The schemas of rules for a call's arguments as plain JSON. */
  readonly schemas: Map<string, JsonObject> = new Map<string, JsonObject>()
  /** Texts that had to be admitted beyond the request, or left out of it. */
  readonly #notices = new Set<string>()
  readonly #names = new Map<string, string>()
  /** The rules of bodies that were added before. */
  readonly #made = new Map<Gbnf, Gbnf>()
  #leftOfNames = mostKeptOut
  #leftOfOrders = statesOfOrders
  #characters = 0
  /** Those that were printed. */
  readonly #printed = new Map<string, PrintedRule>()
  /** By the names of their rules. */
  readonly #families = new Map<string, RuleFamily>()
  readonly #memo = new Map<string, Gbnf | undefined>()
  /** True if white space is free at line breaks of a format, because models write more or less of it. */
  readonly isLoose: boolean
  /** True if the beginning and the end that the calls of all tools share are written once. */
  readonly isShared: boolean
  /** An object with more members is large: they are not all counted. */
  readonly mostCounted: number
  /**
   * Values that are made once per grammar for a style or a tool. They are kept here and not in a WeakMap by grammar: V8
   * keeps the values of a WeakMap through each collection of young garbage, and those collections took a fifth of the
   * time in which grammars are made.
   */
  readonly notations: Map<string, Notation> = new Map<string, Notation>()
  readonly offered: Map<Tool, OfferedTool> = new Map<Tool, OfferedTool>()
  /** The rules that distinguish the calls of tools: each of their alternatives continues the text before them. */
  readonly calls: Set<string> = new Set<string>()

  constructor(options: { isLoose?: boolean; isShared?: boolean; tools?: number } = {}) {
    this.mostCounted = mostCountedFor(options.tools ?? 1)
    this.isLoose = options.isLoose ?? false
    this.isShared = options.isShared ?? false
  }

  get notices(): string[] {
    return [...this.#notices]
  }

  /** True when the grammar has reached its largest size; then types of values are no longer distinguished. */
  get isFull(): boolean {
    return this.all.size >= maxRules || this.#characters > maxCharacters
  }

  /** White space between the parts of an envelope. */
  get space(): Gbnf {
    return this.addFixed('gap-in-list', gapInList)
  }

  notice(what: string): void {
    this.#notices.add(what)
  }

  /**
   * The names that an object's other members must not have. Empty once all such names of the grammar have too many
   * characters.
   */
  keptOut(names: readonly string[]): readonly string[] {
    const length = names.reduce((sum, name) => sum + name.length, 0)
    if (length <= this.#leftOfNames) {
      this.#leftOfNames -= length
      return names
    }
    this.notice('members that the schema does not name may have the name of one that it names')
    return []
  }

  /** The states that `make` gives of as many as are left for the orders of members. */
  takeOrders<States extends readonly unknown[]>(make: (most: number) => States): States {
    const states = make(Math.min(this.#leftOfOrders, statesOfOneOrder))
    this.#leftOfOrders = Math.max(0, this.#leftOfOrders - states.length)
    return states
  }

  /** A rule of that body; the same body is the same rule. */
  add(label: string, body: Gbnf): Gbnf {
    if (body.type === 'rule' || (body.type === 'literal' && body.text.length < 24)) return body
    return { type: 'rule', name: this.#nameOf(label, body) }
  }

  /** The same for a body that no tool changes: it is made once, and need not be printed to be known again. */
  addFixed(label: string, body: Gbnf): Gbnf {
    let made = this.#made.get(body)
    if (!made) {
      made = this.add(label, body)
      this.#made.set(body, made)
    }
    return made
  }

  #nameOf(label: string, body: Gbnf): string {
    const rule = printedRule(body)
    const known = this.#names.get(rule.text)
    if (known !== undefined) return known
    const name = this.#freeName(label)
    this.#names.set(rule.text, name)
    this.addPrinted(name, rule)
    return name
  }

  /**
   * Returns the expression that was made under a key, or makes it now. A rule that refers to itself finds its own name.
   */
  once(key: string, make: () => Gbnf | undefined): Gbnf | undefined {
    if (!this.#memo.has(key)) this.#memo.set(key, make())
    return this.#memo.get(key)
  }

  /**
   * The same for an expression that depends on a schema alone; the key is undefined if it depends on more. An
   * expression that came with a notice is made again, so that each tool has its own notice.
   */
  perSchema(key: string | undefined, make: () => Gbnf | undefined): Gbnf | undefined {
    if (key === undefined) return make()
    if (this.#memo.has(key)) return this.#memo.get(key)
    const before = this.#notices.size
    const made = make()
    if (this.#notices.size === before) this.#memo.set(key, made)
    return made
  }

  /** A name that is emitted before its body is known, for rules that refer to themselves. */
  reserve(label: string): string {
    const name = this.#freeName(label)
    this.all.set(name, { type: 'literal', text: '' })
    return name
  }

  define(name: string, body: Gbnf): void {
    this.all.set(name, body)
    this.#printed.delete(name)
  }

  addPrinted(name: string, rule: PrintedRule): void {
    this.#grow(rule.text.length)
    this.all.set(name, rule.body)
    this.#printed.set(name, rule)
  }

  addFamily(family: RuleFamily): void {
    const [first] = family.rules.keys()
    if (first === undefined || this.#families.get(first) === family) return
    this.#grow(family.text.length)
    for (const [name, { body }] of family.rules) {
      this.all.set(name, body)
      this.#families.set(name, family)
    }
  }

  #grow(characters: number): void {
    this.#characters += characters
    if (this.#characters > mostCharacters || this.all.size > mostRules) throw new GrammarTooLarge()
  }

  drop(name: string): void {
    this.all.delete(name)
  }

  readonly #bases = new Map<string, string>()
  readonly #next = new Map<string, number>()

  #freeName(label: string): string {
    const base = this.#bases.get(label) ?? ruleName(label)
    this.#bases.set(label, base)
    let next = this.#next.get(base) ?? 1
    let name = next === 1 ? base : `${base}-${next}`
    while (this.all.has(name) || name === 'root') name = `${base}-${++next}`
    this.#next.set(base, next)
    return name
  }

  /** The grammar as text, the root first; rules that nothing refers to are left out. */
  print(root: Gbnf): string {
    const { text, names } = printedRule(root)
    // Joined at the end: a text that grows by pieces keeps them all, and grammars are kept.
    const all = [`root ::= ${text}\n`]
    let length = text.length
    const families = new Set<RuleFamily>()
    // A set iterates over the members that are added during the iteration.
    const found = new Set(names)
    for (const name of found) {
      const family = this.#families.get(name)
      if (family) {
        if (families.has(family)) continue
        families.add(family)
        all.push(family.text)
        length += family.text.length
        for (const other of family.others) found.add(other)
        continue
      }
      const rule = this.#printed.get(name) ?? this.#print(name)
      if (!rule) continue
      all.push(name, ' ::= ', rule.text, '\n')
      length += rule.text.length
      if (length > 2 * mostCharacters) throw new GrammarTooLarge()
      for (const other of rule.names) found.add(other)
    }
    return all.join('')
  }

  #print(name: string): PrintedRule | undefined {
    const body = this.all.get(name)
    return body && printedRule(body)
  }
}

function ruleName(label: string): string {
  const words = label.replace(/[^A-Za-z0-9]+/g, '-')
  const start = words.startsWith('-') ? 1 : 0
  return words.slice(start, words.endsWith('-') ? -1 : undefined).slice(0, 48) || 'rule'
}

/** The greatest number of repetitions: an expression counts as many rules as it has groups. */
export function repetitionLimit(of: Gbnf): number {
  return Math.floor((maxRepetition - 1) / groupsOf(of))
}

function groupsOf(gbnf: Gbnf): number {
  switch (gbnf.type) {
    case 'sequence':
    case 'choice':
      return 1 + gbnf.of.reduce((sum, part) => sum + groupsOf(part), 0)
    case 'repeat':
      return groupsOf(gbnf.of) + Math.max(1, gbnf.max ?? gbnf.min)
    default:
      return 1
  }
}
