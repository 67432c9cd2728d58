import type { ObjectContent, WireFormat } from '../http/wire-format.ts'
import { finishReasons, firstChoice, readUsage } from '../openai-chat/chunk.ts'

/** A text completion of OpenAI's older API, as vLLM and SGLang give it, streamed or whole. */
export const completionsFormat: WireFormat = {
  noun: 'a text completion',
  server: 'an OpenAI-compatible server with /v1/completions',
  framing: 'sse',
  textKey: 'text',
  isReply: (value) => Array.isArray(value.choices),
  read: (value) => {
    const content: ObjectContent = { events: [] }
    const choice = firstChoice(value.choices)
    if (choice && typeof choice.text === 'string' && choice.text !== '') {
      content.events.push({ type: 'text', text: choice.text })
    }
    if (choice && typeof choice.finish_reason === 'string' && choice.finish_reason !== '') {
      // A stop that was met is one of the prompt's own (`stop_reason`, SGLang: `matched_stop`): the turn is over.
      const reason = finishReasons[choice.finish_reason] ?? 'stop'
      if (reason === 'failed') content.failed = choice.finish_reason
      else content.events.push({ type: 'finish', reason })
    }
    const usage = readUsage(value.usage)
    if (usage) content.events.push({ type: 'usage', usage })
    return content
  },
}
