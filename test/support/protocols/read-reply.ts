import type { JsonValue } from '../../../src/conversation/index.ts'

/** A reply as a client of some API reads it. */
export interface ReadReply {
  text: string
  reasoning: string
  calls: { id: string; name: string; input: JsonValue | undefined }[]
  /** The API's own word; absent if the reply ended with an error. */
  finish?: string | undefined
  error?: string
  /** The signatures of its parts, in the order of the parts. */
  signatures?: string[]
}
