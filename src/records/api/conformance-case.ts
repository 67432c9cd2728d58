import { type JsonObject, ReplyCollector } from '../../conversation/index.ts'
import type { ExchangeRecord } from '../record/exchange.ts'
import { piecesOf } from '../record/timed-text.ts'

/**
 * Returns the last attempt of an exchange as a case for `npm run conformance`: the model's text, the tools, and the reply that was
 * read as its expectation, which a person has to confirm or to correct.
 */
export function conformanceCase(record: ExchangeRecord): JsonObject {
  const { attempts, conversation, reply, id } = record
  const last = attempts.at(-1)
  const collector = new ReplyCollector()
  collector.push(reply.map(({ event }) => event))
  const calls = collector.parts.flatMap((part) => (part.type === 'call' && part.complete ? [part] : []))
  const { trigger, accept } = last?.reading ?? {}
  return {
    id,
    source: 'anycall records test',
    mode: 'stream',
    tools: (conversation?.tools ?? []).map(({ name, description, schema }) => ({
      type: 'function',
      function: { name, description, parameters: schema },
    })),
    output: last?.text.text ?? '',
    chunks: last ? piecesOf(last.text).map(({ text }) => text) : [],
    ...(trigger !== undefined && { trigger }),
    ...(accept && { options: accept as JsonObject }),
    ...(last?.finish === 'length' && { truncated: true }),
    expect: {
      content: collector.parts.map((part) => (part.type === 'text' ? part.text : '')).join(''),
      tool_calls: calls.map((call) => ({ name: call.name, arguments: JSON.parse(call.arguments) })),
    },
    note: 'To be confirmed: the expectation is what was read when the record was made.',
  }
}
