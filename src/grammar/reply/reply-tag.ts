import type { JsonObject, JsonValue } from '../../conversation/index.ts'
import { printBounded } from '../gbnf/bounded-request.ts'
import { type RequestedCalls, requestedCalls } from '../gbnf/calls/grammar.ts'
import { GbnfRules } from '../gbnf/rules.ts'
import { begunCalls, restOf } from './begun-calls.ts'
import { forbiddenMarkers } from './grammar.ts'
import {
  afterBegun,
  afterReasoning,
  callsOfShape,
  demandsOf,
  isInMarker,
  isNameLike,
  marksOf,
  type ReplyRequest,
  type ReplyShape,
  schemaOf,
  separatedFor,
  trimmedWrapping,
  type Wrapping,
  writableReasoning,
} from './shape.ts'
import {
  callsFormat,
  firstsFormat,
  freeCalls,
  type StructuralTag,
  structuralTag,
  textUpTo,
  wholeStructuralTag,
} from './structural-tag.ts'
import { gapSource, neededGapSource } from './text.ts'

const gap: JsonObject = { type: 'regex', pattern: gapSource }

/**
 * A whole reply as a structural tag: its reasoning, the text before its calls, its calls; or JSON in place of text. It
 * applies from the reply's beginning on, so that calls which reasoning only mentions trigger nothing. Undefined if
 * there is nothing to constrain.
 */
export function printReplyStructuralTag(shape: ReplyShape, request: ReplyRequest): StructuralTag | undefined {
  return printBounded(request, (bounded) => printReply(shape, bounded))
}

function printReply(shape: ReplyShape, request: ReplyRequest): StructuralTag | undefined {
  const demands = demandsOf(shape, request)
  const rules = new GbnfRules({ tools: request.tools.length })
  const separated = separatedFor(shape, request)
  const found = callsOfShape(shape, separated, rules)
  const marks = marksOf(shape, found)
  const begun = shape.calls && found && begunCalls(shape.calls, shape.begun, found, separated, rules)
  const answerOf = (one: ReplyShape, calls: RequestedCalls | undefined): JsonObject | undefined =>
    choice([
      ...(calls && demands?.calls
        ? [demandedCalls(one, separated, { found: calls, marks, json: demands.json }, rules)]
        : []),
      ...(demands?.json ? [jsonFormat(one, request)] : []),
    ])
  // Without calls the marker that the prompt has begun is that of a text.
  const isBegun = begun !== undefined || (!found && shape.begun !== undefined)
  const answer = answerOf(isBegun ? afterBegun(shape) : shape, begun ?? found)
  if (answer && isBegun) {
    const thought = begunReasoning(shape, marks)
    const after = thought && answerOf(afterReasoning(shape), found)
    return wholeStructuralTag(choice([answer, ...(after ? [sequence(thought, gap, after)] : [])]) ?? answer, rules)
  }
  if (answer) return wholeStructuralTag(sequence(reasoningFormat(shape, marks), gap, answer), rules)
  if (!found || demands) return undefined
  const isAuto = request.toolChoice.type === 'auto'
  const { reasoning } = shape
  const opener = reasoning && !reasoning.isOpen ? reasoning.open.trim() : ''
  // Reasoning in the middle of text does not count as reasoning: calls in it must not be written.
  const excludes = isAuto && opener !== '' ? [opener] : forbiddenMarkers(shape)
  if (begun) {
    const words = [...excludes, ...(isAuto ? [] : begun.firsts.map(({ word }) => word))]
    const thought = isAuto ? begunReasoning(shape, marks) : undefined
    const calls = isAuto
      ? firstsFormat(begun.firsts, separated, rules, words)
      : callsFormat(found, separated, rules, words)
    return structuralTag(sequence(thought && optional(thought), calls), rules)
  }
  if (found.firsts) {
    const firsts = found.firsts.filter(({ word }) => !isInMarker(shape, word))
    const words = [...excludes, ...firsts.map(({ word }) => word)]
    if (!isAuto) return structuralTag(callsFormat({ ...found, word: '' }, separated, rules, words), rules)
    const calls = firstsFormat(firsts, separated, rules, excludes)
    return structuralTag(sequence(reasoningFormat(shape, marks), calls), rules)
  }
  if (!isAuto || found.word === '') {
    const calls = callsFormat(found, separated, rules, excludes)
    return structuralTag(isAuto ? sequence(reasoningFormat(shape, marks), calls) : calls, rules)
  }
  const forms = [found, ...otherForms(shape, request, rules)]
  return structuralTag(sequence(reasoningFormat(shape, marks), freeCalls(forms, separated, rules, excludes)), rules)
}

