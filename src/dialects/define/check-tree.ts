import { type Expression, isNullable, type Pattern, unreadableMarker, wholeSource } from '../../grammar/index.ts'
import type { Block } from '../format/format.ts'
import { readableBlockOf } from '../read/format/readable-block.ts'
import { capturesAt, partsOf, patternsAt, patternsWithin, type TreePart } from './parts.ts'
import type { DefinitionProblem, DefinitionProblemCode } from './problems.ts'

/**
 * Returns the problems of one form of calls that are visible in its tree, without reading a text. `isWritten`: calls are
 * written in this form, so it needs a place for arguments.
 */
export function checkTree(form: Block, path: string, isWritten: boolean): DefinitionProblem[] {
  const parts = partsOf(form.tree, path)
  const markers = parts.flatMap(checkMarkers)
  // Only a tree that compiles can be examined for its beginning.
  if (markers.length > 0) return markers
  const problems = [...checkCalls(parts, path), ...parts.flatMap((part) => checkPart(part, parts, isWritten))]
  return problems.length > 0 ? problems : checkBeginning(form, path)
}

function problem(code: DefinitionProblemCode, part: string, message: string): DefinitionProblem {
  return { code, part, message }
}

function checkMarkers({ node, path }: TreePart): DefinitionProblem[] {
  return patternsAt(node).flatMap((pattern) => {
    const sets = patternsWithin(pattern).flatMap((one) => (one.type === 'chars' && !isSet(one.set) ? [one.set] : []))
    const [set] = sets
    if (set !== undefined) {
      return [
        problem(
          'unreadable-marker',
          path,
          `${JSON.stringify(set)} is not the inside of a bracket expression; write the characters as between [ and ] of a regular expression, with \\ before ], \\ and ^.`,
        ),
      ]
    }
    const why = unreadableMarker(pattern)
    return why === undefined
      ? []
      : [
          problem(
            'unreadable-marker',
            path,
            `${why}; shorten it, or put something between two repetitions that neither of them takes.`,
          ),
        ]
  })
}

