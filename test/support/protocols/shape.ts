/**
 * The shape of a JSON value: a word for a kind of value, a list with the shape of its elements, an object with those of its
 * members, or a choice. A member whose name ends with `?` may be absent; no other members may be there.
 */
export type Shape =
  | 'string'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'null'
  | 'object'
  | 'any'
  | readonly [Shape]
  | { readonly [member: string]: Shape }
  | Choice

/** One of several shapes, or of several constants. */
export class Choice {
  readonly shapes: readonly Shape[]
  readonly constants: readonly unknown[]

  constructor(shapes: readonly Shape[], constants: readonly unknown[] = []) {
    this.shapes = shapes
    this.constants = constants
  }
}

export const either = (...shapes: Shape[]): Choice => new Choice(shapes)
export const constant = (...constants: unknown[]): Choice => new Choice([], constants)
export const orNull = (shape: Shape): Choice => new Choice([shape, 'null'])

/** Returns the faults of a value, with their places; empty if it has the shape. */
export function misfits(value: unknown, shape: Shape, path = '$'): string[] {
  if (typeof shape === 'string')
    return isOfKind(value, shape) ? [] : [`${path}: ${shape} expected, got ${shown(value)}`]
  if (shape instanceof Choice) return choiceMisfits(value, shape, path)
  if (isList(shape)) {
    if (!Array.isArray(value)) return [`${path}: list expected, got ${shown(value)}`]
    return value.flatMap((element: unknown, at) => misfits(element, shape[0], `${path}[${at}]`))
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${path}: object expected`]
  const members = new Map<string, unknown>(Object.entries(value))
  const wrong: string[] = []
  for (const [key, inner] of Object.entries(shape)) {
    const name = key.replace(/\?$/, '')
    if (members.has(name)) wrong.push(...misfits(members.get(name), inner, `${path}.${name}`))
    else if (name === key) wrong.push(`${path}.${name}: is absent`)
    members.delete(name)
  }
  return [...wrong, ...[...members.keys()].map((name) => `${path}.${name}: is not in the schema`)]
}

function choiceMisfits(value: unknown, { shapes, constants }: Choice, path: string): string[] {
  if (constants.includes(value)) return []
  const wrong = shapes.map((shape) => misfits(value, shape, path))
  if (wrong.some((one) => one.length === 0)) return []
  // The closest of the shapes gives the most useful faults.
  const closest = wrong.sort((a, b) => a.length - b.length)[0]
  return closest ?? [`${path}: one of ${JSON.stringify(constants)} expected, got ${shown(value)}`]
}

function isList(shape: readonly [Shape] | { readonly [member: string]: Shape }): shape is readonly [Shape] {
  return Array.isArray(shape)
}

function isOfKind(value: unknown, kind: string): boolean {
  switch (kind) {
    case 'any':
      return value !== undefined
    case 'null':
      return value === null
    case 'integer':
      return Number.isInteger(value)
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    default:
      return typeof value === kind
  }
}

function shown(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 100) ?? 'nothing'
}
