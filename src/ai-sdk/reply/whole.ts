import type {
  LanguageModelV3Content,
  LanguageModelV3GenerateResult,
  LanguageModelV3StreamPart,
  LanguageModelV3Text,
} from '@ai-sdk/provider'
import { ReplyParts } from './parts.ts'
import type { ReplyReader } from './reading.ts'

type Reasoning = Extract<LanguageModelV3Content, { type: 'reasoning' }>

/** A whole reply, read as the same reply streamed would be: it becomes a stream's parts, and they are collected again. */
export function readWhole(result: LanguageModelV3GenerateResult, reader: ReplyReader): LanguageModelV3GenerateResult {
  const { finishReason, usage, providerMetadata } = result
  const known = providerMetadata && { providerMetadata }
  const parts = new ReplyParts(reader)
  const collector = new Collector()
  for (const [index, content] of result.content.entries()) {
    for (const part of partsOf(content, `content-${index}`)) collector.push(parts.push(part))
  }
  collector.push(parts.push({ type: 'finish', finishReason, usage, ...known }))
  const { content, finish } = collector
  const metadata = finish?.providerMetadata && { providerMetadata: finish.providerMetadata }
  return { ...result, content, ...(finish && { finishReason: finish.finishReason }), ...metadata }
}

function partsOf(content: LanguageModelV3Content, id: string): LanguageModelV3StreamPart[] {
  if (content.type !== 'text' && content.type !== 'reasoning') return [content]
  const { type, text, providerMetadata } = content
  return [
    { type: `${type}-start`, id, ...(providerMetadata && { providerMetadata }) },
    { type: `${type}-delta`, id, delta: text },
    { type: `${type}-end`, id },
  ]
}

/** Content that is one part in a stream as well. The last two are those of models of specification v4. */
const wholeContent: ReadonlySet<string> = new Set([
  'tool-call',
  'tool-result',
  'tool-approval-request',
  'file',
  'source',
  'reasoning-file',
  'custom',
])

function isContent(
  part: LanguageModelV3StreamPart,
): part is Extract<LanguageModelV3StreamPart, LanguageModelV3Content> {
  return wholeContent.has(part.type)
}

/** Collects the parts of a stream as the content of a whole reply. */
class Collector {
  readonly content: LanguageModelV3Content[] = []
  finish: Extract<LanguageModelV3StreamPart, { type: 'finish' }> | undefined
  readonly #open = new Map<string, LanguageModelV3Text | Reasoning>()

  push(parts: readonly LanguageModelV3StreamPart[]): void {
    for (const part of parts) this.#add(part)
  }

  #add(part: LanguageModelV3StreamPart): void {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start': {
        const type = part.type === 'text-start' ? 'text' : 'reasoning'
        const known = part.providerMetadata && { providerMetadata: part.providerMetadata }
        const block = { type, text: '', ...known } as const
        this.#open.set(part.id, block)
        this.content.push(block)
        return
      }
      case 'text-delta':
      case 'reasoning-delta': {
        const block = this.#open.get(part.id)
        if (block) block.text += part.delta
        return
      }
      case 'finish':
        this.finish = part
        return
      default:
        if (isContent(part)) this.content.push(part)
    }
  }
}