function isSet(set: string): boolean {
  if (!/^(?:\\.|[^\\[\]])+$/s.test(set)) return false
  try {
    new RegExp(`[${set}]`)
    return set !== '^'
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

function isCall(node: Expression): boolean {
  return node.type === 'call' || (node.type === 'json' && (node.holds === 'call' || node.holds === 'calls'))
}

function checkCalls(parts: readonly TreePart[], path: string): DefinitionProblem[] {
  if (parts.some(({ node }) => isCall(node))) return []
  const advice =
    'put the part from the tool name to the end of the call into call(…), or use jsonCall() or jsonCalls().'
  return [problem('missing-call', path, `there is no call in it; ${advice}`)]
}

function checkPart(part: TreePart, all: readonly TreePart[], isWritten: boolean): DefinitionProblem[] {
  const { node, path } = part
  switch (node.type) {
    case 'call':
      return checkCall(part, all, isWritten)
    case 'value':
      return [
        ...checkPlace(part),
        ...(node.encoding === 'arguments' || node.isOnlyArgument ? [] : checkKey(part, all, node.unnamed)),
      ]
    case 'json':
      if (node.holds === 'arguments') return checkPlace(part)
      return node.holds === 'value' ? [...checkPlace(part), ...checkKey(part, all, undefined)] : []
    case 'repeat':
      return canBeEmpty(node.of)
        ? [
            problem(
              'empty-repetition',
              path,
              'the repeated part can be empty, so it has no end; begin it with a marker.',
            ),
          ]
        : []
    case 'token':
      return checkReferences(part, all)
    default:
      return []
  }
}

/** Returns the parts of the call around a part, or of the part itself. */
function within(call: string | undefined, all: readonly TreePart[]): TreePart[] {
  return all.filter((one) => one.call === call)
}

function checkCall({ path, call }: TreePart, all: readonly TreePart[], isWritten: boolean): DefinitionProblem[] {
  if (call !== undefined) {
    return [problem('misplaced-part', path, 'a call is inside of another call; put them one after the other.')]
  }
  const inside = within(path, all)
  if (inside.some(({ node }) => isCall(node))) return []
  const captures = inside.flatMap(({ node }) => capturesAt(node))
  const named = captures.includes('name') || captures.includes('joined')
  const hasArguments = inside.some(({ node }) => node.type === 'json' || node.type === 'value')
  return [
    ...(named
      ? []
      : [
          problem(
            'missing-name',
            path,
            "it captures no tool name; add pattern.capture('name', …) to its first token, or an attribute for the name to its tag.",
          ),
        ]),
    ...(hasArguments || !isWritten
      ? []
      : [
          problem(
            'missing-arguments',
            path,
            'it has no place for arguments; add jsonArguments(), or a value(…) for each argument.',
          ),
        ]),
  ]
}

function checkPlace({ path, call }: TreePart): DefinitionProblem[] {
  if (call !== undefined) return []
  return [
    problem('misplaced-part', path, 'arguments are outside of a call; put them into call(…), after the tool name.'),
  ]
}

function checkKey(
  { path, call, group }: TreePart,
  all: readonly TreePart[],
  unnamed: string | undefined,
): DefinitionProblem[] {
  if (call === undefined || unnamed !== undefined) return []
  const captures = all.filter((one) => one.group === group || one.call === call).flatMap(({ node }) => capturesAt(node))
  if (captures.includes('key') || captures.includes('joined')) return []
  const advice = "add pattern.capture('key', …) before it, or name the argument with the option unnamed."
  return [problem('missing-key', path, `no key is captured for the value; ${advice}`)]
}

function checkReferences({ node, path }: TreePart, all: readonly TreePart[]): DefinitionProblem[] {
  const captures = all.flatMap((one) => capturesAt(one.node))
  return patternsAt(node)
    .flatMap(patternsWithin)
    .flatMap((pattern) =>
      pattern.type !== 'captured' || captures.includes(pattern.of)
        ? []
        : [
            problem(
              'unknown-capture',
              path,
              `captured('${pattern.of}') refers to nothing; there is no capture('${pattern.of}', …).`,
            ),
          ],
    )
}

/** True for a part that matches the empty text. */
function canBeEmpty(node: Expression): boolean {
  switch (node.type) {
    case 'token':
      return isNullable(node.pattern)
    case 'sequence':
      return node.of.every(canBeEmpty)
    case 'choice':
      return node.of.some(canBeEmpty)
    case 'optional':
      return true
    case 'repeat':
      return node.isOptional || canBeEmpty(node.of)
    case 'call':
      return canBeEmpty(node.of)
    case 'close':
      return true
    case 'tag':
    case 'json':
    case 'value':
      return false
  }
}

/** JSON's own characters begin too many other texts: such a form must declare that it is bare. */
function checkBeginning(form: Block, path: string): DefinitionProblem[] {
  const advice = 'begin it with a token or a tag that only calls have.'
  if (canBeEmpty(form.tree)) return [problem('empty-beginning', path, `it can be empty; ${advice}`)]
  const { first } = readableBlockOf(form).program
  if (first.length === 0 || first.some(({ whole }) => whole.testAt('', 0))) {
    return [problem('empty-beginning', path, `no marker shows where it begins; ${advice}`)]
  }
  return []
}

/** Returns why a marker of text or reasoning cannot be used. */
export function checkTextMarker(marker: string | Pattern, part: string): DefinitionProblem[] {
  const text = typeof marker === 'string' ? marker : wholeSource(marker)
  if (text === '') return [problem('unreadable-marker', part, 'it is empty; leave it out.')]
  const why = unreadableMarker(marker)
  return why === undefined ? [] : [problem('unreadable-marker', part, `${why}; shorten it.`)]
}
