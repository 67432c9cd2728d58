import type {
  AssistantPart,
  AssistantTurn,
  Conversation,
  ReplyCall,
  ReplyEvent,
  ReplyPart,
  ReplyStream,
  Usage,
  UserPart,
} from '../../conversation/index.ts'
import { isRefusal, ReplyCollector } from '../../conversation/index.ts'
import { formatFaults, formatRequest } from '../../dialects/index.ts'
import { pause } from '../../json/index.ts'
import type { GenerationContext } from '../../upstreams/index.ts'
import { CallCheck } from '../reply/check-call.ts'
import { append, batchesOf, sum } from '../reply/reply-streams.ts'
import type { Generate } from './demanded-call.ts'
import { withTurns } from './follow-up.ts'

/** Notices of readers about a call that failed. */
const callFaults: ReadonlySet<string> = new Set(['unknown-tool', 'ambiguous-tool', 'broken-call', 'incomplete-call'])

/** The most times that a reply may be sent back to the model. */
export interface CorrectionLimits {
  /** For calls that are not valid. */
  calls: number
  /** For a text that must be JSON of a schema, and is not. */
  formats: number
  /** True if such a text may be held back until it is whole. Else only one that has no JSON at all is sent back. */
  holdsText: boolean
}

/**
 * Returns the reply to a conversation. A call that is not valid (an unknown tool, arguments against the schema,
 * unreadable) or a text that does not have the format is sent back to the model with the errors, at most as often as
 * `limits` allows, before any of it is emitted. From its first call on, a reply is therefore held back until it is
 * complete.
 */
export async function withCorrections(
  conversation: Conversation,
  generate: Generate,
  limits: CorrectionLimits,
  context: GenerationContext,
): Promise<ReplyStream> {
  const first = await generate(conversation)
  const times = timesOf(conversation, limits)
  return times.calls + times.formats === 0 ? first : corrected(first, conversation, generate, times, context)
}

function timesOf({ tools, responseFormat }: Conversation, limits: CorrectionLimits): CorrectionLimits {
  return {
    ...limits,
    calls: tools.length === 0 ? 0 : limits.calls,
    formats: responseFormat === undefined ? 0 : limits.formats,
  }
}

async function* corrected(
  first: ReplyStream,
  conversation: Conversation,
  generate: Generate,
  limits: CorrectionLimits,
  context: GenerationContext,
): ReplyStream {
  let asked = conversation
  let spent: Usage | undefined
  /** The reply that was sent back, from its first call on. */
  let before: ReplyEvent[] = []
  for (let sent = 0; ; sent++) {
    const collector = new ReplyCollector()
    const held: ReplyEvent[] = []
    try {
      for await (const events of sent === 0 ? first : await generate(asked)) {
        collector.push(events)
        if (held.length > 0 || events.some((event) => isHeld(event, limits))) append(held, events)
        else yield events
      }
    } catch (error) {
      if (before.length === 0 || context.signal.aborted) throw error
      const why = error instanceof Error ? error.message : String(error)
      context.log('warn', 'correction-failed', { requestId: context.requestId, error: why })
      yield [failedNotice, ...withUsage(before, spent)]
      return
    }
    const { finish } = collector.reply
    const { faults, unjudged }: Judged = await judge(collector, asked, {
      judgesCalls: sent < limits.calls && finish.reason !== 'length',
      judgesFormat: sent < limits.formats && held.length > 0 && (limits.holdsText || !hasValue(collector)),
    })
    if (unjudged.length > 0) yield unjudged.map(unjudgedNotice)
    if (!faults) {
      const batches = batchesOf(spent ? withUsage(held, sum(spent, finish.usage ?? {})) : held)
      for (const [index, batch] of batches.entries()) {
        if (index > 0) await pause()
        yield batch
      }
      return
    }
    spent = sum(spent ?? {}, finish.usage ?? {})
    const said = faults.said.join(' ')
    const fields = { requestId: context.requestId, fault: said.slice(0, 1000) }
    if (faults.code === 'call-sent-back') context.log('info', 'call-sent-back', fields)
    else context.log('info', 'response-sent-back', fields)
    yield [{ type: 'notice', notice: { code: faults.code, message: `${sentBack[faults.code]}: ${said}` } }]
    asked = withTurns(asked, [faults.reply, { role: 'user', parts: faults.answer }])
    before = held
  }
}

/** A reply that was sent back is still used if the model cannot be asked again. */
const failedNotice: ReplyEvent = {
  type: 'notice',
  notice: {
    code: 'correction-failed',
    message:
      'The model could not be asked again about what is not valid in its reply: the reply is the one that was sent back.',
  },
}

function withUsage(events: readonly ReplyEvent[], usage: Usage | undefined): ReplyEvent[] {
  return events.map((event) => (event.type === 'finish' && usage ? { ...event, usage } : event))
}

