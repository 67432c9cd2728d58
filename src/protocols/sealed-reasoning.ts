import type { AssistantPart, Notice, ReasoningPart, Reply, ReplyEvent, ReplyPart, Turn } from '../conversation/index.ts'
import type { DecodedRequest, Protocol, StreamEncoder, SynchronousProtocol } from './protocol.ts'
import type { Seals } from './seals.ts'

/** The reason why reasoning without words is left out. */
export const foreignReasoning =
  'left out; its encrypted content was not sealed by this gateway, or not with its secret.'

/** Begins a text in an envelope that is not reasoning as it is, but a list of `[text, opaque]`. */
const listMark = '\u0000'

/** Returns the text to seal for reasoning: its words alone if there is nothing else. */
export function envelopeText(parts: readonly ReasoningPart[]): string {
  const text = parts.map((part) => part.text).join('')
  if (parts.every(({ opaque }) => opaque === undefined) && !text.startsWith(listMark)) return text
  return listMark + JSON.stringify(parts.map((part) => [part.text, part.opaque ?? null]))
}

/** Reads a text that was in an envelope. */
export function readEnvelope(text: string): ReasoningPart[] {
  if (!text.startsWith(listMark)) return [{ type: 'reasoning', text }]
  // Nobody else can have written it: an envelope that was changed does not open.
  const list: unknown = JSON.parse(text.slice(listMark.length))
  return (Array.isArray(list) ? list : []).filter(Array.isArray).map(([said, opaque]): ReasoningPart => {
    const part: ReasoningPart = { type: 'reasoning', text: typeof said === 'string' ? said : '' }
    return typeof opaque === 'string' ? { ...part, opaque } : part
  })
}

/**
 * Returns a protocol that seals the opaque form of reasoning in its replies, and opens it in its requests. The protocol itself writes
 * `sealed` where its clients keep it, and reads it from there.
 */
export function withSealedReasoning<Options>(protocol: SynchronousProtocol<Options>, seals: Seals): Protocol<Options> {
  return {
    ...protocol,
    decode: async (body) => {
      const decoded = protocol.decode(body)
      return hasSealed(decoded) ? await opened(decoded, seals) : decoded
    },
    encodeReply: async (reply, context) =>
      protocol.encodeReply(reply.parts.some(isOpaque) ? await sealedReply(reply, seals) : reply, context),
    createEncoder: (context) => sealing(protocol.createEncoder(context), seals),
  }
}

async function sealedReply(reply: Reply, seals: Seals): Promise<Reply> {
  const parts: ReplyPart[] = []
  for (const part of reply.parts) {
    parts.push(isOpaque(part) ? { ...part, sealed: await seals.seal(envelopeText([part])) } : part)
  }
  return { ...reply, parts }
}

function sealing(encoder: ReturnType<SynchronousProtocol['createEncoder']>, seals: Seals): StreamEncoder {
  /** The words of the reasoning that has no envelope yet. */
  let words = ''
  const sealed = async (events: readonly ReplyEvent[]): Promise<ReplyEvent[]> => {
    const all: ReplyEvent[] = []
    for (const event of events) {
      take(event)
      if (!isOpaque(event)) all.push(event)
      else {
        all.push({ ...event, sealed: await seals.seal(envelopeText([{ ...event, text: words }])) })
        words = ''
      }
    }
    return all
  }
  const take = (event: ReplyEvent): void => {
    if (event.type === 'reasoning') words += event.text
    else if (event.type !== 'notice') words = ''
  }
  return {
    start: () => encoder.start(),
    ping: () => encoder.ping(),
    fail: (error) => encoder.fail(error),
    encode(events) {
      if (events.some(isOpaque)) return sealed(events).then((all) => encoder.encode(all))
      for (const event of events) take(event)
      return encoder.encode(events)
    },
  }
}

function isOpaque<Said extends ReplyEvent | ReplyPart>(said: Said): said is Extract<Said, { type: 'reasoning' }> {
  return said.type === 'reasoning' && said.opaque !== undefined
}

function hasSealed({ conversation: { turns } }: Pick<DecodedRequest<unknown>, 'conversation'>): boolean {
  return turns.some((turn) => turn.role === 'assistant' && turn.parts.some(isSealed))
}

/** Opens the reasoning of a request's history. What cannot be opened is left out; its words, if it has any, are used. */
async function opened<Options>(decoded: DecodedRequest<Options>, seals: Seals): Promise<DecodedRequest<Options>> {
  const { turns } = decoded.conversation
  let dropped = 0
  const read: Turn[] = []
  for (const turn of turns) {
    if (turn.role !== 'assistant') {
      read.push(turn)
      continue
    }
    const parts: AssistantPart[] = []
    for (const part of turn.parts) {
      if (!isSealed(part)) parts.push(part)
      else {
        const { envelopes, ...plain } = part
        const inside = await openAll(envelopes, seals)
        if (inside) parts.push(...inside)
        else if (plain.text !== '') parts.push(plain)
        else dropped++
      }
    }
    read.push({ ...turn, parts })
  }
  const notices: Notice[] = dropped === 0 ? [] : [droppedNotice(dropped)]
  return {
    ...decoded,
    conversation: { ...decoded.conversation, turns: read },
    notices: [...decoded.notices, ...notices],
  }
}

type SealedPart = ReasoningPart & { envelopes: readonly string[] }

function isSealed(part: AssistantPart): part is SealedPart {
  return part.type === 'reasoning' && part.envelopes !== undefined
}

/** Opens envelopes; undefined if one of them does not open. */
async function openAll(envelopes: readonly string[], seals: Seals): Promise<ReasoningPart[] | undefined> {
  const parts: ReasoningPart[] = []
  for (const envelope of envelopes) {
    const text = await seals.open(envelope)
    if (text === undefined) return undefined
    parts.push(...readEnvelope(text))
  }
  return parts
}

function droppedNotice(count: number): Notice {
  return {
    code: 'reasoning-dropped',
    message: `messages: ${count === 1 ? 'reasoning' : `reasoning in ${count} places`} ${foreignReasoning}`,
  }
}
