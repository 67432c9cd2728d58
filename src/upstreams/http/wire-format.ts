import type { JsonObject } from '../../conversation/index.ts'
import type { UpstreamEvent } from '../upstream.ts'

/** How a server writes a reply: its framing, and what one object of it says. Made anew for each reply. */
export interface WireFormat {
  /** What a reply is called in errors: `a chat completion`. */
  noun: string
  /** Whose reply that is: `an OpenAI-compatible server`. */
  server: string
  /** Server-sent events, or a JSON object a line. */
  framing: 'sse' | 'lines'
  /** The key of a piece of text, where every object but for its text is the same and says nothing else. */
  textKey?: string
  /** Reads an object; `event` is the name of its event. What it does not know is passed over. */
  read(value: JsonObject, event?: string): ObjectContent
  /** True for an object that is a reply, whatever it says of its end. */
  isReply(value: JsonObject): boolean
}

/** What an object of a reply says. */
export interface ObjectContent {
  events: UpstreamEvent[]
  /** The finish reason when it tells that the generation failed. */
  failed?: string
  /** The last object: nothing more is to come. */
  isLast?: boolean
  /** The server would write on, and is to stop: what more it sends is not wanted. */
  isLeft?: boolean
}
