import { printBounded } from '../gbnf/bounded-request.ts'
import { type GbnfGrammar, type RequestedCalls, requestedCalls, textWithout } from '../gbnf/calls/grammar.ts'
import { stopsOf, tokensIn, tokensOf, markersOf as writtenMarkers } from '../gbnf/calls/tokens.ts'
import { firstMarker, type GrammarTrigger, nameAt, triggers, triggersAtLine } from '../gbnf/calls/trigger.ts'
import { textsOf } from '../gbnf/calls/trigger-texts.ts'
import { choice, type Gbnf, optional, sequence } from '../gbnf/gbnf.ts'
import { GbnfRules } from '../gbnf/rules.ts'
import { notationOf } from '../gbnf/values/notation.ts'
import { ValueGrammar } from '../gbnf/values/values.ts'
import { SchemaVariants } from '../schema/variants.ts'
import { type BegunCalls, begunCalls, firstsOf, restOf } from './begun-calls.ts'
import {
  afterBegun,
  afterReasoning,
  callsOfShape,
  callWordsOf,
  demandsOf,
  isInMarker,
  marksOf,
  type ReplyRequest,
  type ReplyShape,
  schemaOf,
  separatedFor,
  trimmedWrapping,
  wrappingMarkersOf,
  writableReasoning,
} from './shape.ts'
import { gapRule, neededGap, reasoningText, textOfLines, withTextBefore } from './text.ts'

/** Shorter words occur in all kinds of strings. */
const shortestMark = 4
const shortestOpener = 3
/** A bracket or a quotation mark is no token that an engine would hide. */
const shortestToken = 2

/**
 * The grammar of a whole reply: its reasoning, the text before its calls, its calls; or JSON in place of text. If the
 * model is free to call and its text is free, the grammar covers the calls alone, and is lazy. Undefined if there is
 * nothing to constrain.
 */
export function printReplyGrammar(shape: ReplyShape, request: ReplyRequest): GbnfGrammar | undefined {
  return printBounded(request, (bounded) => {
    const made = makeReply(shape, bounded)
    if (!made) return undefined
    const { start, rules, ...grammar } = made
    return { grammar: rules.print(start), root: 'root', ...grammar }
  })
}

/** The grammar of a reply before it is printed. */
export interface ReplyGrammar extends Omit<GbnfGrammar, 'grammar' | 'root'> {
  start: Gbnf
  rules: GbnfRules
}

/** Makes the grammar of a reply; undefined if there is nothing to constrain. */
export function makeReply(shape: ReplyShape, request: ReplyRequest): ReplyGrammar | undefined {
  const demands = demandsOf(shape, request)
  const separated = separatedFor(shape, request)
  const isLazy = !demands && request.toolChoice.type === 'auto'
  if (isLazy && !shape.begun) return lazyForms(shape, separated)
  const rules = new GbnfRules({ isLoose: true, isShared: true, tools: request.tools.length })
  const found = callsOfShape(shape, separated, rules)
  const begun = shape.calls && found && begunCalls(shape.calls, shape.begun, found, separated, rules)
  if (isLazy) return begun ? lazyBegun(shape, begun, rules) : lazyForms(shape, separated)
  const root = demands
    ? demanded(shape, separated, { found, begun, ...demands }, rules)
    : found && callless(shape, found, begun, rules)
  if (!root) return undefined
  return {
    start: root,
    rules,
    isLazy: false,
    triggers: [],
    ...(!demands && { isText: true }),
    preservedTokens: shownMarkers(shape),
    stops: demands?.calls && shape.calls ? stopsOf(shape.calls) : [],
    widened: rules.notices,
  }
}

