import { newId } from '../../conversation/index.ts'
import { type Delivery, type Reader, type ReaderOptions, writePrompt } from '../../dialects/index.ts'
import type { ChatMessage, GenerationContext, PromptSource, ReadingFacts } from '../../upstreams/index.ts'
import { trimOverlap } from '../reply/continuation.ts'
import { readReply } from '../reply/read-reply.ts'
import { SentCallsReader } from '../reply/sent-calls-reader.ts'
import { AttemptWatch } from './attempt-watch.ts'
import { generateLogged } from './debug-log.ts'
import { callIdsOf, conversationOf, limitsOf, type Plan, type PlanRequest } from './plan.ts'
import { estimateTokens } from './tokens.ts'

/** For a model that only takes prompts: the tools are described in the prompt, and calls are read out of the text. */
export const prompted: Plan = {
  name: 'prompted',
  async generate(request, context) {
    const { conversation, dialect, delivery, accept, upstream, callIdPrefix, continuations } = request
    const { tools, toolChoice, parallelCalls, stopSequences } = conversation
    const trigger = await triggerOf(request)
    const messages = promptOf(request, trigger)
    const source: PromptSource = {
      conversation,
      writeReply: (parts) => dialect.renderAssistant(parts, { trigger, ...(accept && { accept }) }, tools),
    }
    const limits = limitsOf(request)
    const reading: ReadingFacts = { dialect: dialect.name, delivery }
    if (trigger !== '') reading.trigger = trigger
    if (accept) reading.accept = accept
    const watch = new AttemptWatch(context, request, 'prompted', reading)
    const readerOf = (delivered: Delivery, trace?: ReaderOptions['trace']): Reader => {
      const newCallId = (): string => newId(callIdPrefix)
      const options: ReaderOptions = { tools, toolChoice, parallelCalls, delivery: delivered, newCallId }
      // Assigned, as V8 takes a microsecond and more for each member of a spread after the first.
      if (trigger !== '') options.trigger = trigger
      if (accept) options.accept = accept
      if (trace) options.trace = trace
      return dialect.createReader(options)
    }
    const { writtenReply } = request
    const promptCacheKey = conversation.openai?.promptCacheKey
    const cached = promptCacheKey !== undefined && { promptCacheKey }
    const generate = (prompt: ChatMessage[]) => {
      writtenReply?.begin(dialect.name)
      const sent = { type: 'messages' as const, ...limits, ...cached, messages: prompt }
      // A copy that gets another member afterwards has a hidden class of its own, for each request.
      return generateLogged(upstream, sent, { source, ...watch.context }, watch)
    }
    const reader = new SentCallsReader({
      tools,
      toolChoice,
      parallelCalls,
      delivery,
      newCallId: () => newId(callIdPrefix),
      takenIds: callIdsOf(conversation),
      ...(watch.trace && { trace: watch.trace }),
      newReader: (trace) => readerOf(delivery, trace),
    })
    return readReply(await generate(messages), reader, {
      stopSequences,
      continuation: {
        times: continuations,
        async *goOn(text, openCallAt) {
          const generation = await generate([...messages, ...goOn(text)])
          yield* trimOverlap(generation, { text, openCallAt, newReader: () => readerOf('live') })
        },
        context: watch.context,
      },
      watch: {
        pieces: (events) => {
          watch.pieces(events)
          writtenReply?.pieces(events)
        },
        read: (events) => watch.read(events),
        ended: (error) => watch.ended(error),
      },
    })
  },
  countTokens: async (request: PlanRequest, _: GenerationContext) =>
    estimateTokens(promptOf(request, await triggerOf(request))),
}

/** Empty in dialects without one. */
async function triggerOf({ dialect, trigger }: PlanRequest): Promise<string> {
  return dialect.usesTrigger ? trigger() : ''
}

/** The messages that a conversation becomes. */
function promptOf(request: PlanRequest, trigger: string): ChatMessage[] {
  const { dialect, accept } = request
  return writePrompt(conversationOf(request), { dialect, ...(accept && { accept }), trigger })
}

/** The messages that ask a chat model to continue its reply. */
function goOn(written: string): ChatMessage[] {
  const request =
    'Your last message was cut off. Go on exactly where it stops, with the very next character: repeat nothing, and write nothing before it.'
  return [
    { role: 'assistant', parts: [{ type: 'text', text: written }] },
    { role: 'user', parts: [{ type: 'text', text: request }] },
  ]
}
