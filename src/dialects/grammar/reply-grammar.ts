import {
  AnycallError,
  type JsonObject,
  type ToolChoice,
  type ToolDefinition,
  toolsForReading,
} from '../../conversation/index.ts'
import {
  type Expression,
  type GbnfGrammar,
  GrammarCache,
  type LarkGrammar,
  printReplyGrammar,
  printReplyLark,
  printReplyStructuralTag,
  type ReplyRequest,
  type ReplyShape,
  type StructuralTag,
  sequence,
} from '../../grammar/index.ts'
import type { Dialect } from '../format/dialect.ts'
import type { FormatData } from '../format/format.ts'
import { thinkTags } from '../format/reasoning-forms.ts'
import { readableBlockOf } from '../read/format/readable-block.ts'

/** The constraints on a reply. */
export interface GrammarOptions {
  /** The tools that may be called, in any form that `normalizeTools` takes. */
  tools: readonly ToolDefinition[]
  /** Default: `auto`, the model decides if it calls a tool. */
  toolChoice?: ToolChoice
  /** False: at most one call in a reply. */
  parallelCalls?: boolean
  /** `open`: the prompt has opened the reasoning. `off`: the model must not write reasoning. */
  reasoning?: 'open' | 'off'
  /** The text of the reply is JSON of this schema; `true`: any JSON object. */
  responseSchema?: JsonObject | true
  /** The line after which alone calls count, in dialects with `usesTrigger`. */
  trigger?: string
}

const recentGrammars = new GrammarCache<GbnfGrammar>()
const recentTags = new GrammarCache<StructuralTag>()
const recentLark = new GrammarCache<LarkGrammar>()

/**
 * Returns the grammar of a reply in llama.cpp's notation, with the triggers and stops that the engine needs; undefined if there
 * is nothing to constrain. The grammar admits only calls that fit the schemas of the tools, as far as `widened` does not say
 * otherwise. Calls that it admits are read back by the dialect's reader.
 *
 * Throws an AnycallError (`invalid-request`) for tools that are not tools, for a missing trigger, and for a dialect without a
 * format: the dialect of a chat template has its own method `grammar`.
 *
 * @example
 * const grammar = toGbnf(alcove, { tools, toolChoice: { type: 'required' } })
 * const body = { prompt, grammar: grammar?.grammar, stop: grammar?.stops }
 */
export function toGbnf(dialect: Dialect, options: GrammarOptions): GbnfGrammar | undefined {
  const { format, request } = requestOf(dialect, options)
  const { tools, ...rest } = request
  return recentGrammars.of(format, tools, [rest, options.reasoning, options.trigger], () =>
    printReplyGrammar(shapeOf(dialect, format, options), request),
  )
}

/**
 * Returns the constraint of a reply as a structural tag, for vLLM and SGLang; undefined if there is nothing to constrain. Takes
 * the same options as `toGbnf`, and throws the same errors.
 *
 * @example
 * const tag = toStructuralTag(alcove, { tools })
 * const body = { messages, response_format: tag?.tag }
 */
export function toStructuralTag(dialect: Dialect, options: GrammarOptions): StructuralTag | undefined {
  const { format, request } = requestOf(dialect, options)
  const { tools, ...rest } = request
  return recentTags.of(format, tools, [rest, options.reasoning, options.trigger], () =>
    printReplyStructuralTag(shapeOf(dialect, format, options), request),
  )
}

/**
 * Returns the grammar of a reply in Lark, for engines with llguidance; undefined if there is nothing to constrain, or if calls cannot
 * be told from text. It applies from the first character of the reply on. Takes the same options as `toGbnf`, and throws the same
 * errors.
 *
 * @example
 * const body = { prompt, grammar: toLark(alcove, { tools })?.grammar }
 */
export function toLark(dialect: Dialect, options: GrammarOptions): LarkGrammar | undefined {
  const { format, request } = requestOf(dialect, options)
  const { tools, ...rest } = request
  return recentLark.of(format, tools, [rest, options.reasoning, options.trigger], () =>
    printReplyLark(shapeOf(dialect, format, options), request),
  )
}

function requestOf(dialect: Dialect, options: GrammarOptions): { format: FormatData; request: ReplyRequest } {
  const { tools, toolChoice = { type: 'auto' }, parallelCalls = true, responseSchema } = options
  const { format } = dialect
  if (!format) {
    throw new AnycallError(
      'invalid-request',
      `dialect: ${dialect.name} has no format to make a grammar from; a dialect of a chat template has its own method for that.`,
      { param: 'dialect' },
    )
  }
  if (dialect.usesTrigger && !options.trigger) {
    throw new AnycallError(
      'invalid-request',
      `trigger: it is missing; calls of the dialect ${dialect.name} count only after it. Give the result of createTrigger.`,
      { param: 'trigger' },
    )
  }
  const request = { tools: toolsForReading(tools), toolChoice, parallelCalls }
  return { format, request: { ...request, ...(responseSchema !== undefined && { responseSchema }) } }
}

/** Shorter beginnings of a form are found in any text. */
const shortestMark = 4

/** Returns the parts of a reply in a format. */
function shapeOf({ usesTrigger }: Dialect, format: FormatData, { reasoning, trigger }: GrammarOptions): ReplyShape {
  const own = format.written ?? format.blocks[0]
  const others = format.blocks.filter((block) => block !== own)
  const [thought] = format.reasoning ?? []
  const { separator, alsoWritten = [] } = format
  const calls = own && usesTrigger && trigger ? afterTrigger(own.tree, trigger) : own?.tree
  return {
    calls,
    // Forms without the trigger are not calls.
    otherCalls: usesTrigger
      ? []
      : alsoWritten.map(({ tree, place }) => ({ tree, separator, beginLine: place !== 'anywhere' })),
    separator,
    callsBeginLine: own !== undefined && !usesTrigger && own.place !== 'anywhere',
    ...(thought && {
      reasoning: {
        open: thought.open,
        close: thought.close[0] ?? '',
        isOpen: reasoning === 'open',
        isOff: reasoning === 'off',
      },
    }),
    answers: format.answers ?? [],
    marks: [
      ...[...thinkTags, ...(format.reasoning ?? [])]
        .filter(({ kind }) => kind !== 'header')
        .flatMap(({ open, close }) => [open, ...close]),
      ...(format.markers ?? []).filter((marker) => typeof marker === 'string'),
      ...others.flatMap((one) => readableBlockOf(one).prefixes.filter((prefix) => prefix.length >= shortestMark)),
    ],
  }
}

function afterTrigger(tree: Expression, trigger: string): Expression {
  return sequence(trigger, '\n', tree)
}