/** Returns the other forms of calls that are recognised by their beginning anywhere in text. */
function otherForms({ otherCalls = [] }: ReplyShape, request: ReplyRequest, rules: GbnfRules): RequestedCalls[] {
  return otherCalls.flatMap(({ tree, separator, beginLine }) => {
    const found = requestedCalls(tree, { ...request, ...(separator !== undefined && { separator }) }, rules)
    return found?.isStrong && !beginLine ? [found] : []
  })
}

function demandedCalls(
  shape: ReplyShape,
  request: ReplyRequest,
  { found, marks, json }: { found: RequestedCalls; marks: readonly string[]; json: boolean },
  rules: GbnfRules,
): JsonObject {
  const wrapping = shape.contentBefore ?? shape.content
  const hasText = request.textBefore === true && !json
  const toolChoice: ReplyRequest['toolChoice'] =
    request.toolChoice.type === 'auto' ? { type: 'required' } : request.toolChoice
  if (!wrapping || !hasText) return callsFormat(found, { ...request, toolChoice, textBefore: hasText }, rules, marks)
  const { open, close } = trimmedWrapping(wrapping)
  if (close === '') {
    const withText = callsFormat(found, { ...request, toolChoice, textBefore: true }, rules, marks)
    const alone = callsFormat(found, { ...request, toolChoice, textBefore: false }, rules)
    return { type: 'or', elements: [sequence(constant(open), neededGap(shape, open), withText), alone] }
  }
  const text = wrappedText(shape, { open, close }, marks)
  return sequence(
    optional(sequence(text, gap)),
    callsFormat(found, { ...request, toolChoice, textBefore: false }, rules),
  )
}

function reasoningFormat(shape: ReplyShape, marks: readonly string[]): JsonObject | undefined {
  const reasoning = writableReasoning(shape)
  if (!reasoning) return undefined
  const { open, close, isOpen, isOff } = reasoning
  if (isOff) return sequence(gap, constant(close), neededGap(shape, close))
  if (isOpen) return wrappedText(shape, { open: '', close }, marks)
  return sequence(gap, optional(wrappedText(shape, { open, close }, marks)))
}

/** Returns reasoning after a prompt that has begun its opening marker. */
function begunReasoning(shape: ReplyShape, marks: readonly string[]): JsonObject | undefined {
  const reasoning = writableReasoning(shape)
  const open = reasoning && restOf(reasoning.open, shape.begun ?? '')
  return reasoning && open !== undefined ? wrappedText(shape, { ...reasoning, open }, marks) : undefined
}

/** Text between two markers of a shape, with the white space that must follow them. */
function wrappedText(shape: ReplyShape, { open, close }: Wrapping, marks: readonly string[]): JsonObject {
  const afterOpen = neededGap(shape, open)
  const text = afterOpen ? sequence(constant(open), afterOpen, textUpTo(close, marks)) : textUpTo(close, marks, open)
  return sequence(text, neededGap(shape, close))
}

function neededGap(shape: ReplyShape, marker: string): JsonObject | undefined {
  return isNameLike(shape, marker) ? { type: 'regex', pattern: neededGapSource } : undefined
}

function jsonFormat(shape: ReplyShape, request: ReplyRequest): JsonObject {
  const json = { type: 'json_schema', json_schema: schemaOf(request) }
  const { open, close } = trimmedWrapping(shape.content ?? { open: '', close: '' })
  if (open === '' && close === '') return json
  return sequence(
    open === '' ? undefined : constant(open),
    neededGap(shape, open),
    gap,
    json,
    close === '' ? undefined : optional(sequence(gap, constant(close))),
  )
}

function constant(value: string): JsonObject {
  return { type: 'const_string', value }
}

function choice(of: readonly JsonObject[]): JsonObject | undefined {
  return of.length > 1 ? { type: 'or', elements: [...of] } : of[0]
}

function optional(content: JsonObject): JsonObject {
  return { type: 'optional', content }
}

function sequence(...formats: (JsonObject | undefined)[]): JsonObject {
  const elements = formats.flatMap((one): JsonValue[] => {
    if (!one) return []
    return one.type === 'sequence' && Array.isArray(one.elements) ? one.elements : [one]
  })
  const [only] = formats.filter((one) => one !== undefined)
  return elements.length === 1 && only ? only : { type: 'sequence', elements }
}
