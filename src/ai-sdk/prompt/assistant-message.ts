import type { LanguageModelV3Message, LanguageModelV3ToolCallPart, SharedV3ProviderOptions } from '@ai-sdk/provider'
import type { AssistantPart, CallPart, Tool } from '../../conversation/index.ts'
import type { Dialect, PromptContext } from '../../dialects/index.ts'

type AssistantMessage = Extract<LanguageModelV3Message, { role: 'assistant' }>
type Part = AssistantMessage['content'][number]

interface Writing {
  dialect: Dialect
  promptContext: PromptContext
  tools: readonly Tool[]
}

/**
 * An assistant message with its calls in its text, as the dialect writes them. Reasoning stays a separate part, before
 * the text that it led to: the provider knows best how its model accepts it. So do files and the provider's own calls.
 */
export function writeAssistant(message: AssistantMessage, writing: Writing): AssistantMessage {
  const content: Part[] = []
  let run: Part[] = []
  for (const part of message.content) {
    if (!isNative(part)) {
      run.push(part)
      continue
    }
    content.push(...writeRun(run, writing), part)
    run = []
  }
  return { ...message, content: [...content, ...writeRun(run, writing)] }
}

/**
 * True for any part except texts, reasoning and the client's calls: files, the provider's own calls, and parts of newer
 * versions of the SDK.
 */
function isNative(part: Part): boolean {
  if (part.type === 'tool-call') return !!part.providerExecuted
  return part.type !== 'text' && part.type !== 'reasoning'
}

/** Text and calls that follow each other: one text, since line breaks between them are the dialect's. */
function writeRun(run: readonly Part[], { dialect, promptContext, tools }: Writing): Part[] {
  const parts: AssistantPart[] = []
  let providerOptions: SharedV3ProviderOptions | undefined
  for (const part of run) {
    if (part.type === 'text') parts.push({ type: 'text', text: part.text })
    else if (part.type === 'tool-call') parts.push(callOf(part))
    else continue
    // The options of call parts concern native calls, of which there are none.
    if (part.type === 'text' && part.providerOptions) providerOptions = { ...providerOptions, ...part.providerOptions }
  }
  const text = dialect.renderAssistant(parts, promptContext, tools)
  const reasoning = run.filter((part) => part.type === 'reasoning')
  if (text === '') return reasoning
  return [...reasoning, { type: 'text', text, ...(providerOptions && { providerOptions }) }]
}

function callOf({ toolCallId, toolName, input }: LanguageModelV3ToolCallPart): CallPart {
  // The input of a call that could not be parsed is kept by the SDK as the text that it was.
  const json = typeof input === 'string' ? input : JSON.stringify(input ?? {})
  return { type: 'call', id: toolCallId, name: toolName, arguments: json }
}
