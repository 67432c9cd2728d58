import type {
  AssistantPart,
  Conversation,
  ImagePart,
  JsonObject,
  ResultPart,
  TextPart,
  Turn,
} from '../../../src/conversation/index.ts'

/** Writes a conversation as a request of the Gemini API, as its clients would. */
export function writeGeminiRequest(conversation: Conversation): JsonObject {
  const { system, turns, tools, toolChoice, maxTokens, stopSequences, sampling, responseFormat } = conversation
  const config: JsonObject = {
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
    ...(stopSequences.length > 0 && { stopSequences }),
    ...(sampling.temperature !== undefined && { temperature: sampling.temperature }),
    ...(responseFormat && { responseMimeType: 'application/json' }),
    ...(responseFormat?.type === 'json-schema' && { responseJsonSchema: responseFormat.schema }),
  }
  return {
    contents: turns.map(writeTurn),
    ...(system !== '' && { systemInstruction: { parts: [{ text: system }] } }),
    ...(tools.length > 0 && {
      tools: [
        {
          functionDeclarations: tools.map(({ name, description, schema }) => ({
            name,
            description,
            parametersJsonSchema: schema,
          })),
        },
      ],
      toolConfig: { functionCallingConfig: writeChoice(toolChoice) },
    }),
    ...(Object.keys(config).length > 0 && { generationConfig: config }),
  }
}

function writeChoice(choice: Conversation['toolChoice']): JsonObject {
  if (choice.type === 'named') return { mode: 'ANY', allowedFunctionNames: [choice.name] }
  return { mode: { auto: 'AUTO', none: 'NONE', required: 'ANY' }[choice.type] }
}

function writeTurn(turn: Turn): JsonObject {
  if (turn.role === 'system') throw new Error('the API has no system text between turns')
  if (turn.role === 'assistant') return { role: 'model', parts: turn.parts.map(writeModelPart) }
  return {
    role: 'user',
    parts: turn.parts.map((part) => (part.type === 'result' ? writeResult(part) : writeShown(part))),
  }
}

function writeModelPart(part: AssistantPart): JsonObject {
  switch (part.type) {
    case 'text':
      return { text: part.text }
    case 'reasoning':
      return { text: part.text, thought: true }
    case 'call':
      return { functionCall: { id: part.id, name: part.name, args: JSON.parse(part.arguments) } }
  }
}

function writeResult({ callId, name, content, isError }: ResultPart): JsonObject {
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const images = content.filter((part) => part.type === 'image').map(writeShown)
  const response = isError ? { error: text } : { output: text }
  return { functionResponse: { id: callId, name, response, ...(images.length > 0 && { parts: images }) } }
}

function writeShown(part: TextPart | ImagePart): JsonObject {
  if (part.type === 'text') return { text: part.text }
  const [, mimeType = '', data = ''] = /^data:([^;]+);base64,(.*)$/.exec(part.url) ?? []
  return { inlineData: { mimeType, data } }
}
