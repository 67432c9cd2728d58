import {
  type FinishReason,
  isRefusal,
  type JsonValue,
  type Reply,
  type ReplyCall,
  type ReplyPart,
} from '../../conversation/index.ts'
import { begunParts } from '../begun-calls.ts'
import { CustomInput } from '../openai/custom-input.ts'
import { charactersOf } from '../openai/estimate.ts'
import type { ReplyContext } from '../protocol.ts'
import type { OpenAIChatOptions } from './decode.ts'
import { encodeUsage } from './usage.ts'

const finishReasons: Readonly<Record<FinishReason, string>> = {
  stop: 'stop',
  calls: 'tool_calls',
  length: 'length',
  'stop-sequence': 'stop',
  'content-filter': 'content_filter',
}

/** Encodes the reason why a reply ended. */
export function finishReasonOf(reason: FinishReason, { functionCall }: OpenAIChatOptions): string {
  return functionCall && reason === 'calls' ? 'function_call' : finishReasons[reason]
}

/** Encodes a whole reply as a `chat.completion`. */
export function encodeReply(reply: Reply, context: ReplyContext<OpenAIChatOptions>): JsonValue {
  const parts = begunParts(reply.parts)
  return {
    id: context.id,
    object: 'chat.completion',
    created: context.created,
    model: context.model,
    choices: [
      {
        index: 0,
        message: encodeAssistant(parts, context.options),
        logprobs: null,
        finish_reason: finishReasonOf(reply.finish.reason, context.options),
      },
    ],
    usage: encodeUsage(
      reply.finish.usage,
      context,
      parts.reduce((sum, part) => sum + charactersOf(part), 0),
    ),
  }
}

// Aliases and no interfaces: bodies are JSON objects, to which TypeScript assigns aliases alone.

/** The assistant's message of a Chat Completions reply. */
export type AssistantMessage = {
  role: 'assistant'
  content: string | null
  refusal: string | null
  reasoning_content?: string
  reasoning_details?: ReasoningDetail[]
  tool_calls?: EncodedCall[]
  function_call?: EncodedFunction
}

/** Encrypted reasoning, as OpenRouter's clients keep it and send it back. */
export type ReasoningDetail = { type: 'reasoning.encrypted'; data: string; format: string; index: number }

/** Returns the detail that holds an envelope. */
export function reasoningDetail(data: string, index: number): ReasoningDetail {
  return { type: 'reasoning.encrypted', data, format: 'anycall-v1', index }
}

type EncodedFunction = { name: string; arguments: string }

type EncodedCall =
  | { id: string; type: 'function'; function: EncodedFunction }
  | { id: string; type: 'custom'; custom: { name: string; input: string } }

/**
 * Encodes the assistant message. It has one field for each kind of part, so texts before and after calls are joined.
 * The arguments of a call that broke off stay open; the finish reason reports that the reply was cut.
 */
export function encodeAssistant(
  parts: readonly ReplyPart[],
  { functionCall, customTools }: Pick<OpenAIChatOptions, 'functionCall' | 'customTools'>,
): AssistantMessage {
  let content = ''
  let refusal = ''
  let reasoning = ''
  const details: ReasoningDetail[] = []
  const calls: ReplyCall[] = []
  for (const part of parts) {
    if (part.type === 'text' && isRefusal(part)) refusal += part.text
    else if (part.type === 'text') content += part.text
    else if (part.type === 'reasoning') {
      reasoning += part.text
      if (part.sealed !== undefined) details.push(reasoningDetail(part.sealed, details.length))
    } else calls.push(part)
  }
  const [first] = calls
  return {
    role: 'assistant',
    content: content === '' && (first || refusal !== '') ? null : content,
    refusal: refusal === '' ? null : refusal,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(details.length > 0 && { reasoning_details: details }),
    ...(first &&
      (functionCall
        ? { function_call: encodeFunction(first) }
        : { tool_calls: calls.map((call) => encodeCall(call, customTools)) })),
  }
}

function encodeCall(call: ReplyCall, customTools: ReadonlySet<string>): EncodedCall {
  const { id, name } = call
  if (!customTools.has(name)) return { id, type: 'function', function: encodeFunction(call) }
  return { id, type: 'custom', custom: { name, input: new CustomInput().push(call.arguments) } }
}

function encodeFunction(call: ReplyCall): EncodedFunction {
  return { name: call.name, arguments: call.arguments }
}
