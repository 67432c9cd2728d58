import type { JsonObject } from '../../conversation/index.ts'
import type { UpstreamEvent } from '../upstream.ts'

/** A server's way to write a reply: its framing, and the content of one object. Created for each reply. */
export interface WireFormat {
  /** The name of a reply in error messages: `a chat completion`. */
  noun: string
  /** The kind of server in error messages: `an OpenAI-compatible server`. */
  server: string
  /** Server-sent events, or a JSON object a line. */
  framing: 'sse' | 'lines'
  /** The key of a piece of text, if objects with text differ only in their text. */
  textKey?: string
  /** True if one of its objects ends each reply: then `[DONE]` without that object is the end of a reply that was cut. */
  hasLastObject?: true
  /** Reads an object; `event` is the name of its event. Unknown objects are ignored. */
  read(value: JsonObject, event?: string): ObjectContent
  /** Returns true for an object that is a whole reply, even one without a sign of its end. */
  isReply(value: JsonObject): boolean
}

/** The content of one object of a reply. */
export interface ObjectContent {
  events: UpstreamEvent[]
  /** The finish reason if it reports a failure of the generation. */
  failed?: string
  /** The server's error if it reports one for the generation. */
  error?: JsonObject
  /** The last object: nothing more is to come. */
  isLast?: boolean
  /** The server would continue, and must stop: further output is not needed. */
  isLeft?: boolean
}