/** The forms of calls, each with its own trigger. */
function lazyForms(shape: ReplyShape, request: ReplyRequest): ReplyGrammar | undefined {
  const rules = new GbnfRules({ isLoose: true, isShared: true, tools: request.tools.length })
  const { calls, otherCalls = [] } = shape
  const own = calls ? [{ tree: calls, separator: shape.separator, beginLine: false }] : []
  const forms = [...own, ...otherCalls].flatMap(({ tree, separator, beginLine }) => {
    const found = requestedCalls(tree, { ...request, ...(separator !== undefined && { separator }) }, rules)
    if (!found) return []
    const { tools, calls, isStrong } = found
    const word = upToNames(found)
    const isHeld = isInMarker(shape, word)
    const firsts = isHeld ? firstsOf(tree, '', found, request, rules) : undefined
    const begun = beginLine
      ? triggersAtLine(tools, calls, rules)
      : firsts
        ? callWordsOf(shape, { word, isStrong, firsts }).map((value): GrammarTrigger => ({ type: 'word', value }))
        : triggers(word, isStrong, tools, calls, rules)
    // A form whose beginning cannot be distinguished from text has no trigger.
    return begun.length === 0 ? [] : [{ tree, ...found, word, firsts, triggers: begun }]
  })
  const written = choice(forms.map((form) => form.calls))
  if (!written) return undefined
  const all = new Map(forms.flatMap((form) => form.triggers.map((trigger) => [trigger.value, trigger])))
  return {
    start: shape.endsAfter ? sequence(written, textAfter(shape, shape.endsAfter, forms, rules)) : written,
    rules,
    isLazy: true,
    // A trigger may contain another: the longer one is searched first.
    triggers: [...all.values()].sort((one, other) => other.value.length - one.value.length),
    preservedTokens: shownMarkers(shape),
    stops: stopsOf(forms[0]?.tree ?? { type: 'sequence', of: [] }),
    widened: rules.notices,
  }
}

/**
 * The text after calls. The engine searches for no trigger after the first, so a call in that text would be
 * unconstrained; and a model that continues might invent results.
 */
function textAfter(
  shape: ReplyShape,
  ends: readonly string[],
  forms: readonly (RequestedCalls & { triggers: readonly GrammarTrigger[] })[],
  rules: GbnfRules,
): Gbnf {
  const marks = forms.flatMap((form) => [
    ...marksOf(shape, form),
    ...form.triggers.flatMap((one) => textsOf(one) ?? []),
  ])
  return textWithout([...new Set([...marks, ...ends])], rules)
}

/**
 * Returns the beginning of calls up to the name of a tool. The calls of a single tool share more, which would come too
 * late for a trigger.
 */
function upToNames({ word, tools }: RequestedCalls): string {
  const places = tools.map(({ name }) => nameAt(word, name)).filter((at) => at >= shortestMark)
  return places.length > 0 ? word.slice(0, Math.min(...places)) : word
}

/** The grammar from the first name of a tool on, if the marker before it is in the prompt. */
function lazyBegun(shape: ReplyShape, { calls, firsts }: BegunCalls, rules: GbnfRules): ReplyGrammar {
  return {
    start: calls,
    rules,
    isLazy: true,
    triggers: firsts.map(({ word }): GrammarTrigger => ({ type: 'word', value: word })),
    preservedTokens: shownMarkers(shape),
    stops: shape.calls ? stopsOf(shape.calls) : [],
    widened: rules.notices,
  }
}

interface Demanded {
  found: RequestedCalls | undefined
  begun: BegunCalls | undefined
  calls: boolean
  json: boolean
}

/** Reasoning, followed by the demanded text. */
function demanded(
  shape: ReplyShape,
  request: ReplyRequest,
  { found, begun, calls, json }: Demanded,
  rules: GbnfRules,
): Gbnf | undefined {
  const marks = marksOf(shape, found)
  const answerOf = (one: ReplyShape, callsPart: Gbnf | undefined) =>
    choice([calls ? callsPart : undefined, json ? jsonOf(one, request, marks, rules) : undefined])
  const reasoning = writableReasoning(shape)
  // Without calls the marker that the prompt has begun is that of a text.
  const opened = begun?.begun ?? (found ? '' : (shape.begun ?? ''))
  if (opened !== '') {
    const first = answerOf(afterBegun(shape), begun?.calls)
    const open = reasoning && restOf(reasoning.open, opened)
    const after = answerOf(afterReasoning(shape), found?.calls)
    if (!reasoning || open === undefined || !after) return first
    const thought = rules.add('reasoning', reasoningText(shape, { ...reasoning, open }, marks, rules))
    return choice([first, sequence(thought, gapRule(rules), rules.add('answer', after))])
  }
  const answer = answerOf(shape, found && callsOf(shape, request, { found, json, marks }, rules))
  if (!answer) return undefined
  if (!reasoning) return sequence(gapRule(rules), rules.add('answer', answer))
  const thought = sequence(reasoningText(shape, reasoning, marks, rules), gapRule(rules))
  const whole = rules.add('answer', answer)
  if (reasoning.isOpen) return sequence(thought, whole)
  return sequence(gapRule(rules), optional(rules.add('reasoning', thought)), whole)
}

