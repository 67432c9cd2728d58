import { TooManyStates } from '../../language/automaton.ts'
import type { Language } from '../../language/language.ts'
import { CharSet } from '../../regex/chars.ts'
import { charsOf, choice, empty, type Gbnf, repeat, sequence, text } from '../gbnf.ts'
import { languageGbnf, languageOf } from '../language.ts'
import type { GbnfRules } from '../rules.ts'
import { regexText } from '../text/regex.ts'
import { unreadable } from '../text/text-grammar.ts'
import type { LarkDefinition, LarkExpression } from './expression.ts'

/** States of an automaton that is written out as rules. */
const mostPrinted = 500

/** The terminals of a grammar. They are regular: none refers to itself. */
export class Terminals {
  readonly #find: (name: string) => LarkDefinition | undefined
  readonly #rules: GbnfRules
  readonly #texts = new Map<string, Gbnf>()
  readonly #languages = new Map<string, Language>()
  readonly #open = new Set<string>()
  #left: number

  /** `most`: the parts that are visited. Terminals that double each other are of any size. */
  constructor(find: (name: string) => LarkDefinition | undefined, rules: GbnfRules, most: number) {
    this.#find = find
    this.#left = most
    this.#rules = rules
  }

  /** A terminal by its name. */
  reference(name: string): Gbnf {
    const known = this.#texts.get(name)
    if (known) return known
    const made = this.#rules.add(
      name,
      this.#within(name, (definition) => this.ofDefinition(definition)),
    )
    this.#texts.set(name, made)
    return made
  }

  /** The texts of a definition, with its attributes. */
  ofDefinition(definition: LarkDefinition): Gbnf {
    if (!definition.isLazy) return this.text(definition.body)
    return this.#printed(this.#languageOfDefinition(definition), definition.name)
  }

  /** The texts of an expression of terminals. */
  text(one: LarkExpression): Gbnf {
    if (--this.#left < 0) unreadable('it has terminals that are too large')
    switch (one.type) {
      case 'name':
        return this.reference(one.name)
      case 'string':
        return one.ignoresCase ? ignoringCase(one.text) : text(one.text)
      case 'regex':
        return regexText(one.source, one.flags)
      case 'range':
        return rangeOf(one.first, one.last)
      case 'sequence':
        return sequence(...one.of.map((part) => this.text(part)))
      case 'choice':
        return choice(one.of.map((part) => this.text(part))) ?? empty
      case 'repeat':
        return repeat(this.text(one.of), one.min, one.max)
      case 'and':
      case 'not':
        return this.#printed(this.#language(one), 'text')
    }
  }

  #printed(language: Language, label: string): Gbnf {
    if (language.states.length > mostPrinted) unreadable('it has a terminal that takes too many states')
    return languageGbnf(language, label, this.#rules) ?? unreadable('it has a terminal that no text fits')
  }

  #languageOfDefinition({ body, isLazy, suffix }: LarkDefinition): Language {
    const whole: LarkExpression = suffix ? { type: 'sequence', of: [body, suffix] } : body
    const language = this.#language(whole)
    return isLazy ? language.shortest() : language
  }

  /** The texts of an expression as an automaton, for operations that only those have. */
  #language(one: LarkExpression): Language {
    if (--this.#left < 0) unreadable('it has terminals that are too large')
    try {
      switch (one.type) {
        case 'name':
          return this.#named(one.name)
        case 'and':
          return one.of.map((part) => this.#language(part)).reduce((all, next) => all.and(next))
        case 'not':
          return this.#language(one.of).not()
        case 'choice':
          return one.of.map((part) => this.#language(part)).reduce((all, next) => all.or(next))
        case 'sequence':
          return one.of
            .map((part) => this.#language(part))
            .reduce((all, next) => all.followedBy(next), languageOf(empty))
        case 'repeat':
          return languageOf(repeat(this.#withoutRules(one.of), one.min, one.max))
        default:
          return languageOf(this.text(one))
      }
    } catch (error) {
      if (error instanceof TooManyStates) unreadable('it has a terminal that takes too many states')
      throw error
    }
  }

  #named(name: string): Language {
    const known = this.#languages.get(name)
    if (known) return known
    const made = this.#within(name, (definition) => this.#languageOfDefinition(definition))
    this.#languages.set(name, made)
    return made
  }

  /** An expression with the terminals that it refers to in their places. */
  #withoutRules(one: LarkExpression): Gbnf {
    switch (one.type) {
      case 'name':
        return this.#within(one.name, ({ body, isLazy }) =>
          isLazy ? unreadable(`it repeats "${one.name}", which is lazy`) : this.#withoutRules(body),
        )
      case 'sequence':
        return sequence(...one.of.map((part) => this.#withoutRules(part)))
      case 'choice':
        return choice(one.of.map((part) => this.#withoutRules(part))) ?? empty
      case 'repeat':
        return repeat(this.#withoutRules(one.of), one.min, one.max)
      case 'and':
      case 'not':
        return unreadable('it repeats a terminal with "&" or "~", which is not read')
      default:
        return this.text(one)
    }
  }

  #within<Made>(name: string, make: (definition: LarkDefinition) => Made): Made {
    const definition = this.#find(name) ?? unreadable(`it has no terminal "${name}"`)
    if (this.#open.has(name)) unreadable(`its terminal "${name}" refers to itself`)
    this.#open.add(name)
    const made = make(definition)
    this.#open.delete(name)
    return made
  }
}

function ignoringCase(literal: string): Gbnf {
  return sequence(...[...literal].map((char) => charsOf(CharSet.of(char.toLowerCase() + char.toUpperCase()))))
}

function rangeOf(first: string, last: string): Gbnf {
  const isChar = (one: string) => [...one].length === 1
  const set = isChar(first) && isChar(last) ? CharSet.range(first, last) : CharSet.none
  return set.isEmpty ? unreadable(`it has a range that is none: "${first}".."${last}"`) : charsOf(set)
}
