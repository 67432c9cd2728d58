/** A state of an object's members: the members that may follow. */
export interface OrderState {
  /** All members that must be there were there. */
  isWhole: boolean
  /** The members that may come next, and the state that follows each. */
  nexts: readonly (readonly [member: number, to: number])[]
}

/** Sets of members are bits of a number. */
export const mostOrdered = 24
/** The displacements that are tried: beyond eight members any order takes more states than there may be. */
const mostDisplaced = 8

const made = new Map<string, readonly OrderState[]>()
const maxMade = 300

/**
 * Returns the states of an object whose members come once each, in as many orders as `most` states can distinguish. The
 * order of the schema is always among them, and orders in which few members at a time are displaced: those that came
 * early, and those that were skipped and may still come. A required member is never skipped for good. At most
 * `mostOrdered` members.
 */
export function memberOrders(required: readonly boolean[], most: number): readonly OrderState[] {
  const key = `${most} ${required.map(Number).join('')}`
  const known = made.get(key)
  if (known) return known
  let found = statesOf(required, 0, Number.POSITIVE_INFINITY) ?? []
  for (let displaced = 1; displaced <= Math.min(mostDisplaced, required.length); displaced++) {
    const more = statesOf(required, displaced, most)
    if (!more) break
    found = more
  }
  if (made.size >= maxMade) made.clear()
  made.set(key, found)
  return found
}

/** Undefined past `most` states. The set of members that may still come is a state. */
function statesOf(required: readonly boolean[], displaced: number, most: number): OrderState[] | undefined {
  const count = required.length
  const needed = required.reduce((bits, isRequired, at) => bits | (isRequired ? 1 << at : 0), 0)
  const all = 2 ** count - 1
  const numbers = new Map([[all, 0]])
  const states: OrderState[] = []
  // Sets are added during the iteration.
  for (const left of numbers.keys()) {
    const nexts: [number, number][] = []
    for (let member = 0; member < count; member++) {
      if (!(left & (1 << member))) continue
      const rest = kept(left & ~(1 << member), { count, needed, displaced })
      if (rest === undefined) continue
      const to = numbers.get(rest) ?? numbers.size
      if (to >= most) return undefined
      numbers.set(rest, to)
      nexts.push([member, to])
    }
    states.push({ isWhole: (left & needed) === 0, nexts })
  }
  return states
}

interface Orders {
  count: number
  needed: number
  displaced: number
}

/**
 * The missing members that may still come, as many as can be determined; undefined if a required one is not among them.
 * Up to a place in the order they are the ones that were skipped, and after it all except those that came early.
 */
function kept(left: number, { count, needed, displaced }: Orders): number | undefined {
  let passed = 0
  let mustOfPassed = 0
  let coming = bitsOf(left)
  let early = count - coming
  let best = -1
  let bestRoom = 0
  let size = -1
  for (let place = 0; place <= count; place++) {
    const room = displaced - early
    const found = coming + Math.min(room, passed)
    if (mustOfPassed <= room && found > size) {
      size = found
      best = place
      bestRoom = room
    }
    const bit = 1 << place
    if (left & bit) {
      coming--
      passed++
      if (needed & bit) mustOfPassed++
    } else early--
  }
  if (best < 0) return undefined
  const before = left & (2 ** best - 1)
  return (left & ~before) | latest(before & needed, before & ~needed, bestRoom)
}

/** All that must come, and of the others those that were passed over last. */
function latest(must: number, others: number, room: number): number {
  let rest = others
  for (let surplus = bitsOf(others) + bitsOf(must) - room; surplus > 0; surplus--) rest &= rest - 1
  return must | rest
}

function bitsOf(set: number): number {
  let count = 0
  for (let rest = set; rest !== 0; rest &= rest - 1) count++
  return count
}