function callsOf(
  shape: ReplyShape,
  request: ReplyRequest,
  { found, json, marks }: { found: RequestedCalls; json: boolean; marks: readonly string[] },
  rules: GbnfRules,
): Gbnf {
  const { calls, word } = found
  const wrapping = shape.contentBefore ?? shape.content
  // Text that is to be JSON is no text before calls.
  if (!request.textBefore || json || (word === '' && (wrapping?.close ?? '') === '')) return calls
  const around = wrapping && trimmedWrapping(wrapping)
  const opened = around && { ...around, open: sequence(around.open, neededGap(shape, around.open)) }
  const before = { wrapping: opened, word, callsBeginLine: shape.callsBeginLine ?? false, marks }
  return withTextBefore(calls, before, rules)
}

/** JSON of the schema, inside the text around it. */
function jsonOf(
  shape: ReplyShape,
  request: ReplyRequest,
  marks: readonly string[],
  rules: GbnfRules,
): Gbnf | undefined {
  const schema = schemaOf(request)
  const notice = (what: string) => rules.notice(`the response: ${what}`)
  // The reader looks for calls even if none is offered. An opener as short as `>>>` (Functionary) occurs in few
  // strings.
  const opener = shape.calls ? firstMarker(shape.calls).trim() : ''
  const kept = new Set(marks.filter((mark) => mark.length >= shortestMark))
  if (opener.length >= shortestOpener) kept.add(opener)
  const notation = notationOf({}, [...kept], rules)
  const schemas = new SchemaVariants(schema, notice, { isOpen: true })
  const values = new ValueGrammar(notation, schemas, rules, { inOrder: true, isOpen: true })
  const found = values.of(schema, 'response')
  if (!found) notice('the schema admits nothing, so any JSON is allowed')
  const value = found ?? values.of(true, 'response')
  const { open, close } = trimmedWrapping(shape.content ?? { open: '', close: '' })
  if (open === '' && close === '') return value
  // Engines leave out a token at the end that ends the turn as well.
  const end = close === '' ? '' : optional(sequence(gapRule(rules), close))
  return value && sequence(open, neededGap(shape, open), gapRule(rules), value, end)
}

/** Text without calls, after any reasoning. */
function callless(shape: ReplyShape, found: RequestedCalls, begun: BegunCalls | undefined, rules: GbnfRules): Gbnf {
  const { word, isStrong, firsts } = found
  const forbidden = [...forbiddenMarkers(shape), ...(begun?.firsts ?? []).map((first) => first.word)]
  if (firsts) return textWithout([...callWordsOf(shape, found), ...forbidden], rules)
  return shape.callsBeginLine && !isStrong && !begun
    ? textOfLines(word, forbidden, rules)
    : textWithout([word, ...forbidden], rules)
}

/** Returns the markers that open reasoning, if none may be written. */
export function forbiddenMarkers({ reasoning }: ReplyShape): string[] {
  const open = reasoning?.isOff && !reasoning.isOpen ? reasoning.open.trim() : ''
  return open === '' ? [] : [open]
}

/** Returns the texts in a reply of this shape that may be single tokens, as its template writes them. */
export function tokensOfShape(shape: ReplyShape): string[] {
  return [...new Set([...(shape.calls ? tokensOf(shape.calls) : []), ...tokensIn(wrappingMarkersOf(shape))])]
}

/**
 * Returns all texts that an engine must show even if they are single tokens, in all forms of calls: a tokenizer may
 * have a token for any marker, `Thought:` too. Markers that are not tokens do no harm.
 */
export function shownMarkers(shape: ReplyShape): string[] {
  const trees = [shape, ...(shape.otherCalls ?? []).map(({ tree }) => ({ calls: tree }))]
  const ofCalls = trees.flatMap(({ calls }) => (calls ? writtenMarkers(calls) : []))
  const ofAnswers = (shape.answers ?? []).flatMap(({ open, close }) => [open, close])
  const markers = [...wrappingMarkersOf(shape), ...ofAnswers, ...ofCalls]
  const whole = markers.map((marker) => marker.trim()).filter((marker) => marker.length >= shortestToken)
  return [...new Set([...tokensOfShape(shape), ...tokensIn(markers), ...whole])]
}
