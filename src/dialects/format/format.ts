import type { Expression, Pattern, PatternLike } from '../../grammar/index.ts'
import type { ReasoningForm } from './reasoning-forms.ts'

/** One form in which calls are written, and the places in a reply where it counts. */
export interface Block {
  tree: Expression
  /**
   * `anywhere`: it begins with a marker that only calls have. `line`: its beginning may occur in prose or code as well,
   * so it counts at the beginning of a line only. `phrase`: it is a sentence of text, which must not say the opposite.
   * `head`: it counts at the beginning of the reply only.
   */
  place: 'anywhere' | 'line' | 'phrase' | 'head'
  /** True if it is not a call within other JSON, such as a transcript or a definition. */
  isWhole?: boolean
  /**
   * True if it ends a reasoning block that is never closed: Kimi K2 begins its section while it reasons. By default
   * true for blocks that count anywhere.
   */
  endsReasoning?: boolean
  /**
   * Set for a block that no marker identifies as a call. It is read only if the caller allows it, and a notice names
   * the source.
   */
  readFrom?: 'a sentence' | 'JSON without any marker'
}

/** The tags around a model's answer: `<response>` and `</response>`. */
export interface AnswerTags {
  open: string
  close: string
}

/** The markers around a message that is addressed to the user: no call counts in it, whatever it shows. */
export interface UserMessage {
  open: PatternLike
  close: PatternLike
}

/** A dialect as data: how one model family writes calls and reasoning. */
export interface FormatData {
  name: string
  /** The model families that use it, in words. */
  families: string
  /** The source of the format's description. */
  source: string
  /** One call as the model writes it: get_weather with city Paris and days 3. */
  example: string
  /** The forms in which calls are written, in the order in which they are tried. */
  blocks: readonly Block[]
  /** Further forms that models write, which one of the blocks reads: a grammar admits them. */
  alsoWritten?: readonly Block[]
  /** The block that prompts show and calls are written in; the first by default. */
  written?: Block | undefined
  /** The forms of reasoning; the first is the family's own. Think tags at the beginning of a reply are always read. */
  reasoning?: readonly ReasoningForm[]
  /** The markers that close reasoning which the prompt has begun with words, not with a marker: Apriel's. */
  reasoningClosers?: readonly string[]
  /** Markers of turns and channels around text, which are no text: `<|im_end|>`. */
  markers?: readonly PatternLike[]
  /** The rest of markers around text whose beginning the family's prompt writes: markers at the beginning of a reply only. */
  begunMarkers?: readonly string[]
  /** The markers among those above that open and close messages to the user. */
  userMessages?: readonly UserMessage[]
  /** Tags around the text that follows reasoning. They are markers only there: elsewhere they are text, because a client may have requested them. */
  answers?: readonly AnswerTags[]
  /**
   * The argument names that its markers can contain, if it has no other place for them; any name by default. Other
   * names are written with the characters that do not fit replaced.
   */
  keys?: RegExp
  /** The calls without a marker, beginning with a tool's name, that are read. */
  namedCalls?: NamedCalls
  /** The text between two blocks; a line break by default. */
  separator?: string
}

/** The calls without a marker, beginning with a tool's name, that are read. */
export interface NamedCalls {
  /** `f[ARGS]{…}`: Mistral's format after a server has dropped its first marker as a special token. */
  unmarked?: boolean
  /** `f({…})`, `f{…}` and `f(a=1)` at the beginning of a line. Code looks the same. */
  loose?: boolean
  /** `f(a=1)` on its own line, in a format whose models write this (Granite). */
  lines?: boolean
  /** The same with all arguments that the tool requires, if such lines end the reply. */
  lastLines?: boolean
  /** `[{"f": {"a": 1}}]`: the tool's name is the key of its arguments. */
  keyed?: boolean
  /** `<f><a>1</a></f>`: the tool and each argument name an element, as Cline and its kin ask for. */
  elements?: boolean
  /** `I'll use the f tool with {…}`. */
  naturalLanguage?: boolean
  /** `{"name": "f", "input": {…}}` without any marker, in formats that do not have it anyway. */
  bareJson?: boolean
  /**
   * A call whose marker begins in the prompt of the family's chat template (`>>>`): the rest of the marker, from the tool's name on,
   * counts at the beginning of a reply.
   */
  begun?: BegunCall
}

/** The parts of a call that the prompt has begun. */
export interface BegunCall {
  /** Returns the pattern for the marker from the name on. */
  marker(name: Pattern): Pattern
  /** Returns the call that begins with a marker. */
  call(marker: Pattern): Expression
}
