import type { JsonObject, JsonValue } from '../conversation/index.ts'
import { type RequestedCalls, requestedCalls } from './gbnf-grammar.ts'
import { GbnfRules } from './gbnf-rules.ts'
import { forbiddenMarkers } from './reply-grammar.ts'
import {
  demandsOf,
  marksOf,
  type ReplyRequest,
  type ReplyShape,
  schemaOf,
  trimmed,
  writableReasoning,
} from './reply-shape.ts'
import { gapSource } from './reply-text.ts'
import { callsFormat, type StructuralTag, structuralTag, textUpTo } from './structural-tag.ts'

const gap: JsonObject = { type: 'regex', pattern: gapSource }

/**
 * A whole reply as a structural tag: its reasoning, the text before its calls, its calls; or JSON in place of text. It
 * holds from the reply's beginning on, so that calls which reasoning only speaks of trigger nothing. Undefined where
 * there is nothing to constrain.
 */
export function printReplyStructuralTag(shape: ReplyShape, request: ReplyRequest): StructuralTag | undefined {
  const demands = demandsOf(shape, request)
  const rules = new GbnfRules()
  const separated = { ...request, ...(shape.separator !== undefined && { separator: shape.separator }) }
  const found = shape.calls && requestedCalls(shape.calls, separated, rules)
  const marks = marksOf(shape, found)
  const answers: JsonObject[] = []
  if (found && demands?.calls)
    answers.push(demandedCalls(shape, separated, { found, marks, json: demands.json }, rules))
  if (demands?.json) answers.push(jsonFormat(shape, request))
  const [answer] = answers
  if (answer) {
    const one = answers.length === 1 ? answer : { type: 'or', elements: answers }
    return structuralTag(inOrder(reasoningFormat(shape, marks), gap, one), rules)
  }
  if (!found || demands) return undefined
  const isAuto = request.toolChoice.type === 'auto'
  const { reasoning } = shape
  const opener = reasoning && !reasoning.isOpen ? reasoning.open.trim() : ''
  // Reasoning in the midst of text is none: what it calls must not be made.
  const excludes = isAuto && opener !== '' ? [opener] : forbiddenMarkers(shape)
  const calls = callsFormat(found, separated, rules, excludes)
  return structuralTag(isAuto ? inOrder(reasoningFormat(shape, marks), calls) : calls, rules)
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
  const { open, close } = trimmed(wrapping)
  const text = textUpTo(close, marks, open)
  return inOrder(perhaps(inOrder(text, gap)), callsFormat(found, { ...request, toolChoice, textBefore: false }, rules))
}

function reasoningFormat(shape: ReplyShape, marks: readonly string[]): JsonObject | undefined {
  const reasoning = writableReasoning(shape)
  if (!reasoning) return undefined
  const { open, close, isOpen, isOff } = reasoning
  if (isOff) return inOrder(gap, constant(close))
  return isOpen ? textUpTo(close, marks) : inOrder(gap, perhaps(textUpTo(close, marks, open)))
}

function jsonFormat(shape: ReplyShape, request: ReplyRequest): JsonObject {
  const json = { type: 'json_schema', json_schema: schemaOf(request) }
  const { open, close } = trimmed(shape.content ?? { open: '', close: '' })
  if (open === '' && close === '') return json
  return inOrder(
    open === '' ? undefined : constant(open),
    gap,
    json,
    close === '' ? undefined : perhaps(inOrder(gap, constant(close))),
  )
}

function constant(value: string): JsonObject {
  return { type: 'const_string', value }
}

function perhaps(content: JsonObject): JsonObject {
  return { type: 'optional', content }
}

function inOrder(...formats: (JsonObject | undefined)[]): JsonObject {
  const elements = formats.flatMap((one): JsonValue[] => {
    if (!one) return []
    return one.type === 'sequence' && Array.isArray(one.elements) ? one.elements : [one]
  })
  const [only] = formats.filter((one) => one !== undefined)
  return elements.length === 1 && only ? only : { type: 'sequence', elements }
}
