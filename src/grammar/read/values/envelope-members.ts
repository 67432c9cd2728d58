import type { EnvelopeKeys } from '../../tree/expression.ts'

/** One member of the object that is a call. */
export type EnvelopeMember =
  | { holds: 'name' | 'id'; key: string }
  /** The key is undefined if it is the tool's name. */
  | { holds: 'arguments'; key: string | undefined }
  | { holds: 'index'; key: string; from: number; isText: boolean }
  | { holds: 'constant'; key: string; json: string }
  | { holds: 'members'; key: string; of: readonly EnvelopeMember[] }

/** The members of a call's object as they are written, from the first to the last. */
export function envelopeMembers(keys: EnvelopeKeys): EnvelopeMember[] {
  const members = new Map<string, EnvelopeMember>()
  const add = (key: string, member: EnvelopeMember) => void members.set(key, member)
  if (keys.name === undefined) add(keys.arguments, { holds: 'arguments', key: undefined })
  else {
    add(keys.name, { holds: 'name', key: keys.name })
    add(keys.arguments, { holds: 'arguments', key: keys.arguments })
  }
  const { id, index, constants = {}, inside } = keys
  if (id !== undefined) add(id, { holds: 'id', key: id })
  for (const [key, value] of Object.entries(constants))
    add(key, { holds: 'constant', key, json: JSON.stringify(value) })
  if (index) add(index.key, { holds: 'index', key: index.key, from: index.from, isText: index.isText ?? false })
  if (inside === undefined) return ordered(members, keys.order)
  const isInside = new Set([
    ...(keys.name === undefined ? [] : [keys.name]),
    keys.arguments,
    ...(keys.insideOrder ?? []),
  ])
  const inner = new Map([...members].filter(([key]) => isInside.has(key)))
  const outer = new Map<string, EnvelopeMember>([
    [inside, { holds: 'members', key: inside, of: ordered(inner, keys.insideOrder) }],
    ...[...members].filter(([key]) => !isInside.has(key)),
  ])
  return ordered(outer, keys.order)
}

/** Returns the members in `order`. Members that it does not contain come last. */
function ordered(members: ReadonlyMap<string, EnvelopeMember>, order: readonly string[] = []): EnvelopeMember[] {
  const keys = [...new Set([...order, ...members.keys()])]
  return keys.map((key) => members.get(key)).filter((member) => member !== undefined)
}