/** The notices of a reply that was sent back, by their codes. */
const sentBack = {
  'call-sent-back': 'A call was sent back to the model',
  'response-sent-back': 'A reply without the format that was asked for was sent back to the model',
} as const

/** True for an event that may be of something to be sent back. */
function isHeld(event: ReplyEvent, { formats, holdsText }: CorrectionLimits): boolean {
  switch (event.type) {
    case 'call-start':
    case 'finish':
      return true
    case 'notice':
      return callFaults.has(event.notice.code) || (formats > 0 && formatFaults.has(event.notice.code))
    case 'text':
      return formats > 0 && (holdsText || isRefusal(event))
    default:
      return false
  }
}

/** True if the reply has at least the beginning of the requested JSON value. */
function hasValue({ parts }: ReplyCollector): boolean {
  return parts.some((part) => part.type === 'text' && !isRefusal(part))
}

interface Faults {
  code: keyof typeof sentBack
  said: string[]
  /** The model's reply as a turn of the conversation. */
  reply: AssistantTurn
  /** The answer to the model. */
  answer: UserPart[]
}

interface Judged {
  /** Undefined if nothing is wrong. */
  faults?: Faults
  /** The names of tools whose calls could not be judged. */
  unjudged: readonly string[]
}

function unjudgedNotice(name: string): ReplyEvent {
  const message = `A call of "${name}" was not checked: its schema and its arguments take more steps than a reply's calls may.`
  return { type: 'notice', notice: { code: 'call-not-checked', message } }
}

/** The parts of a reply that are judged. */
interface Judging {
  judgesCalls: boolean
  judgesFormat: boolean
}

/** Returns the faults of a reply: of its calls, or of its text if it must have a format. */
async function judge(
  collector: ReplyCollector,
  asked: Conversation,
  { judgesCalls, judgesFormat }: Judging,
): Promise<Judged> {
  const judged = judgesCalls ? await judgeCalls(collector, asked) : { unjudged: [] }
  if (judged.faults || !judgesFormat) return judged
  const said = collector.notices.flatMap(({ code, message }) => (formatFaults.has(code) ? [message] : []))
  if (said.length === 0) return judged
  const reply: AssistantTurn = { role: 'assistant', parts: collector.parts.flatMap(asWritten) }
  const answer: UserPart[] = [{ type: 'text', text: formatRequest(asked, said) }]
  return { ...judged, faults: { code: 'response-sent-back', said, reply, answer } }
}

/** Returns the faults of the calls of a reply. */
async function judgeCalls({ parts, notices }: ReplyCollector, { tools }: Conversation): Promise<Judged> {
  const unread = notices.flatMap(({ code, message }) => (callFaults.has(code) ? [message] : []))
  const calls = parts.filter((part) => part.type === 'call' && part.complete)
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  const check = new CallCheck()
  const unjudged = new Set<string>()
  const judged: { call: ReplyCall; faults: readonly string[] }[] = []
  for (const call of calls) {
    const tool = byName.get(call.name)
    const verdict = tool && (await check.judgeInPieces(tool, call.arguments))
    if (verdict?.type === 'unjudged') unjudged.add(call.name)
    judged.push({ call, faults: verdict?.type === 'invalid' ? verdict.faults : [] })
  }
  const invalid = judged.flatMap(({ call, faults }) => faults.map((fault) => `${call.name}: ${fault}`))
  if (unread.length + invalid.length === 0) return { unjudged: [...unjudged] }

  const answer: UserPart[] = judged.map(({ call, faults }) => ({
    type: 'result',
    callId: call.id,
    name: call.name,
    content: [{ type: 'text', text: faults.length > 0 ? `Not run. ${faults.join(' ')}` : notRun }],
    isError: true,
  }))
  const names = tools.map(({ name }) => name).join(', ')
  const advice = `${unread.join(' ')} Nothing was run. The tools are: ${names}. Make your calls again, all of them, in the form that you were told.`
  if (unread.length > 0 || answer.length === 0) answer.push({ type: 'text', text: advice })
  const reply: AssistantTurn = { role: 'assistant', parts: parts.flatMap(asWritten) }
  return { faults: { code: 'call-sent-back', said: [...unread, ...invalid], reply, answer }, unjudged: [...unjudged] }
}

const notRun = 'Not run, as another call of the same reply was not valid. Make it again.'

/** A part of a reply as a part of a turn; a call that broke off is text. */
function asWritten(part: ReplyPart): AssistantPart[] {
  if (part.type !== 'call') return [{ type: part.type, text: part.text }]
  const { id, name, complete } = part
  return complete
    ? [{ type: 'call', id, name, arguments: part.arguments }]
    : [{ type: 'text', text: `${name} ${part.arguments}` }]
}
