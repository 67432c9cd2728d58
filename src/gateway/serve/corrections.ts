import type {
  AssistantPart,
  AssistantTurn,
  Conversation,
  FinishEvent,
  ReplyEvent,
  ReplyPart,
  ReplyStream,
  Usage,
  UserPart,
} from '../../conversation/index.ts'
import { ReplyCollector } from '../../conversation/index.ts'
import type { GenerationContext } from '../../upstreams/index.ts'
import { CallCheck } from '../reply/check-call.ts'
import { append, sum } from '../reply/reply-streams.ts'
import type { Generate } from './demanded-call.ts'
import { withTurns } from './follow-up.ts'

/** Notices of readers that say that a call came to nothing. */
const callFaults: ReadonlySet<string> = new Set(['unknown-tool', 'ambiguous-tool', 'broken-call', 'incomplete-call'])

/**
 * The reply to a conversation, in which a call that is not valid (an unknown tool, arguments against the schema,
 * unreadable) is sent back to the model with what is wrong, at most `times`, before anything of it goes out. From its
 * first call on, a reply is therefore held back until it is whole.
 */
export async function withCorrections(
  conversation: Conversation,
  generate: Generate,
  times: number,
  context: GenerationContext,
): Promise<ReplyStream> {
  const first = await generate(conversation)
  return times === 0 || conversation.tools.length === 0
    ? first
    : corrected(first, conversation, generate, times, context)
}

async function* corrected(
  first: ReplyStream,
  conversation: Conversation,
  generate: Generate,
  times: number,
  context: GenerationContext,
): ReplyStream {
  let asked = conversation
  let spent: Usage | undefined
  /** The reply that was sent back, from its first call on. */
  let before: ReplyEvent[] = []
  for (let left = times; ; left--) {
    const collector = new ReplyCollector()
    const held: ReplyEvent[] = []
    try {
      for await (const events of left === times ? first : await generate(asked)) {
        collector.push(events)
        if (held.length > 0 || events.some(isOfCall)) append(held, events)
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
    const { faults, unjudged }: Judged = isFinal(finish, left) ? { unjudged: [] } : judge(collector, asked)
    if (unjudged.length > 0) yield unjudged.map(unjudgedNotice)
    if (!faults) {
      yield spent ? withUsage(held, sum(spent, finish.usage ?? {})) : held
      return
    }
    spent = sum(spent ?? {}, finish.usage ?? {})
    const said = faults.said.join(' ')
    context.log('info', 'call-sent-back', { requestId: context.requestId, fault: said.slice(0, 1000) })
    yield [
      { type: 'notice', notice: { code: 'call-sent-back', message: `A call was sent back to the model: ${said}` } },
    ]
    asked = withTurns(asked, [faults.reply, { role: 'user', parts: faults.answer }])
    before = held
  }
}

/** A reply that was sent back is still there to be given where the model cannot be asked again. */
const failedNotice: ReplyEvent = {
  type: 'notice',
  notice: {
    code: 'correction-failed',
    message:
      'The model could not be asked again about a call that is not valid: the reply is the one that was sent back.',
  },
}

function withUsage(events: readonly ReplyEvent[], usage: Usage | undefined): ReplyEvent[] {
  return events.map((event) => (event.type === 'finish' && usage ? { ...event, usage } : event))
}

function isOfCall(event: ReplyEvent): boolean {
  return (
    event.type === 'call-start' ||
    event.type === 'finish' ||
    (event.type === 'notice' && callFaults.has(event.notice.code))
  )
}

interface Faults {
  said: string[]
  /** The model's reply as a turn of the conversation. */
  reply: AssistantTurn
  /** The answer to the model. */
  answer: UserPart[]
}

interface Judged {
  /** Undefined where nothing is wrong. */
  faults?: Faults
  /** The names of tools whose calls could not be judged. */
  unjudged: readonly string[]
}

function isFinal({ reason }: FinishEvent, left: number): boolean {
  return reason === 'length' || left === 0
}

function unjudgedNotice(name: string): ReplyEvent {
  const message = `A call of "${name}" was not checked: its schema and its arguments take more steps than a reply's calls may.`
  return { type: 'notice', notice: { code: 'call-not-checked', message } }
}

/** Returns the faults of the calls of a reply. */
function judge({ parts, notices }: ReplyCollector, { tools }: Conversation): Judged {
  const unread = notices.flatMap(({ code, message }) => (callFaults.has(code) ? [message] : []))
  const calls = parts.filter((part) => part.type === 'call' && part.complete)
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  const check = new CallCheck()
  const unjudged = new Set<string>()
  const judged = calls.map((call) => {
    const tool = byName.get(call.name)
    const verdict = tool && check.judge(tool, call.arguments)
    if (verdict?.type === 'unjudged') unjudged.add(call.name)
    return { call, faults: verdict?.type === 'invalid' ? verdict.faults : [] }
  })
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
  return { faults: { said: [...unread, ...invalid], reply, answer }, unjudged: [...unjudged] }
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
