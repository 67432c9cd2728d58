import { CharSet } from '../../regex/chars.ts'
import { empty, type Gbnf } from '../gbnf.ts'
import { unreadable } from './text-grammar.ts'

/** A place in a rule: a character is read, a rule is entered, or the way continues without either. */
export type Place =
  | { type: 'chars'; set: CharSet; to: number }
  | { type: 'call'; rule: string; to: number }
  | { type: 'skip'; to: number[] }
  | { type: 'end' }

const mostPlaces = 200_000

/** The rules of a grammar as places and the ways between them. */
export class Network {
  readonly places: Place[] = []
  readonly #starts = new Map<string, number>()
  readonly #rules: ReadonlyMap<string, Gbnf>

  constructor(rules: ReadonlyMap<string, Gbnf>) {
    this.#rules = rules
  }

  /** The first place of a rule, which is laid out when it is first entered. */
  startOf(rule: string): number {
    const known = this.#starts.get(rule)
    if (known !== undefined) return known
    const start = this.startOfExpression(this.#rules.get(rule) ?? empty)
    this.#starts.set(rule, start)
    return start
  }

  startOfExpression(gbnf: Gbnf): number {
    return this.#before(gbnf, this.#add({ type: 'end' }))
  }

  #add(place: Place): number {
    if (this.places.length >= mostPlaces) unreadable('it is too large')
    return this.places.push(place) - 1
  }

  /** The place at which an expression begins, if `to` follows it. */
  #before(gbnf: Gbnf, to: number): number {
    switch (gbnf.type) {
      case 'literal': {
        const chars = [...gbnf.text].map((char) => CharSet.of(char))
        return chars.reduceRight((next, set) => this.#add({ type: 'chars', set, to: next }), to)
      }
      case 'chars':
        return this.#add({ type: 'chars', set: gbnf.set, to })
      case 'rule':
        return this.#add({ type: 'call', rule: gbnf.name, to })
      case 'sequence':
        return gbnf.of.reduceRight((next, part) => this.#before(part, next), to)
      case 'choice':
        return this.#add({ type: 'skip', to: gbnf.of.map((part) => this.#before(part, to)) })
      case 'repeat':
        return this.#repeated(gbnf, to)
    }
  }

  #repeated({ of, min, max }: Extract<Gbnf, { type: 'repeat' }>, to: number): number {
    let next = to
    if (max === undefined) {
      const again: Place = { type: 'skip', to: [to] }
      next = this.#add(again)
      again.to.push(this.#before(of, next))
    } else {
      for (let count = min; count < max; count++) next = this.#add({ type: 'skip', to: [this.#before(of, next), to] })
    }
    for (let count = 0; count < min; count++) next = this.#before(of, next)
    return next
  }
}
