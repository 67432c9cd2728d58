import type { JsonObject, JsonValue } from '../../conversation/index.ts'
import { printBounded } from '../gbnf/bounded-request.ts'
import { type FirstCall, type GrammarRequest, type RequestedCalls, requestedCalls } from '../gbnf/calls/grammar.ts'
import { type Gbnf, mayBeEmpty, prefixOf, sequence, withoutPrefix } from '../gbnf/gbnf.ts'
import { GbnfRules } from '../gbnf/rules.ts'
import type { Expression } from '../tree/expression.ts'

/** A structural tag of xgrammar, for `response_format` of vLLM and SGLang. */
export interface StructuralTag {
  tag: { type: 'structural_tag'; format: JsonObject }
  /** All of the reply is held to it, and it ends the reply. */
  isWhole?: boolean
  /** The ways in which it admits more than the tools' schemas. */
  widened: string[]
  /** The tools that take any arguments in it, as their schemas are too large for a grammar. */
  tooLarge?: readonly string[]
}

/**
 * The calls of a request as a structural tag: JSON arguments by their schemas, which the engine handles best, and
 * everything else as text and small grammars. Undefined if there is nothing to constrain.
 */
export function printStructuralTag(tree: Expression, request: GrammarRequest): StructuralTag | undefined {
  return printBounded(request, (bounded) => {
    const rules = new GbnfRules({ tools: bounded.tools.length })
    const found = requestedCalls(tree, bounded, rules)
    return found && structuralTag(callsFormat(found, bounded, rules), rules)
  })
}

export function structuralTag(format: JsonObject, rules: GbnfRules): StructuralTag {
  return { tag: { type: 'structural_tag', format }, widened: rules.notices }
}

/** One to which all of the reply is held. */
export function wholeStructuralTag(format: JsonObject, rules: GbnfRules): StructuralTag {
  return { ...structuralTag(format, rules), isWhole: true }
}

/**
 * Returns the calls of a request as one format. `excludes` are further texts that may not be in the text around them.
 */
export function callsFormat(
  found: RequestedCalls,
  request: GrammarRequest,
  rules: GbnfRules,
  excludes: readonly string[] = [],
): JsonObject {
  const { calls, word } = found
  const { toolChoice, textBefore } = request
  const printer = new TagPrinter(rules)
  if (toolChoice.type === 'none') return anyText([triggerIn(word), ...excludes])
  // Without a beginning that all calls share there is nothing that could trigger them.
  if (toolChoice.type !== 'auto' || word === '') {
    if (!textBefore || word === '') return printer.format(calls)
    // Within a sequence the engine takes no text without an end: that is the word that all calls begin with.
    const rest = printer.format(withoutPrefix(calls, word.length, rules.all))
    return { type: 'sequence', elements: [textUpTo(word, excludes), rest] }
  }
  return freeCalls([found], request, rules, excludes)
}

/** Calls that may be made at any time: each form of them has its own trigger. */
export function freeCalls(
  forms: readonly RequestedCalls[],
  { parallelCalls }: GrammarRequest,
  rules: GbnfRules,
  excludes: readonly string[] = [],
): JsonObject {
  const printer = new TagPrinter(rules)
  const triggered = forms.map(({ calls, word }) => ({ calls: printer.branchesOf(calls), trigger: triggerIn(word) }))
  return printer.triggeredTags(triggered, parallelCalls, excludes)
}

/** Shorter markers also occur in text. */
const shortestMarker = 4

/**
 * Returns the beginning of calls up to their JSON: models write more or less white space around its brackets than a tag
 * has.
 */
