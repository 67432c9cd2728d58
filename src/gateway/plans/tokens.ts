import {
  type AssistantPart,
  type Conversation,
  OncePerList,
  type Tool,
  toolsText,
  type UserPart,
} from '../../conversation/index.ts'
import type { ChatMessage } from '../../upstreams/index.ts'

/** English prose and code have about four characters a token; other scripts come close to a token and a half a character. */
const asciiPerToken = 4
const otherPerToken = 1.5
/** What a picture of usual size costs with the models that say so. */
const tokensPerImage = 1000
/** The marks of role and end around each message. */
const tokensPerMessage = 4

/** A guess at a prompt's tokens, for where no tokenizer can be asked: a little high rather than low. */
export function estimateTokens(messages: readonly ChatMessage[]): number {
  let tokens = 0
  for (const message of messages) {
    tokens += tokensPerMessage + estimateTextTokens(message.reasoning ?? '')
    for (const part of message.parts) tokens += part.type === 'text' ? estimateTextTokens(part.text) : tokensPerImage
  }
  return Math.ceil(tokens)
}

/** The same for a conversation whose prompt the upstream writes. */
export function estimateConversation({ system, turns, tools }: Conversation): number {
  let tokens = tokensPerMessage + estimateTextTokens(system) + estimateTools(tools)
  for (const turn of turns) {
    tokens += tokensPerMessage
    if (turn.role === 'system') tokens += estimateTextTokens(turn.text)
    else for (const part of turn.parts) tokens += estimatePart(part)
  }
  return Math.ceil(tokens)
}

const tokensOfTools = new OncePerList<number>()

function estimateTools(tools: readonly Tool[]): number {
  return tokensOfTools.of(tools, () => tokensPerMessage * tools.length + estimateTextTokens(toolsText(tools)))
}

function estimatePart(part: UserPart | AssistantPart): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return estimateTextTokens(part.text)
    case 'image':
      return tokensPerImage
    case 'call':
      return tokensPerMessage + estimateTextTokens(part.name) + estimateTextTokens(part.arguments)
    case 'result':
      return part.content.reduce((tokens, content) => tokens + estimatePart(content), tokensPerMessage)
  }
}

/** A guess at a text's tokens; not rounded. */
export function estimateTextTokens(text: string): number {
  let other = 0
  // Native search finds the stretches that are not ASCII in half the time that it takes to look at each character.
  for (const [stretch] of text.matchAll(/[^\0-\x7f]+/g)) other += stretch.length
  return (text.length - other) / asciiPerToken + other / otherPerToken
}
