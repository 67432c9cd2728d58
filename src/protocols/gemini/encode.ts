import type { FinishReason, JsonObject, ReasoningPart, Reply, SaidReasoning } from '../../conversation/index.ts'
import type { ReplyContext } from '../protocol.ts'
import { envelopeText } from '../sealed-reasoning.ts'
import { charactersOf, hasBrokenCall, type WholePart, wholeParts } from '../whole-calls.ts'
import type { GeminiOptions } from './decode.ts'
import { encodeUsage } from './usage.ts'

export type GeminiContext = ReplyContext<GeminiOptions>

const finishReasons: Readonly<Record<FinishReason, string>> = {
  stop: 'STOP',
  calls: 'STOP',
  length: 'MAX_TOKENS',
  'stop-sequence': 'STOP',
  'content-filter': 'SAFETY',
}

/** Encodes the reason why a reply ended. A call that broke off for no other reason is the reason. */
export function finishReasonOf(reason: FinishReason, isBroken: boolean): string {
  return isBroken && (reason === 'stop' || reason === 'calls') ? 'MALFORMED_FUNCTION_CALL' : finishReasons[reason]
}

/** Encodes a whole reply as a `GenerateContentResponse`. */
export async function encodeReply(reply: Reply, context: GeminiContext): Promise<JsonObject> {
  const parts: JsonObject[] = []
  let characters = 0
  const thoughts = new Thoughts(context.options)
  for (const part of wholeParts(reply)) {
    characters += charactersOf(part)
    if (part.type === 'reasoning') {
      thoughts.add(part)
      if (showsThoughts(context) && part.text !== '') parts.push(encodePart(part))
    } else parts.push({ ...encodePart(part), ...(await thoughts.signature()) })
  }
  if (thoughts.isOpen) parts.push({ text: '', ...(await thoughts.signature()) })
  return {
    candidates: [
      {
        content: { parts, role: 'model' },
        finishReason: finishReasonOf(reply.finish.reason, hasBrokenCall(reply)),
        index: 0,
      },
    ],
    usageMetadata: encodeUsage(reply.finish.usage, context, characters),
    modelVersion: context.model,
    responseId: context.id,
  }
}

/** True if the reply has its thoughts as parts. */
export function showsThoughts({ options, showsReasoning }: GeminiContext): boolean {
  return options.includeThoughts || showsReasoning === true
}

/** Encodes a part without its signature. */
export function encodePart(part: WholePart): JsonObject {
  switch (part.type) {
    case 'text':
      return { text: part.text }
    case 'reasoning':
      return { text: part.text, thought: true }
    case 'call':
      return { functionCall: { id: part.id, name: part.name, args: part.arguments } }
  }
}

/** The reasoning that no part has a signature of yet. The first part after it gets that, as in Google's own replies. */
export class Thoughts {
  readonly #seal: GeminiOptions['seal']
  readonly #parts: ReasoningPart[] = []

  constructor({ seal }: Pick<GeminiOptions, 'seal'>) {
    this.#seal = seal
  }

  /** True if the next part gets a signature. */
  get isOpen(): boolean {
    return this.#parts.length > 0
  }

  add({ text, opaque }: SaidReasoning): void {
    const last = this.#parts.at(-1)
    const isOpen = last !== undefined && last.opaque === undefined
    const words = isOpen ? last.text + text : text
    if (isOpen) this.#parts.pop()
    this.#parts.push({ type: 'reasoning', text: words, ...(opaque !== undefined && { opaque }) })
  }

  /** Returns the member with the signature, if there is reasoning to be sealed. */
  async signature(): Promise<{ thoughtSignature?: string }> {
    if (!this.isOpen) return {}
    return { thoughtSignature: await this.#seal(envelopeText(this.#parts.splice(0))) }
  }
}
