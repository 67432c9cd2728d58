import type { FinishReason, ReplyEvent } from '../../conversation/index.ts'
import type { FormatData, Marks, Reader, ReaderOptions } from '../../dialects/index.ts'
import { createFormatReader } from '../../dialects/index.ts'
import type { TemplateAnalysis } from '../analysis/analysis.ts'
import { eventAfter, traceAfter } from './after-begun.ts'
import { AnswerFence } from './answer-fence.ts'
import { ReasoningAsText } from './reasoning-as-text.ts'
import { UndelimitedReader } from './undelimited-reader.ts'

export interface TemplateReaderOptions extends ReaderOptions {
  /**
   * The beginning of the reply that the prompt contains, as `renderPrompt` reports it. The reader reads it first.
   * Places in traces and notices do not count it.
   */
  begun?: string
  /** Events read from `begun` are emitted as well. */
  givesBegun?: boolean
  /** `text`: reasoning is text, and its markers are kept. */
  reasoningAs?: 'events' | 'text'
  /** The answer is to be JSON: a fence around it goes. */
  responseFormat?: 'json'
}

/**
 * Reads a reply from the end of the prompt on. A class, because an object with a getter has its own hidden class:
 * compiled code is specialised for none of those, and V8 keeps each, with everything that it references, until old
 * garbage is collected.
 */
export class TemplateReader implements Reader {
  readonly #reader: Reader
  readonly #raw: ReasoningAsText | undefined
  readonly #answer: AnswerFence | undefined
  /** The length of the begun text, which is read first. */
  readonly #begunLength: number
  readonly #give: (events: ReplyEvent[]) => ReplyEvent[]

  constructor(analysis: TemplateAnalysis, format: FormatData, marks: Marks, options: TemplateReaderOptions) {
    const { begun = '', givesBegun = false, responseFormat, reasoning, trace: told, ...others } = options
    const { mode, close } = analysis.reasoning
    const isOpen = reasoning === 'open'
    const raw = options.reasoningAs === 'text' ? new ReasoningAsText() : undefined
    const traced = told && traceAfter(told, begun.length)
    const trace: ReaderOptions['trace'] = (role, start, end) => {
      raw?.take(role, start, end)
      traced?.(role, start, end)
    }
    const isTraced = raw !== undefined || traced !== undefined
    const open = (isInReasoning: boolean) =>
      createFormatReader(format, marks, {
        reasoning: isInReasoning ? 'open' : 'detect',
        ...(isTraced && { trace }),
        ...others,
      })
    const isDelimited = mode === 'delimiter' && !isOpen
    // Without its own marker, reasoning is the text that the prompt begins.
    this.#reader = isDelimited && begun.trim() === '' ? new UndelimitedReader(close, open) : open(isOpen || isDelimited)
    this.#raw = raw
    this.#answer = responseFormat === 'json' ? new AnswerFence() : undefined
    this.#begunLength = begun.length
    const first = begun === '' ? [] : this.#read(begun)
    this.#give = givesBegun ? givenFirst(first) : withoutText(first.length === 0 ? begun : '')
  }

  push(text: string): ReplyEvent[] {
    return this.#give(this.#read(text))
  }

  end(reason: FinishReason): ReplyEvent[] {
    return this.#give(this.#pass(this.#reader.end(reason)))
  }

  get openCallAt(): number | undefined {
    const at = this.#reader.openCallAt
    return at === undefined ? undefined : Math.max(0, at - this.#begunLength)
  }

  get report(): Reader['report'] {
    return this.#reader.report
  }

  #read(text: string): ReplyEvent[] {
    this.#raw?.push(text)
    return this.#pass(this.#reader.push(text))
  }

  #pass(events: ReplyEvent[]): ReplyEvent[] {
    const shown = this.#raw ? this.#raw.read(events) : events
    const length = this.#begunLength
    const placed = length === 0 ? shown : shown.map((event) => eventAfter(event, length))
    return this.#answer ? this.#answer.read(placed) : placed
  }
}

/** Some events before all others. */
function givenFirst(first: readonly ReplyEvent[]): (events: ReplyEvent[]) => ReplyEvent[] {
  let waiting = first
  return (events) => {
    if (waiting.length === 0) return events
    const all = [...waiting, ...events]
    waiting = []
    return all
  }
}

/**
 * A marker that the prompt has begun, and the model did not continue, is not text of the model, nor is a line break
 * after it. It may arrive in pieces: a possible part of it is held back until that is known.
 */
function withoutText(begun: string): (events: ReplyEvent[]) => ReplyEvent[] {
  let left = begun
  let isAfterBegun = false
  let held = ''
  const textOf = (text: string): string => {
    if (isAfterBegun) {
      const rest = text.replace(/^[\r\n]+/, '')
      isAfterBegun = rest === ''
      return rest
    }
    if (left === '') return text
    const all = held + text
    if (left.startsWith(all) && all !== left) {
      held = all
      return ''
    }
    isAfterBegun = all.startsWith(left)
    const rest = isAfterBegun ? all.slice(left.length) : all
    left = ''
    held = ''
    return isAfterBegun ? textOf(rest) : rest
  }
  return (events) =>
    events.flatMap((event): ReplyEvent[] => {
      if (event.type === 'notice') return [event]
      if (event.type === 'text') {
        const text = textOf(event.text)
        return text === '' ? [] : [{ ...event, text }]
      }
      const before: ReplyEvent[] = held === '' ? [] : [{ type: 'text', text: held }]
      left = ''
      held = ''
      isAfterBegun = false
      return [...before, event]
    })
}
