// @ts-check
/** @import { Caller, CharacterSet, Rules, Slot } from './types.ts' */

/**
 * Finds the longest beginning of a text that a grammar admits. All derivations are followed in parallel, on stacks that
 * share their common parts (a generalised LL recogniser), so that no grammar makes the work grow with the number of
 * derivations.
 * @param {Rules} rules
 * @param {string} text
 * @returns {{ isWhole: boolean, isPrefix: boolean, length: number }} `isWhole`: the grammar may end here; `isPrefix`: it may go on or end
 *   here; `length`: of the longest beginning that it admits, in UTF-16 units
 */
export function matchGbnf(rules, text) {
  const callers = new Callers()
  let step = new Step(rules, callers)
  step.begin('root', callers.bottom)
  step.run()
  let length = 0
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    const next = new Step(rules, callers)
    for (const [slot, caller] of step.waiting) {
      if (slot.next && slot.symbol?.type === 'chars' && fits(slot.symbol, code)) next.add(slot.next, caller)
    }
    if (next.isEmpty) return { isWhole: false, isPrefix: false, length }
    callers.bottom.isLeft = false
    next.run()
    step = next
    length += character.length
  }
  return { isWhole: callers.bottom.isLeft, isPrefix: true, length }
}

/** All that can be done between two characters. */
class Step {
  /**
   * @param {Rules} rules
   * @param {Callers} callers
   */
  constructor(rules, callers) {
    this.rules = rules
    this.callers = callers
    /** @type {[Slot, Caller][]} where a character is to come */
    this.waiting = []
    /** @type {[Slot, Caller][]} */
    this.todo = []
    /** @type {Map<Caller, Set<Slot>>} */
    this.seen = new Map()
    /** @type {Map<Slot, Caller>} those that were made in this step, by what is after the rule */
    this.made = new Map()
  }

  get isEmpty() {
    return this.todo.length === 0
  }

  /**
   * @param {Slot} slot
   * @param {Caller} caller
   */
  add(slot, caller) {
    const slots = this.seen.get(caller) ?? new Set()
    if (slots.has(slot)) return
    this.seen.set(caller, slots.add(slot))
    this.todo.push([slot, caller])
  }

  /**
   * @param {string} name
   * @param {Caller} caller
   */
  begin(name, caller) {
    for (const slot of this.rules.get(name) ?? []) this.add(slot, caller)
  }

  run() {
    for (let one = this.todo.pop(); one; one = this.todo.pop()) {
      const [slot, caller] = one
      if (!slot.symbol || !slot.next) this.leave(caller)
      else if (slot.symbol.type === 'chars') this.waiting.push(one)
      // The last element of a rule needs no return; without this rule, a list would be a stack of the list's length.
      else this.begin(slot.symbol.name, slot.next.symbol ? this.callerAfter(slot.next, caller) : caller)
    }
    this.waiting = this.callers.settle(this.waiting, new Set(this.made.values()))
  }

  /** @param {Caller} caller */
  leave(caller) {
    caller.isLeft = true
    for (const above of caller.callers) if (caller.slot) this.add(caller.slot, above)
  }

  /**
   * @param {Slot} slot
   * @param {Caller} above
   */
  callerAfter(slot, above) {
    const caller = this.made.get(slot) ?? this.callers.create(slot)
    this.made.set(slot, caller)
    if (!caller.callers.has(above)) {
      caller.callers.add(above)
      if (caller.isLeft) this.add(slot, above)
    }
    return caller
  }
}

/**
 * The callers of all steps. Those that were made in different steps for the same, as in each round of a repetition, become one: else a
 * grammar that can be read in several ways would have more of them with each character.
 */
class Callers {
  constructor() {
    this.count = 0
    /** @type {Caller} */
    this.bottom = { id: 0, callers: new Set(), isLeft: false }
    /** @type {Map<Slot, Map<string, Caller>>} */
    this.known = new Map()
  }

  /**
   * @param {Slot} slot
   * @returns {Caller}
   */
  create(slot) {
    return { id: ++this.count, slot, callers: new Set(), isLeft: false }
  }

  /**
   * @param {readonly [Slot, Caller][]} waiting
   * @param {ReadonlySet<Caller>} made in this step
   */
  settle(waiting, made) {
    /** @type {Map<Caller, Caller>} */
    const settled = new Map()
    /** @type {Map<Caller, Set<Slot>>} */
    const seen = new Map()
    /** @type {[Slot, Caller][]} */
    const all = []
    for (const [slot, caller] of waiting) {
      const one = this.settleOne(caller, made, settled)
      const slots = seen.get(one) ?? new Set()
      if (!slots.has(slot)) all.push([slot, one])
      seen.set(one, slots.add(slot))
    }
    return all
  }

  /**
   * @param {Caller} caller
   * @param {ReadonlySet<Caller>} made
   * @param {Map<Caller, Caller>} settled
   * @returns {Caller}
   */
  settleOne(caller, made, settled) {
    if (!made.has(caller) || !caller.slot) return caller
    const done = settled.get(caller)
    if (done) return done
    // A caller above itself, if a rule begins with itself, stays unchanged.
    settled.set(caller, caller)
    caller.callers = new Set([...caller.callers].map((above) => this.settleOne(above, made, settled)))
    const key = [...caller.callers].map(({ id }) => id).sort((one, other) => one - other)
    const alike = this.known.get(caller.slot) ?? new Map()
    this.known.set(caller.slot, alike)
    const known = alike.get(key.join()) ?? caller
    alike.set(key.join(), known)
    settled.set(caller, known)
    return known
  }
}

/**
 * @param {CharacterSet} set
 * @param {number} code
 */
function fits({ ranges, isNegated }, code) {
  return ranges.some(([first, last]) => first <= code && code <= last) !== isNegated
}
