/**
 * The shape of a JSON value: a word for a kind of value, a list with the shape of its elements, an object with those of its
 * members, or a choice. A member whose name ends with `?` may be absent; no other members may be there, unless the object
 * has the member `...`.
 */
export type Shape =
  | 'string'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'null'
  | 'object'
  | 'object-of-strings'
  | 'empty-list'
  | 'any'
  | readonly [Shape]
  | { readonly [member: string]: Shape }
  | Choice

/** One of several shapes, or of several constants. */
export class Choice<Inner extends Shape = Shape, Constant = unknown> {
  readonly shapes: readonly Inner[]
  readonly constants: readonly Constant[]

  constructor(shapes: readonly Inner[], constants: readonly Constant[] = []) {
    this.shapes = shapes
    this.constants = constants
  }
}

/** Returns a shape, with its type as it is written: the type from which `Shaped` is inferred. */
export const shape = <const S extends Shape>(written: S): S => written
export const either = <const S extends readonly Shape[]>(...shapes: S): Choice<S[number], never> => new Choice(shapes)
export const constant = <const C extends readonly unknown[]>(...constants: C): Choice<never, C[number]> =>
  new Choice([], constants)
export const orNull = <const S extends Shape>(inner: S): Choice<S | 'null', never> =>
  new Choice<S | 'null', never>([inner, 'null'])

/**
 * Returns a shape. It compiles only if each value that the shape admits is one of the type that an API's library publishes: the
 * result of `publish`, which is never called.
 *
 * @example
 * published(message, (value): Anthropic.Message => value)
 */
export const published = <const S extends Shape>(written: S, _publish: (value: Shaped<S>) => unknown): S => written

/** The JSON form of a type that a library publishes: its enumerations as their strings, and dates as texts. */
export type Wire<T> = T extends string
  ? `${T}`
  : T extends Date
    ? string
    : T extends (infer Element)[]
      ? Wire<Element>[]
      : T extends object
        ? { [K in keyof T]: Wire<T[K]> }
        : T

/** The values that a shape admits, as a type. */
export type Shaped<S> =
  S extends Choice<infer Inner, infer Constant>
    ? Shaped<Inner> | Constant
    : S extends keyof Kinds
      ? Kinds[S]
      : S extends readonly [infer Element]
        ? Shaped<Element>[]
        : { [K in keyof S as K extends `${string}?` | '...' ? never : K]: Shaped<S[K]> } & {
            [K in keyof S as K extends `${infer Name}?` ? Name : never]?: Shaped<S[K]>
          }

interface Kinds {
  string: string
  number: number
  integer: number
  boolean: boolean
  null: null
  object: { [member: string]: unknown }
  'object-of-strings': { [member: string]: string }
  'empty-list': never[]
  any: unknown
}

/** Returns the faults of a value, with their places; empty if it has the shape. */
export function misfits(value: unknown, shape: Shape, path = '$'): string[] {
  if (typeof shape === 'string')
    return isOfKind(value, shape) ? [] : [`${path}: ${shape} expected, got ${shown(value)}`]
  if (shape instanceof Choice) return choiceMisfits(value, shape, path)
  if (isList(shape)) {
    if (!Array.isArray(value)) return [`${path}: list expected, got ${shown(value)}`]
    return value.flatMap((element: unknown, at) => misfits(element, shape[0], `${path}[${at}]`))
  }
  if (!isObject(value)) return [`${path}: object expected`]
  const members = new Map<string, unknown>(Object.entries(value))
  const wrong: string[] = []
  for (const [key, inner] of Object.entries(shape)) {
    if (key === '...') continue
    const name = key.replace(/\?$/, '')
    if (members.has(name)) wrong.push(...misfits(members.get(name), inner, `${path}.${name}`))
    else if (name === key) wrong.push(`${path}.${name}: is absent`)
    members.delete(name)
  }
  if ('...' in shape) return wrong
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
    case 'empty-list':
      return Array.isArray(value) && value.length === 0
    case 'object':
      return isObject(value)
    case 'object-of-strings':
      return isObject(value) && Object.values(value).every((member) => typeof member === 'string')
    default:
      return typeof value === kind
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function shown(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 100) ?? 'nothing'
}
