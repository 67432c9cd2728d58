import { memoize } from '../../conversation/index.ts'
import type { Expression, TypeWords } from '../tree/expression.ts'
import type { Pattern } from '../tree/pattern.ts'
import { capturesOf } from './marker.ts'
import { jsonTypeOf } from './value.ts'

/** The content of a tree decides how often its parts are written: once, or once for each call or argument. */

/** True when a tree holds all calls, not one: it repeats them, or writes a list of them. */
export const holdsAll: (tree: Expression) => boolean = memoize((tree) => {
  switch (tree.type) {
    case 'repeat':
      return holds(tree.of, 'call')
    case 'json':
      return tree.holds === 'calls'
    case 'sequence':
      return tree.of.some(holdsAll)
    case 'choice':
      return tree.of[0] !== undefined && holdsAll(tree.of[0])
    case 'optional':
      return tree.isWritten && holdsAll(tree.of)
    default:
      return false
  }
})

type Held = 'call' | 'argument' | 'arguments'

/** True when there is a call in the tree; or one argument's value; or all arguments as an object. */
export function holds(tree: Expression, what: Held): boolean {
  return holding[what](tree)
}

const holding: Record<Held, (tree: Expression) => boolean> = {
  call: memoize((tree) => findsHeld(tree, 'call')),
  argument: memoize((tree) => findsHeld(tree, 'argument')),
  arguments: memoize((tree) => findsHeld(tree, 'arguments')),
}

function findsHeld(tree: Expression, what: Held): boolean {
  switch (tree.type) {
    case 'call':
      return what === 'call' || holds(tree.of, what)
    case 'json':
      return (
        tree.holds === what ||
        (what === 'call' && tree.holds === 'calls') ||
        (what === 'argument' && tree.holds === 'value')
      )
    case 'value':
      return what === 'argument'
    case 'sequence':
    case 'choice':
      return tree.of.some((part) => holds(part, what))
    case 'optional':
    case 'repeat':
      return holds(tree.of, what)
    default:
      return false
  }
}

/** True if the written form differs from tool to tool. */
export const differsByTool: (tree: Expression) => boolean = memoize((tree) => {
  switch (tree.type) {
    case 'token':
      return holdsName(tree.pattern)
    case 'tag':
      return capturesOf(tree).size > 0
    case 'close':
    case 'optional':
    case 'repeat':
      return differsByTool(tree.of)
    case 'sequence':
    case 'choice':
      return tree.of.some(differsByTool)
    case 'call':
    case 'json':
    case 'value':
      return true
  }
})

/** True for a name, or a capture that belongs to an argument; an id may be made from the name. */
function holdsName(pattern: Pattern): boolean {
  switch (pattern.type) {
    case 'captured':
      return true
    case 'capture':
      return (pattern.as !== 'id' && pattern.as !== 'index') || holdsName(pattern.of)
    case 'sequence':
    case 'choice':
      return pattern.of.some(holdsName)
    case 'optional':
      return holdsName(pattern.of)
    default:
      return false
  }
}

/** True when a marker of an argument holds the name of the tool. */
export const namesTool: (tree: Expression) => boolean = memoize((tree) => {
  switch (tree.type) {
    case 'token':
      return patternNamesTool(tree.pattern)
    case 'tag':
      return tree.attributes.name !== undefined
    case 'value':
      return namesTool(tree.close)
    case 'sequence':
    case 'choice':
      return tree.of.some(namesTool)
    case 'close':
    case 'optional':
    case 'repeat':
    case 'call':
      return namesTool(tree.of)
    case 'json':
      return false
  }
})

function patternNamesTool(pattern: Pattern): boolean {
  switch (pattern.type) {
    case 'captured':
      return pattern.of === 'name'
    case 'capture':
      return pattern.as === 'name' || pattern.as === 'title' || patternNamesTool(pattern.of)
    case 'sequence':
    case 'choice':
      return pattern.of.some(patternNamesTool)
    case 'optional':
      return patternNamesTool(pattern.of)
    default:
      return false
  }
}

/** Returns true if a marker in the tree names the type of the value after it. */
export const saysType: (tree: Expression) => boolean = memoize((tree) => {
  switch (tree.type) {
    case 'token':
    case 'tag':
      return capturesOf(tree).has('type')
    case 'sequence':
    case 'choice':
      return tree.of.some(saysType)
    case 'optional':
      return tree.isWritten && saysType(tree.of)
    default:
      return false
  }
})

/** The words for types of the value in the tree. */
export function typeWordsOf(tree: Expression): TypeWords {
  if (tree.type === 'value') return tree.typeWords
  const parts = tree.type === 'sequence' || tree.type === 'choice' ? tree.of : []
  return parts.map(typeWordsOf).find((words) => Object.keys(words).length > 0) ?? {}
}

/** The type of a value, in the words of a format. */
export function typeWord(json: string, words: TypeWords): string {
  const type = jsonTypeOf(json)
  return words[type] ?? (type === 'integer' ? words.number : undefined) ?? words.other ?? type
}

/** Returns true for white space that is not written. */
export function isNoSpace(part: Expression): boolean {
  if (part.type !== 'token') return false
  const [one, ...rest] = part.pattern.type === 'sequence' ? part.pattern.of : [part.pattern]
  return one?.type === 'chars' && one.set === '\\s' && one.min === 0 && one.as === '' && rest.length === 0
}
