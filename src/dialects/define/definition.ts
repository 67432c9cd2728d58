import type { Expression, PatternLike } from '../../grammar/index.ts'
import type { AnswerTags, Block, FormatData, UserMessage } from '../format/format.ts'
import type { ReasoningForm } from '../format/reasoning-forms.ts'

/** One form in which calls are written, and the places in a reply where it counts. */
export interface CallForm extends Pick<Block, 'tree' | 'isWhole' | 'endsReasoning'> {
  /**
   * `anywhere` (the default): the form begins with a marker that only calls have. `line`: its beginning may be part of prose
   * or code as well, so it counts only at the beginning of a line.
   */
  place?: 'anywhere' | 'line'
}

/** The markers of reasoning. */
export interface ReasoningMarkers {
  open: string
  /** The marker that ends the reasoning, or several of which any does. */
  close: string | readonly string[]
  /**
   * `tag`: a word in angle brackets, which a text may mention. `special`: a token that only models write. `words`: words that
   * any text may contain, so they count only at the beginning of a reply. Default: `tag` for `<word>`, else `special`.
   */
  kind?: ReasoningForm['kind']
}

/** A dialect as data: how a model writes calls, reasoning and markers. */
export interface DialectDefinition {
  /** The name of the dialect: letters, digits, `.`, `_` and `-`. */
  name: string
  /** The form of calls, or several. The first is the one that prompts show and that calls are written in. */
  calls: Expression | CallForm | readonly (Expression | CallForm)[]
  /** The models that write so; for people. */
  families?: string
  /** The source of the format's documentation, for people. */
  source?: string
  /** The markers of reasoning. `<think>` at the beginning of a reply is always read. */
  reasoning?: ReasoningMarkers | readonly ReasoningMarkers[]
  /** The markers of turns and channels, which are not part of the text: `<|im_end|>`. */
  markers?: readonly PatternLike[]
  /** The markers around messages that are addressed to the user, in which no call counts. */
  userMessages?: readonly UserMessage[]
  /** The tags around the text that follows reasoning. */
  answers?: readonly AnswerTags[]
  /** The names of arguments that the markers can hold. Other names are written with replacements. Default: any. */
  keys?: RegExp
  /** The text between two forms of calls. Default: a line break. */
  separator?: string
  /** True: calls count only after the trigger of the conversation, which `createTrigger` makes. */
  usesTrigger?: boolean
}

/** Returns the forms of a definition, each with its place. */
export function formsOf({ calls }: DialectDefinition): Block[] {
  const list: readonly (Expression | CallForm)[] = isList(calls) ? calls : [calls]
  return list.map(
    (form): Block =>
      'tree' in form ? { ...form, place: form.place ?? 'anywhere' } : { tree: form, place: 'anywhere' },
  )
}

/** Returns the definition as the format that readers, writers and grammars take; `example` is one written call. */
export function formatOfDefinition(definition: DialectDefinition, example: string): FormatData {
  const { name, families = '', source = '', reasoning, markers, userMessages, answers, keys, separator } = definition
  return {
    name,
    families,
    source,
    example,
    blocks: formsOf(definition),
    ...(reasoning && { reasoning: (isList(reasoning) ? reasoning : [reasoning]).map(reasoningForm) }),
    ...(markers && { markers }),
    ...(userMessages && { userMessages }),
    ...(answers && { answers }),
    ...(keys && { keys }),
    ...(separator !== undefined && { separator }),
  }
}

function reasoningForm({ open, close, kind }: ReasoningMarkers): ReasoningForm {
  const isTag = /^<[\w:.-]+>$/.test(open)
  return { open, close: typeof close === 'string' ? [close] : close, kind: kind ?? (isTag ? 'tag' : 'special') }
}

function isList<Item>(value: Item | readonly Item[]): value is readonly Item[] {
  return Array.isArray(value)
}
