import { AnycallError, type Conversation, ReplyCollector, type Tool } from '../../conversation/index.ts'
import type { CallPiece, GenerationContext, Upstream } from '../../upstreams/index.ts'
import { faultsOf } from '../reply/check-call.ts'
import { NativeReader } from '../reply/native-reader.ts'

/** A tool that even a small model calls when asked to. */
const tool: Tool = {
  name: 'report_status',
  description: 'Reports a status.',
  schema: { type: 'object', properties: { status: { type: 'string' } }, required: ['status'] },
}
const conversation: Conversation = {
  model: 'probe',
  system: '',
  turns: [
    {
      role: 'user',
      parts: [{ type: 'text', text: 'Call the tool report_status with the status "ready". Write nothing else.' }],
    },
  ],
  tools: [tool],
  toolChoice: { type: 'auto' },
  parallelCalls: true,
  stopSequences: [],
  sampling: {},
}
/** Enough for a model that thinks before it calls. */
const maxTokens = 1024

/**
 * Asks a model for one call. Resolves with the fault in its reply; undefined if the upstream itself made the call, in a
 * form that plan native can read. Throws an AnycallError if the reply does not reach its end.
 */
export async function probeCall(
  upstream: Upstream,
  model: string,
  context: GenerationContext,
): Promise<string | undefined> {
  const pieces: CallPiece[] = []
  let isOver = false
  const reply = await upstream.generate({ type: 'tools', model, sampling: {}, maxTokens, conversation }, context)
  for await (const batch of reply) {
    const came = batch.filter((event) => event.type === 'call')
    pieces.push(...came)
    // Some models continue endlessly after a call. The text is short enough to be read again with each piece.
    if (came.length > 0 && faultOf(pieces) === undefined) return undefined
    isOver ||= batch.some(({ type }) => type === 'finish')
  }
  if (!isOver) throw new AnycallError('upstream', `Upstream "${upstream.name}" broke off its reply.`)
  return faultOf(pieces)
}

const unreadable = 'The arguments cannot be read.'

/**
 * Returns the fault of calls, read and repaired as in plan native. Text is left out: a call that leaked into it is not
 * the upstream's own.
 */
function faultOf(pieces: readonly CallPiece[]): string | undefined {
  if (pieces.length === 0) return 'the upstream made none'
  const { tools, toolChoice, parallelCalls } = conversation
  const reader = new NativeReader({ tools, toolChoice, parallelCalls })
  const collector = new ReplyCollector()
  for (const piece of pieces) collector.push(reader.pushCall(piece))
  collector.push(reader.end('calls'))
  const faults = collector.parts.flatMap((part) => {
    if (part.type !== 'call') return []
    return [part.complete ? faultsOf(tool, part.arguments) : [unreadable]]
  })
  if (faults.some(({ length }) => length === 0)) return undefined
  // If it is not a call after all, the notices contain the reason.
  const problems = collector.notices.filter(({ code }) => code !== 'repaired')
  const reasons = problems.map(({ code, message }) => (code === 'incomplete-call' ? unreadable : message))
  const said = faults.length > 0 ? faults.flat() : reasons
  return `the upstream made one that is not valid: ${said.slice(0, 3).join(' ')}`
}
