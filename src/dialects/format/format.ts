import type { Expression, PatternLike } from '../../grammar/index.ts'
import type { ReasoningForm } from './reasoning-forms.ts'

/** A block of calls: how it is written, and where in a reply it counts. */
export interface Block {
  tree: Expression
  /**
   * `anywhere`: it begins with a marker that only calls have. `line`: its beginning may stand in prose or code as well,
   * so that it counts at the beginning of a line only. `phrase`: it is a sentence of text, which must not say the opposite.
   */
  place: 'anywhere' | 'line' | 'phrase'
  /** It is none where it is a part of other JSON: of a transcript, or of a definition. */
  isWhole?: boolean
  /**
   * It ends a reasoning that is never closed, as where Kimi K2 begins its section while it thinks. Where nothing is said,
   * what counts anywhere does.
   */
  endsReasoning?: boolean
  /** No marker says that it is a call, and it is read only where the caller wants that: a notice says what it was read from. */
  readFrom?: 'a sentence' | 'JSON without any marker'
}

/** In what a model puts its answer: `<response>` and `</response>`. */
export interface AnswerTags {
  open: string
  close: string
}

/** What stands around a message that is addressed to the user: no call stands in it, whatever it shows. */
export interface UserMessage {
  open: PatternLike
  close: PatternLike
}

/** A dialect as data: how one model family writes calls and reasoning. */
export interface FormatData {
  name: string
  /** Whom it suits, in words. */
  families: string
  /** Where the format comes from. */
  source: string
  /** One call as the model writes it: get_weather with city Paris and days 3. */
  example: string
  /** How calls are written, in the order in which they are tried. */
  blocks: readonly Block[]
  /** How models write calls as well, as one of the blocks reads it: a grammar admits it. */
  alsoWritten?: readonly Block[]
  /** The block that prompts show and calls are written in; the first where nothing else is said. */
  written?: Block | undefined
  /** How reasoning is written; the first is the family's own. Think tags at a reply's head are always read. */
  reasoning?: readonly ReasoningForm[]
  /** Markers of turns and channels around text, which are no text: `<|im_end|>`. */
  markers?: readonly PatternLike[]
  /** Markers of those above that open and close what is addressed to the user. */
  userMessages?: readonly UserMessage[]
  /** Tags around the text that follows reasoning. They are no text there alone: elsewhere a client may have asked for them. */
  answers?: readonly AnswerTags[]
  /**
   * The names of arguments that its markers can hold, where it has no other place for them; any where nothing is said.
   * Others are written with what does not fit replaced.
   */
  keys?: RegExp
  /** Which calls that begin with nothing but a tool's name are read. */
  namedCalls?: NamedCalls
  /** What stands between two blocks; a line break where nothing else is said. */
  separator?: string
}

/** Which calls that begin with nothing but a tool's name are read. */
export interface NamedCalls {
  /** `f[ARGS]{…}`: Mistral's format, of which a server dropped the first marker as a special token. */
  unmarked?: boolean
  /** `f({…})`, `f{…}` and `f(a=1)` at the beginning of a line. Code looks the same. */
  loose?: boolean
  /** `f(a=1)` on a line of its own, in a format whose models write so (Granite). */
  lines?: boolean
  /** The same with all that the tool requires, where the reply is over with such lines. */
  lastLines?: boolean
  /** `[{"f": {"a": 1}}]`: the tool's name is the key of its arguments. */
  keyed?: boolean
  /** `<f><a>1</a></f>`: the tool and each argument name an element, as Cline and its kin ask for. */
  elements?: boolean
  /** `I'll use the f tool with {…}`. */
  naturalLanguage?: boolean
  /** `{"name": "f", "input": {…}}` without any marker, in formats that do not have it anyway. */
  bareJson?: boolean
}
