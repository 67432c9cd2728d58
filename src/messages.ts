// `anycall/messages`: conversations and replies as messages of OpenAI's and Anthropic's APIs, and back.
export type {
  AssistantPart,
  AssistantTurn,
  Conversation,
  ConversationInput,
  JsonObject,
  JsonValue,
  Notice,
  Reply,
  Tool,
  Turn,
} from './conversation/index.ts'
export {
  type AnyReply,
  fromAnthropic,
  fromOpenAI,
  HistoryError,
  type HistoryInput,
  type HistoryResult,
  safeFromAnthropic,
  safeFromOpenAI,
  toAnthropic,
  toAnthropicMessage,
  toAssistantTurn,
  toOpenAI,
  toOpenAIMessage,
} from './messages/index.ts'
