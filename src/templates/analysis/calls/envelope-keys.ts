import type { JsonValue } from '../../../conversation/index.ts'
import type { EnvelopeKeys } from '../../../grammar/index.ts'
import { holdsNonce, nonces } from '../probes/nonces.ts'
import { holdsSlot, slots } from '../probes/slots.ts'
import { isObject, parsed } from './json-around.ts'

type Index = NonNullable<EnvelopeKeys['index']>

/**
 * The roles of the members of a call's object: its name, its arguments, its id, its number, constants, and an object
 * with some of these in it. `second` is another call of the same reply, if there is one. Undefined if it is not a call.
 */
export function envelopeKeys(first: JsonValue | undefined, second: JsonValue | undefined): EnvelopeKeys | undefined {
  const found = new FoundMembers()
  const order = found.take(first, second)
  const { name, arguments: args, id, isEncoded, inside, insideOrder, constants, index } = found
  if (args === undefined || (name === undefined && !found.isNameKey)) return undefined
  return {
    name,
    arguments: args,
    ...(id !== undefined && { id }),
    ...(isEncoded && { isEncoded }),
    ...(inside !== undefined && { inside, insideOrder }),
    ...(Object.keys(constants).length > 0 && { constants }),
    ...(index && { index }),
    order,
  }
}

class FoundMembers {
  name: string | undefined
  /** The name is itself the key of the arguments. */
  isNameKey = false
  arguments: string | undefined
  isEncoded = false
  id: string | undefined
  index: Index | undefined
  inside: string | undefined
  insideOrder: string[] = []
  readonly constants: Record<string, JsonValue> = {}

  /** Returns the keys with a known role, in their order. */
  take(first: JsonValue | undefined, second: JsonValue | undefined): string[] {
    if (!isObject(first)) return []
    const order: string[] = []
    for (const [key, member] of Object.entries(first)) {
      const other = isObject(second) ? second[key] : undefined
      if (key === slots.name && holdsArguments(member)) {
        this.isNameKey = true
        this.arguments = 'arguments'
        this.isEncoded = typeof member === 'string'
        order.push(this.arguments)
      } else if (this.#takeMember(key, member, other, second !== undefined)) order.push(key)
    }
    return order
  }

  #takeMember(key: string, member: JsonValue, other: JsonValue | undefined, isCompared: boolean): boolean {
    if (member === slots.name && this.name === undefined) this.name = key
    else if (holdsArguments(member) && this.arguments === undefined) {
      this.arguments = key
      this.isEncoded = typeof member === 'string'
    } else if (member === slots.id && this.id === undefined) this.id = key
    else if (isObject(member) && this.inside === undefined && holdsCall(member)) {
      this.inside = key
      this.insideOrder = this.take(member, other)
    } else if (this.index === undefined && indexFrom(key, member, other, isCompared) !== undefined) {
      const from = indexFrom(key, member, other, isCompared) ?? 0
      this.index = { key, from, ...(typeof member === 'string' && { isText: true }) }
    } else if (isConstant(member) && (!isCompared || member === other) && !Object.hasOwn(this.constants, key))
      this.constants[key] = member
    else return false
    return true
  }
}

function holdsArguments(member: JsonValue | undefined): boolean {
  const value = typeof member === 'string' ? parsed(member) : member
  return isObject(value) && value[nonces.keys[0]] === nonces.values[0]
}

/** True if the call's name and arguments are in the object itself: readers do not support a deeper one. */
function holdsCall(member: Record<string, JsonValue>): boolean {
  const isNamed = Object.hasOwn(member, slots.name) || Object.values(member).includes(slots.name)
  return isNamed && Object.values(member).some(holdsArguments)
}

function isConstant(member: JsonValue): boolean {
  const isScalar = member === null || typeof member !== 'object'
  return isScalar && !holdsSlot(String(member)) && !holdsNonce(String(member))
}

/**
 * The first number of a member that counts the calls; undefined if it does not. In a template that takes one call at a
 * time it is recognised by its key alone.
 */
function indexFrom(
  key: string,
  member: JsonValue,
  other: JsonValue | undefined,
  isCompared: boolean,
): Index['from'] | undefined {
  const number = numberOf(member)
  if (number !== 0 && number !== 1) return undefined
  const isCounted = isCompared
    ? typeof other === typeof member && numberOf(other) === number + 1
    : /(?:^|[^a-z])(?:id|index)$/i.test(key)
  return isCounted ? number : undefined
}

function numberOf(member: JsonValue | undefined): number | undefined {
  if (typeof member === 'number') return member
  return typeof member === 'string' && /^\d$/.test(member) ? Number(member) : undefined
}
