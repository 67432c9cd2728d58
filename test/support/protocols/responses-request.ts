import type {
  AssistantPart,
  Conversation,
  ImagePart,
  JsonObject,
  ResponseFormat,
  TextPart,
  Turn,
} from '../../../src/conversation/index.ts'

/** Writes a conversation as a request of the Responses API, as its clients would. */
export function writeResponsesRequest(conversation: Conversation): JsonObject {
  const { model, system, turns, tools, toolChoice, parallelCalls, maxTokens, sampling, responseFormat } = conversation
  return {
    model,
    input: turns.flatMap(writeTurn),
    ...(system !== '' && { instructions: system }),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, schema }) => ({
        type: 'function',
        name,
        description,
        parameters: schema,
      })),
      tool_choice: toolChoice.type === 'named' ? { type: 'function', name: toolChoice.name } : toolChoice.type,
      parallel_tool_calls: parallelCalls,
    }),
    ...(maxTokens !== undefined && { max_output_tokens: maxTokens }),
    ...(sampling.temperature !== undefined && { temperature: sampling.temperature }),
    ...(responseFormat && { text: { format: writeFormat(responseFormat) } }),
  }
}

function writeFormat(format: ResponseFormat): JsonObject {
  return format.type === 'json'
    ? { type: 'json_object' }
    : { type: 'json_schema', name: 'reply', schema: format.schema }
}

function writeTurn(turn: Turn): JsonObject[] {
  if (turn.role === 'system') return [{ role: 'developer', content: turn.text }]
  if (turn.role === 'user') {
    return turn.parts.map((part) =>
      part.type === 'result'
        ? { type: 'function_call_output', call_id: part.callId, output: part.content.map(writeShown) }
        : { role: 'user', content: [writeShown(part)] },
    )
  }
  return turn.parts.map(writePart)
}

function writePart(part: AssistantPart): JsonObject {
  switch (part.type) {
    case 'text':
      return { role: 'assistant', content: [{ type: 'output_text', text: part.text }] }
    case 'reasoning':
      return { type: 'reasoning', id: 'rs_1', summary: [], content: [{ type: 'reasoning_text', text: part.text }] }
    case 'call':
      return { type: 'function_call', call_id: part.id, name: part.name, arguments: part.arguments }
  }
}

function writeShown(part: TextPart | ImagePart): JsonObject {
  return part.type === 'text' ? { type: 'input_text', text: part.text } : { type: 'input_image', image_url: part.url }
}
