import type { LanguageModelV3GenerateResult, LanguageModelV3StreamPart } from '@ai-sdk/provider'
import {
  type CallPolicy,
  demandsCall,
  formatFaults,
  formatRequest,
  missingCallNotice,
  missingCallRequest,
} from '../../dialects/index.ts'
import { type FinishPart, isRefusalMark, toolCallMetadata, withNotice } from './findings.ts'
import type { Reading } from './reading.ts'

/** The end of a reply, and of a whole one its content. */
export type ReplyEnd = Pick<LanguageModelV3GenerateResult, 'providerMetadata'> &
  Partial<Pick<LanguageModelV3GenerateResult, 'content'>>

/** A thing that a reply must have. If it does not have it, the model is asked once more. */
export interface Wanted {
  /** True for a reply that does not have it. Of a stream it is the end of one that has not settled. */
  isMissing(reply: ReplyEnd): boolean
  /** True for the part of a stream after which the reply is emitted in any case. */
  settles(part: LanguageModelV3StreamPart): boolean
  /** True for a part that is held until the reply has settled. */
  holds(part: LanguageModelV3StreamPart): boolean
  /** The request to a model whose reply does not have it. */
  request(reply: ReplyEnd): string
  /** True for a second reply that is given in place of the first. */
  replaces(second: ReplyEnd): boolean
  /** The end of the reply that is given: of the first if none replaces it, or of the second. */
  noted(finish: FinishPart, given: 'first' | 'second'): FinishPart
}

/** Returns the thing that replies to a request must have; undefined if any reply will do. */
export function wantedOf(reading: Reading): Wanted | undefined {
  return demandsCall(reading) ? demandedCall(reading) : wantedValue(reading)
}

/** Returns the value that replies to a request must have; undefined if they need none. */
export function wantedValue(reading: Reading): Wanted | undefined {
  return reading.format && !demandsCall(reading) ? demandedValue(reading) : undefined
}

function demandedCall(policy: CallPolicy): Wanted {
  // A call that broke off began as well: in a stream it is out already.
  const isMissing = ({ content = [], providerMetadata }: ReplyEnd): boolean =>
    providerMetadata?.anycall?.incomplete === undefined && !content.some(({ type }) => type === 'tool-call')
  return {
    isMissing,
    settles: beginsCall,
    holds: () => true,
    request: () => missingCallRequest(policy),
    replaces: (second) => !isMissing(second),
    noted: (finish, given) => (given === 'first' ? withNotice(finish, missingCallNotice) : finish),
  }
}

function demandedValue({ format, ...policy }: Reading): Wanted {
  const faultsOf = ({ providerMetadata }: ReplyEnd): string[] => {
    const notices = toolCallMetadata(providerMetadata)?.notices ?? []
    return notices.flatMap(({ code, message }) => (formatFaults.has(code) ? [message] : []))
  }
  const asked = { ...policy, ...(format && { responseFormat: format }) }
  return {
    isMissing: (reply) => faultsOf(reply).length > 0,
    settles: (part) => beginsCall(part) || (part.type === 'text-start' && !isRefusalMark(part.providerMetadata)),
    holds: ({ type }) => type === 'text-start' || type === 'text-delta' || type === 'text-end',
    request: (reply) => formatRequest(asked, faultsOf(reply)),
    replaces: () => true,
    noted: (finish, given) => (given === 'second' ? withNotice(finish, sentBackNotice) : finish),
  }
}

function beginsCall({ type }: LanguageModelV3StreamPart): boolean {
  return type === 'tool-input-start' || type === 'tool-call'
}

const sentBackNotice = {
  code: 'response-sent-back',
  message: 'A reply that did not have the requested format was sent back to the model.',
}