function triggerIn(word: string): string {
  const json = word.search(/(?<![\s{[])\s*[{[][\s{[]*"/)
  return json < shortestMarker ? word : word.slice(0, json)
}

/** Calls that the name of a tool triggers: the prompt has begun them, or they begin as other parts of the reply do. */
export function firstsFormat(
  firsts: readonly FirstCall[],
  { parallelCalls }: GrammarRequest,
  rules: GbnfRules,
  excludes: readonly string[] = [],
): JsonObject {
  const triggered = firsts.map(({ word, call }) => ({ calls: [call], trigger: word }))
  return new TagPrinter(rules).triggeredTags(triggered, parallelCalls, excludes)
}

/** Returns text followed by the text that ends it. */
export function textUpTo(end: string, excludes: readonly string[], begin: string = ''): JsonObject {
  // A word that is part of the end must not be excluded, or the end could never be written.
  return { type: 'tag', begin, content: anyText(excludes.filter((word) => !end.includes(word))), end }
}

function anyText(excludes: readonly string[]): JsonObject {
  return { type: 'any_text', excludes: excludes.filter((word) => word !== '') }
}

class TagPrinter {
  readonly #rules: GbnfRules
  /** The schema for each rule of arguments that are one JSON object. */
  readonly #schemas: ReadonlyMap<string, JsonObject>

  /** Rules of calls: a trigger within one of them is text; a trigger within arguments belongs to them. */
  readonly #calls: ReadonlyMap<string, Gbnf>

  constructor(rules: GbnfRules) {
    this.#rules = rules
    this.#schemas = rules.schemas
    this.#calls = new Map([...rules.all].filter(([name]) => name.startsWith('call')))
  }

  /** Calls with their triggers. */
  triggeredTags(
    triggered: readonly { calls: readonly Gbnf[]; trigger: string }[],
    parallelCalls: boolean,
    excludes: readonly string[],
  ): JsonObject {
    const tags: JsonValue[] = []
    const triggers = new Set<string>()
    for (const { calls, trigger } of triggered) {
      let shortest = trigger.length
      for (const call of calls) {
        const { begin, ...rest } = this.#tag(call, trigger)
        shortest = Math.min(shortest, begin.length)
        tags.push({ type: 'tag', begin, ...rest })
      }
      triggers.add(trigger.slice(0, shortest))
    }
    return {
      type: 'triggered_tags',
      // If one begins another, the shorter one triggers the tags of both: engines reject two such triggers.
      triggers: [...triggers].filter((one) => ![...triggers].some((other) => other !== one && one.startsWith(other))),
      tags,
      stop_after_first: !parallelCalls,
      ...(excludes.length > 0 && { excludes: [...excludes] }),
    }
  }

  /**
   * Returns a tag of one branch: the text that it begins with, its content, and the text that ends it. The end is never
   * empty: xgrammar (0.1.27) reads out of bounds in a tag without an end if its content may be empty.
   */
  #tag(gbnf: Gbnf, trigger: string): { begin: string; content: JsonObject; end: string } {
    if (gbnf.type === 'literal') {
      // A call that is nothing but text has one character between.
      const { text } = gbnf
      return {
        begin: text.slice(0, -2),
        content: this.format({ ...gbnf, text: text.slice(-2, -1) }),
        end: text.slice(-1),
      }
    }
    const own = prefixOf(gbnf, this.#calls)
    // Engines want the trigger in it; of one tool alone it may reach into the arguments.
    let begin = own.length < trigger.length ? trigger : own
    let rest = withoutPrefix(gbnf, begin.length, this.#rules.all)
    while (begin !== '' && mayBeEmpty(rest, this.#rules.all)) {
      begin = begin.slice(0, -1)
      rest = withoutPrefix(gbnf, begin.length, this.#rules.all)
    }
    const last = rest.type === 'sequence' ? rest.of.at(-1) : undefined
    if (rest.type !== 'sequence' || last?.type !== 'literal') return { begin, content: this.format(rest), end: '' }
    return { begin, content: this.format(sequence(...rest.of.slice(0, -1))), end: last.text }
  }

  /**
   * Returns the calls of each tool separately, if they contain a schema. Grammars are independent: text up to a marker,
   * which they could share, is repeated in each, and an engine takes seconds for megabytes of it.
   */
  branchesOf(gbnf: Gbnf): readonly Gbnf[] {
    const body = gbnf.type === 'rule' && gbnf.name.startsWith('call') ? this.#rules.all.get(gbnf.name) : undefined
    if (!this.#holdsArguments(gbnf)) return [body?.type === 'literal' ? body : gbnf]
    if (gbnf.type === 'choice') return gbnf.of.flatMap((one) => this.branchesOf(one))
    return body ? this.branchesOf(body) : [gbnf]
  }

  /** Returns the format of a part. A part without a schema is one grammar, so that its rules are in it once. */
  format(gbnf: Gbnf): JsonObject {
    if (gbnf.type !== 'literal' && !this.#holdsArguments(gbnf)) return this.#grammar(gbnf)
    switch (gbnf.type) {
      case 'literal':
        return { type: 'const_string', value: gbnf.text }
      case 'sequence':
        return { type: 'sequence', elements: gbnf.of.map((part): JsonValue => this.format(part)) }
      case 'choice':
        return { type: 'or', elements: gbnf.of.map((part): JsonValue => this.format(part)) }
      case 'repeat':
        return { type: 'repeat', min: gbnf.min, max: gbnf.max ?? -1, content: this.format(gbnf.of) }
      case 'rule': {
        const schema = this.#schemas.get(gbnf.name)
        if (schema) return { type: 'json_schema', json_schema: schema }
        const body = this.#rules.all.get(gbnf.name)
        return body ? this.format(body) : this.#grammar(gbnf)
      }
      case 'chars':
        return this.#grammar(gbnf)
    }
  }

  #grammar(gbnf: Gbnf): JsonObject {
    return { type: 'grammar', grammar: this.#rules.print(gbnf) }
  }

  /** Returns true if a rule must be split because it contains arguments. */
  #holdsArguments(gbnf: Gbnf): boolean {
    switch (gbnf.type) {
      case 'rule': {
        if (this.#schemas.has(gbnf.name)) return true
        const body = gbnf.name.startsWith('call') ? this.#rules.all.get(gbnf.name) : undefined
        return body !== undefined && this.#holdsArguments(body)
      }
      case 'sequence':
      case 'choice':
        return gbnf.of.some((part) => this.#holdsArguments(part))
      case 'repeat':
        return this.#holdsArguments(gbnf.of)
      default:
        return false
    }
  }
}
