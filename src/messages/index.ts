export {
  fromAnthropic,
  fromOpenAI,
  type HistoryInput,
  type HistoryResult,
  safeFromAnthropic,
  safeFromOpenAI,
} from './from-history.ts'
export { HistoryError } from './history-error.ts'
export { toAnthropic, toOpenAI } from './to-history.ts'
export { type AnyReply, toAnthropicMessage, toAssistantTurn, toOpenAIMessage } from './to-message.ts'
