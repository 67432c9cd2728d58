import { type FinishReason, isJsonObject, type JsonObject, type Notice, ReplyCollector } from '../conversation/index.ts'
import { createReader } from './create-reader.ts'
import type { ReadOptions } from './dialect-reader.ts'
import type { ReadReport } from './format/report.ts'

/** A call that was read. */
export interface ParsedCall {
  id: string
  /** The name of the tool as it was offered. */
  name: string
  arguments: JsonObject
  /** The arguments as JSON text, in which numbers have all the digits that the model wrote. */
  json: string
}

/** A reply as it was read. */
export interface ParsedReply {
  calls: ParsedCall[]
  /** Calls that broke off, with their arguments as far as received; empty if calls are delivered whole. */
  incomplete: Omit<ParsedCall, 'arguments'>[]
  text: string
  reasoning: string
  /** Reports of repairs, rejections and anything unusual. */
  notices: Notice[]
  finish: FinishReason
  /** Findings about calls that are not in `calls`. */
  report: ReadReport
}

/** Options for reading a whole reply. */
export interface ParseOptions extends ReadOptions {
  /** The reason why the reply ended; `length` means that it was cut off. */
  end?: FinishReason
}

/**
 * Reads a whole reply: its calls, its text and its reasoning. A call that breaks off is text, unless `delivery` is
 * `live`. Throws an AnycallError for an unknown dialect, and for tools that are not tools; no text makes it throw.
 *
 * @example
 * const { calls, text } = parseToolCalls(reply, { tools: ['get_weather'] })
 */
export function parseToolCalls(text: string, options: ParseOptions): ParsedReply {
  // Spread, as callers without types may leave the options out: that is said by the tools that are missing then.
  const { end = 'stop', delivery = 'whole', ...others }: ParseOptions = { ...options }
  const reader = createReader({ ...others, delivery })
  const collector = new ReplyCollector()
  collector.push([...reader.push(text), ...reader.end(end)])
  const { parts, notices, finish } = collector.reply
  const reply: ParsedReply = {
    calls: [],
    incomplete: [],
    text: '',
    reasoning: '',
    notices,
    finish: finish.reason,
    report: reader.report,
  }
  for (const part of parts) {
    if (part.type === 'text') reply.text += part.text
    else if (part.type === 'reasoning') reply.reasoning += part.text
    else {
      const { id, name, arguments: json } = part
      const value: unknown = part.complete ? JSON.parse(json) : undefined
      if (isJsonObject(value)) reply.calls.push({ id, name, arguments: value, json })
      else reply.incomplete.push({ id, name, json })
    }
  }
  return reply
}
