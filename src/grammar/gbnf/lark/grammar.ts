import { canEnd } from '../endless.ts'
import { choice, empty, type Gbnf, repeat, sequence } from '../gbnf.ts'
import { GbnfRules } from '../rules.ts'
import { withoutEmptyRepeats } from '../text/empty-repeats.ts'
import { withoutLeftRecursion } from '../text/left-recursion.ts'
import { type TextGrammar, unreadable } from '../text/text-grammar.ts'
import { commonLibrary } from './common.ts'
import { isTerminalName, type LarkDefinition, type LarkExpression, type LarkFile } from './expression.ts'
import { parseLark } from './parse.ts'
import { Terminals } from './terminals.ts'
import { boundsOfClients, type LarkBounds } from './tokens.ts'

const start = 'start'

/**
 * Reads a grammar in Lark as llguidance and OpenAI take it: the texts of its rule `start`. All readings of a text
 * count: a terminal is not taken as long as possible, as llguidance takes it. Throws an `UnreadableGrammar` for what is
 * not read.
 *
 * @example
 * readLark('start: "a" | "b" start').rules.size // 1
 */
export function readLark(source: string): TextGrammar {
  const { root, rules } = readLarkRules(source)
  const made = withoutEmptyRepeats(withoutLeftRecursion(rules))
  if (root.type === 'rule' && !canEnd(root.name, made)) unreadable('no text fits it')
  return { root, rules: made }
}

/** The same with rules as they are written: they may begin with themselves, which engines of GBNF do not take. */
export function readLarkRules(source: string, bounds: LarkBounds = boundsOfClients): TextGrammar {
  return new LarkReader(parseLark(source, bounds), 2 * bounds.tokens).read()
}

let common: ReadonlyMap<string, LarkDefinition> | undefined

function commonTerminals(): ReadonlyMap<string, LarkDefinition> {
  common ??= new Map(parseLark(commonLibrary).definitions.map((one) => [one.name, one]))
  return common
}

class LarkReader {
  readonly #definitions = new Map<string, LarkDefinition>()
  readonly #rules = new GbnfRules()
  readonly #terminals: Terminals
  /** The names of rules in the grammar, by their names in Lark. */
  readonly #names = new Map<string, string>()
  readonly #ignored: Gbnf

  constructor(file: LarkFile, mostParts: number) {
    for (const [name, imported] of file.imports) {
      const found =
        commonTerminals().get(imported) ?? unreadable(`it imports "${imported}", which "common" does not have`)
      this.#definitions.set(name, found)
    }
    for (const one of file.definitions) this.#definitions.set(one.name, one)
    const terminalOf = (name: string) => this.#definitions.get(name) ?? commonTerminals().get(name)
    this.#terminals = new Terminals(terminalOf, this.#rules, mostParts)
    const ignored = choice(file.ignored.map((one) => this.#terminals.text(one)))
    this.#ignored = ignored ? this.#rules.add('ignored', repeat(ignored, 0)) : empty
  }

  read(): TextGrammar {
    if (!this.#definitions.has(start)) unreadable(`it has no rule "${start}"`)
    return { root: this.#reference(start), rules: this.#rules.all }
  }

  #reference(name: string): Gbnf {
    const known = this.#names.get(name)
    if (known !== undefined) return { type: 'rule', name: known }
    const definition = this.#definitions.get(name) ?? unreadable(`it has no rule "${name}"`)
    const own = this.#rules.reserve(name)
    this.#names.set(name, own)
    this.#rules.define(own, this.#body(definition))
    return { type: 'rule', name: own }
  }

  #body(definition: LarkDefinition): Gbnf {
    // The attributes are those of a terminal that the rule consists of.
    return definition.isLazy
      ? sequence(this.#terminals.ofDefinition(definition), this.#ignored)
      : this.#expression(definition.body)
  }

  #expression(one: LarkExpression): Gbnf {
    switch (one.type) {
      case 'name':
        if (!isTerminalName(one.name)) return this.#reference(one.name)
        return sequence(this.#terminals.reference(one.name), this.#ignored)
      case 'sequence':
        return sequence(...one.of.map((part) => this.#expression(part)))
      case 'choice':
        return choice(one.of.map((part) => this.#expression(part))) ?? empty
      case 'repeat':
        return repeat(this.#expression(one.of), one.min, one.max)
      default:
        return sequence(this.#terminals.text(one), this.#ignored)
    }
  }
}
