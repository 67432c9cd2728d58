import type {
  LanguageModelV3FilePart,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3TextPart,
  LanguageModelV3ToolResultPart,
} from '@ai-sdk/provider'
import type { Tool } from '../../conversation/index.ts'
import type { Dialect, PromptContext } from '../../dialects/index.ts'
import { writeAssistant } from './assistant-message.ts'
import { type ResultMedia, readResult } from './tool-result.ts'

/** Options for writing a prompt. */
export interface PromptOptions {
  dialect: Dialect
  promptContext: PromptContext
  tools: readonly Tool[]
  /** Instructions that follow the system message; may be empty. */
  instructions: string
  resultMedia: ResultMedia
}

export interface WrittenPrompt {
  prompt: LanguageModelV3Prompt
  /** Sentences about parts that could not be sent to the model. */
  leftOut: string[]
}

type SystemMessage = Extract<LanguageModelV3Message, { role: 'system' }>
type UserMessage = Extract<LanguageModelV3Message, { role: 'user' }>
type ToolMessage = Extract<LanguageModelV3Message, { role: 'tool' }>
type UserPart = LanguageModelV3TextPart | LanguageModelV3FilePart

/** True for a conversation in which the client's tools were called before. */
export function holdsCalls(prompt: LanguageModelV3Prompt): boolean {
  return prompt.some(({ role, content }) => {
    if (role === 'tool') return content.some((part) => part.type === 'tool-result')
    return role === 'assistant' && content.some((part) => part.type === 'tool-call' && !part.providerExecuted)
  })
}

/**
 * A prompt for a model that only takes text: calls and results are in the messages' text as the dialect writes them,
 * text of others has the dialect's marks broken. Nothing in it depends on anything but the conversation, so the prompt of
 * a turn is the beginning of the next turn's.
 */
export function writeTextPrompt(prompt: LanguageModelV3Prompt, options: PromptOptions): WrittenPrompt {
  const { dialect, promptContext, tools } = options
  const messages: LanguageModelV3Message[] = []
  const leftOut: string[] = []
  for (const message of prompt) {
    switch (message.role) {
      case 'system':
        messages.push({ ...message, content: dialect.neutralise(message.content, promptContext) })
        break
      case 'user':
        addUser(messages, { ...message, content: message.content.map((part) => quoted(part, options)) })
        break
      case 'assistant': {
        const written = writeAssistant(message, { dialect, promptContext, tools })
        if (written.content.length > 0) messages.push(written)
        break
      }
      case 'tool':
        addResults(messages, message, options, leftOut)
    }
  }
  return { prompt: withInstructions(messages, options.instructions), leftOut }
}

function quoted(part: UserPart, { dialect, promptContext }: PromptOptions): UserPart {
  return part.type === 'text' ? { ...part, text: dialect.neutralise(part.text, promptContext) } : part
}

/** Results of the client's tools are in a user message. Answers about the provider's own tools are unchanged. */
function addResults(
  messages: LanguageModelV3Message[],
  message: ToolMessage,
  options: PromptOptions,
  leftOut: string[],
): void {
  const results = message.content.filter((part) => part.type === 'tool-result')
  const approvals = message.content.filter((part) => part.type === 'tool-approval-response')
  if (approvals.length > 0) messages.push({ ...message, content: approvals })
  if (results.length === 0) return
  const content = results.flatMap((part) => writeResult(part, options, leftOut))
  const own = message.providerOptions && { providerOptions: message.providerOptions }
  addUser(messages, { role: 'user', content, ...own })
}

function writeResult(
  part: LanguageModelV3ToolResultPart,
  { dialect, promptContext, resultMedia }: PromptOptions,
  leftOut: string[],
): UserPart[] {
  const read = readResult(part, resultMedia)
  leftOut.push(...read.leftOut)
  const own = part.providerOptions && { providerOptions: part.providerOptions }
  return [{ type: 'text', text: dialect.renderResult(read.result, promptContext), ...own }, ...read.files]
}

/** Adds a user message; one after another continues it, since many chat templates want the roles to take turns. */
function addUser(messages: LanguageModelV3Message[], message: UserMessage): void {
  const last = messages.at(-1)
  const before = last?.role === 'user' ? last : undefined
  const content = [...(before?.content ?? [])]
  for (const part of message.content) addPart(content, part)
  const providerOptions = { ...before?.providerOptions, ...message.providerOptions }
  const own = Object.keys(providerOptions).length > 0 && { providerOptions }
  if (before) messages.pop()
  messages.push({ role: 'user', content, ...own })
}

/**
 * Adjacent texts are joined by line breaks, since servers that flatten a message's parts join them without a separator.
 * Parts with separate options stay apart.
 */
function addPart(content: UserPart[], part: UserPart): void {
  const last = content.at(-1)
  if (last?.type === 'text' && part.type === 'text' && !last.providerOptions && !part.providerOptions) {
    content[content.length - 1] = { type: 'text', text: `${last.text}\n${part.text}` }
  } else {
    content.push(part)
  }
}

/** Adds the instructions after the system text that begins the prompt: many chat templates take one system message. */
function withInstructions(messages: LanguageModelV3Message[], instructions: string): LanguageModelV3Prompt {
  if (instructions === '') return messages
  const first = messages.findIndex(({ role }) => role !== 'system')
  const end = first < 0 ? messages.length : first
  const last = messages[end - 1]
  if (last?.role !== 'system') return [{ role: 'system', content: instructions }, ...messages]
  const content = [last.content, instructions].filter((text) => text !== '').join('\n\n')
  const system: SystemMessage = { ...last, content }
  return [...messages.slice(0, end - 1), system, ...messages.slice(end)]
}
