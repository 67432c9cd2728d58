import { AnycallError, type Notice, type ReplyEvent } from '../../conversation/index.ts'
import { FlagError, findDialect } from '../io/flags.ts'
import type { CliReadOptions, Io, ReadServices, TextReader } from '../io/io.ts'
import { screenOf } from '../io/terminal.ts'
import { TextPlaces } from '../io/text.ts'
import { ExplainView } from './explain.ts'
import { modelText } from './model-text.ts'
import type { ReplyView, Span, Tally } from './reply-view.ts'
import { EventsView } from './show-events.ts'
import { MessageView } from './show-message.ts'
import { type ToolFlags, toolsOf } from './tools-flag.ts'

/** The flags of `anycall read`, as the shell passed them. */
export interface ReadFlags extends ToolFlags {
  dialect?: string
  trigger?: string
  standalone?: boolean
  callsInReasoning?: boolean
  looseCalls?: boolean
  naturalLanguage?: boolean
  fences?: 'strict' | 'lenient'
  reasoning?: 'detect' | 'open'
  delivery?: 'live' | 'whole'
  cut?: boolean
  json?: boolean
  explain?: boolean
  color?: boolean
}

/** The exit code of a program that Ctrl-C stopped: 128 plus the number of SIGINT. */
const interruptedCode = 130

/**
 * Reads model text from a file or standard input and prints its content as it arrives. Resolves with the exit code. Throws a
 * FlagError for wrong flags and for files that cannot be read.
 */
export async function readText(
  file: string | undefined,
  flags: ReadFlags,
  io: Pick<Io, 'stdin' | 'stdout' | 'stderr' | 'env' | 'isTerminal' | 'signal'>,
  reading: ReadServices,
): Promise<number> {
  const spans = new SpanList()
  const reader = openReader({ ...readOptions(flags, reading), trace: spans.add }, reading)
  const view = viewOf(flags, io)
  const places = new TextPlaces()
  const seen = new Seen()
  const show = (piece: string, events: readonly ReplyEvent[]): void => {
    places.add(piece)
    seen.push(events)
    view.show({ piece, spans: spans.take(), events })
  }
  for await (const piece of modelText(file, io)) show(piece, reader.push(piece))
  const interrupted = io.signal.aborted
  show('', reader.end(flags.cut || interrupted ? 'length' : 'stop'))
  view.end({ report: reader.report, tally: seen.tally, notices: seen.notices, places, interrupted })
  return interrupted ? interruptedCode : 0
}

function readOptions(flags: ReadFlags, reading: ReadServices): CliReadOptions {
  const { dialect, trigger, delivery, reasoning, fences } = flags
  if (dialect !== undefined) findDialect(dialect, reading.dialects, '--dialect')
  if (trigger === '') throw new FlagError('--trigger: the trigger is empty')
  return {
    tools: toolsOf(flags),
    standalone: flags.standalone ?? false,
    accept: {
      callsInReasoning: flags.callsInReasoning ?? false,
      looseCalls: flags.looseCalls ?? false,
      naturalLanguage: flags.naturalLanguage ?? false,
      ...(fences !== undefined && { fences }),
    },
    ...(dialect !== undefined && { dialect }),
    ...(trigger !== undefined && { trigger }),
    ...(delivery !== undefined && { delivery }),
    ...(reasoning !== undefined && { reasoning }),
  }
}

function openReader(options: CliReadOptions, reading: ReadServices): TextReader {
  try {
    return reading.createReader(options)
  } catch (error) {
    throw AnycallError.isInstance(error) ? new FlagError(error.message) : error
  }
}

function viewOf(flags: ReadFlags, io: Pick<Io, 'stdout' | 'stderr' | 'env' | 'isTerminal'>): ReplyView {
  if (flags.json) return new EventsView(io, flags.explain ?? false)
  const screen = screenOf({ ...io, flag: flags.color })
  return flags.explain ? new ExplainView(io, screen) : new MessageView(io, screen)
}

/** Collects the spans that a reader reports; adjacent spans of one role are merged. */
class SpanList {
  #spans: Span[] = []

  readonly add = (role: Span['role'], start: number, end: number): void => {
    const last = this.#spans.at(-1)
    if (last?.role === role && last.end === start) last.end = end
    else this.#spans.push({ role, start, end })
  }

  take(): Span[] {
    const spans = this.#spans
    this.#spans = []
    return spans
  }
}

/** Collects notices and counts from the events for the report at the end. */
class Seen {
  readonly notices: Notice[] = []
  readonly tally: Tally = { calls: 0, incomplete: 0, finish: 'stop' }

  push(events: readonly ReplyEvent[]): void {
    for (const event of events) {
      if (event.type === 'notice') this.notices.push(event.notice)
      else if (event.type === 'finish') this.tally.finish = event.reason
      else if (event.type === 'call-end') this.tally[event.complete ? 'calls' : 'incomplete']++
    }
  }
}
