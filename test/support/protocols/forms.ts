import {
  type Conversation,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Reply,
  type ReplyEvent,
} from '../../../src/conversation/index.ts'
import { jsonText } from '../../../src/json/index.ts'
import { anthropicMessages } from '../../../src/protocols/anthropic/index.ts'
import { gemini } from '../../../src/protocols/gemini/index.ts'
import { createSeals, type Protocol } from '../../../src/protocols/index.ts'
import { ollama } from '../../../src/protocols/ollama/index.ts'
import { openaiChat } from '../../../src/protocols/openai-chat/index.ts'
import { openaiResponses } from '../../../src/protocols/openai-responses/index.ts'
import { encodeConversation, encodeTools, encodeTurns } from '../../../src/upstreams/index.ts'
import { encodeChatBody } from '../../../src/upstreams/ollama/request.ts'
import { readAnthropicStream } from '../../clients/anthropic-stream.ts'
import { readOpenAIStream } from '../../clients/openai-stream.ts'
import { readGeminiReply, readGeminiStream } from './gemini-reply.ts'
import { writeGeminiRequest } from './gemini-request.ts'
import { readOllamaReply, readOllamaStream } from './ollama-reply.ts'
import type { ReadReply } from './read-reply.ts'
import { writeResponsesRequest } from './responses-request.ts'
import { itemsOfDeltas, readResponseEvents } from './responses-stream.ts'

/** A protocol with a writer of its requests and strict readers of its replies. */
export interface ProtocolForm {
  name: string
  /** The path of a request for a whole reply, to a model that Gemini's clients name in it. */
  path: string
  /** The properties of a conversation that its requests, as they are written here, cannot express. */
  lacks: readonly ('is-error' | 'system-turn' | 'serial-calls' | 'stop-sequences' | 'tool-choice')[]
  /** Writes the request for a conversation, as a client would. */
  write(conversation: Conversation): JsonObject
  /** Reads the body of a whole reply. */
  readWhole(body: JsonValue): ReadReply
  /** Reads the text of a stream. */
  readStream(text: string): ReadReply
  /** Decodes the request for this conversation. */
  decodeWritten(conversation: Conversation): Promise<{ conversation: Conversation; notices: string[] }>
  /** Encodes a reply as a stream, and reads it. `conversation` is the one that was asked. */
  throughStream(batches: readonly ReplyEvent[][], conversation: Conversation): Promise<ReadReply>
  throughWhole(reply: Reply, conversation: Conversation): Promise<ReadReply>
}

interface Reading {
  write(conversation: Conversation): JsonObject
  readStream(text: string): ReadReply
  readWhole(body: JsonValue): ReadReply
}

function formOf<Options>(
  protocol: Protocol<Options>,
  path: string,
  lacks: ProtocolForm['lacks'],
  { write, readStream, readWhole }: Reading,
): ProtocolForm {
  const contextOf = async (conversation: Conversation) => ({
    id: `${protocol.ids.reply}1`,
    model: 'm',
    requestId: 'req_1',
    created: 1_700_000_000,
    estimateInputTokens: () => 12,
    options: (await protocol.decode(write(conversation))).options,
  })
  return {
    name: protocol.name,
    path,
    lacks,
    write,
    readWhole,
    readStream,
    async decodeWritten(conversation) {
      const decoded = await protocol.decode(write(conversation))
      return { conversation: decoded.conversation, notices: decoded.notices.map(({ code }) => code) }
    },
    async throughStream(batches, conversation) {
      const encoder = protocol.createEncoder(await contextOf(conversation))
      let text = encoder.start()
      for (const batch of batches) text += await encoder.encode(batch)
      return readStream(text)
    },
    async throughWhole(reply, conversation) {
      return readWhole(parsed(jsonText(await protocol.encodeReply(reply, await contextOf(conversation)))))
    },
  }
}

function parsed(json: string): JsonValue {
  return json === '' ? {} : JSON.parse(json)
}

function objectsIn(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

const anthropicForm = formOf(anthropicMessages, '/v1/messages', ['system-turn'], {
  write: (conversation) => ({
    model: conversation.model,
    ...encodeTurns(conversation, { withReasoning: true }),
    ...encodeTools(conversation, new Set<never>()),
    thinking: { type: 'enabled', budget_tokens: 1024 },
    ...(conversation.maxTokens !== undefined && { max_tokens: conversation.maxTokens }),
    ...(conversation.stopSequences.length > 0 && { stop_sequences: conversation.stopSequences }),
    ...conversation.sampling,
    ...(conversation.responseFormat?.type === 'json-schema' && {
      output_config: { format: { type: 'json_schema', schema: conversation.responseFormat.schema } },
    }),
  }),
  readStream(text) {
    const { blocks, stop } = readAnthropicStream(text)
    return {
      text: blocks.map((block) => (block.type === 'text' ? block.text : '')).join(''),
      reasoning: blocks.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
      calls: blocks.flatMap((block) =>
        block.type === 'tool_use' ? [{ id: block.id, name: block.name, input: parsed(block.json) }] : [],
      ),
      finish: stop?.reason,
    }
  },
  readWhole(body) {
    const { content, stop_reason: finish }: JsonObject = isJsonObject(body) ? body : {}
    const blocks = objectsIn(content)
    return {
      text: blocks.map((block) => block.text ?? '').join(''),
      reasoning: blocks.map((block) => block.thinking ?? '').join(''),
      calls: blocks
        .filter(({ type }) => type === 'tool_use')
        .map(({ id, name, input }) => ({ id: String(id), name: String(name), input })),
      finish: String(finish),
    }
  },
})

const chatForm = formOf(openaiChat, '/v1/chat/completions', ['is-error', 'system-turn'], {
  write: (conversation) => ({
    model: conversation.model,
    ...encodeConversation(conversation, 'reasoning_content'),
    ...(conversation.maxTokens !== undefined && { max_tokens: conversation.maxTokens }),
    ...(conversation.stopSequences.length > 0 && { stop: conversation.stopSequences }),
    ...conversation.sampling,
    ...(conversation.responseFormat?.type === 'json-schema' && {
      response_format: { type: 'json_schema', json_schema: { schema: conversation.responseFormat.schema } },
    }),
  }),
  readStream(text) {
    const { content, reasoning, calls, finishReason } = readOpenAIStream(text)
    const read = calls.map(({ id, name, arguments: json }) => ({ id, name, input: parsed(json) }))
    return { text: content, reasoning, calls: read, finish: finishReason }
  },
  readWhole(body) {
    const [choice] = objectsIn(isJsonObject(body) ? body.choices : [])
    const message: JsonObject = isJsonObject(choice?.message) ? choice.message : {}
    return {
      text: String(message.content ?? ''),
      reasoning: String(message.reasoning_content ?? ''),
      calls: objectsIn(message.tool_calls).map(({ id, function: called }) => {
        const { name, arguments: json }: JsonObject = isJsonObject(called) ? called : {}
        return { id: String(id), name: String(name), input: parsed(String(json)) }
      }),
      finish: String(choice?.finish_reason),
    }
  },
})

function readItems(items: readonly JsonObject[], finish: string): ReadReply {
  const textsOf = (type: string): string =>
    items
      .filter((item) => item.type === type)
      .flatMap(({ content }) => objectsIn(content).map(({ text }) => text))
      .join('')
  return {
    text: textsOf('message'),
    reasoning: textsOf('reasoning'),
    calls: items
      .filter(({ type }) => type === 'function_call')
      .map((item) => ({ id: String(item.call_id), name: String(item.name), input: parsed(String(item.arguments)) })),
    finish,
  }
}

const responsesForm = formOf(
  openaiResponses({ seals: createSeals('secret') }),
  '/v1/responses',
  ['is-error', 'stop-sequences'],
  {
    write: writeResponsesRequest,
    readStream(text) {
      const events = readResponseEvents(text)
      return readItems(itemsOfDeltas(events), String(events.at(-1)?.type).replace('response.', ''))
    },
    readWhole(body) {
      const { output, status }: JsonObject = isJsonObject(body) ? body : {}
      return readItems(objectsIn(output), String(status))
    },
  },
)

const geminiTarget = { model: 'm', stream: 'events', seals: createSeals('secret') } as const
const geminiForm = formOf(gemini(geminiTarget), '/v1beta/models/m:generateContent', ['system-turn', 'serial-calls'], {
  write(conversation) {
    const { generationConfig, ...request } = writeGeminiRequest(conversation)
    const config: JsonObject = isJsonObject(generationConfig) ? generationConfig : {}
    return { ...request, generationConfig: { ...config, thinkingConfig: { includeThoughts: true } } }
  },
  readStream: readGeminiStream,
  readWhole: (body) => readGeminiReply([body]),
})

const ollamaForm = formOf(ollama('chat'), '/api/chat', ['is-error', 'system-turn', 'serial-calls', 'tool-choice'], {
  write: ({ responseFormat, ...conversation }) => {
    const { model, sampling, maxTokens, stopSequences } = conversation
    const limits = maxTokens === undefined ? {} : { maxTokens }
    const request = { type: 'tools', model, conversation, sampling, ...limits } as const
    const { options, ...body } = encodeChatBody(request, { thinking: 'levels' })
    const settings: JsonObject = isJsonObject(options) ? options : {}
    return {
      ...body,
      options: { ...settings, ...(stopSequences.length > 0 && { stop: stopSequences }) },
      ...(responseFormat?.type === 'json-schema' && { format: responseFormat.schema }),
    }
  },
  readStream: readOllamaStream,
  readWhole: (body) => readOllamaReply([body]),
})

/** All protocols that clients can speak. */
export const protocolForms: readonly ProtocolForm[] = [anthropicForm, chatForm, responsesForm, geminiForm, ollamaForm]

/** A way to stream a reply; Gemini has two. */
export interface StreamForm {
  name: string
  form: ProtocolForm
  path: string
}

export const streamForms: readonly StreamForm[] = protocolForms.flatMap((form): StreamForm[] => {
  if (form.name !== 'gemini') return [{ name: form.name, form, path: form.path }]
  const path = form.path.replace('generateContent', 'streamGenerateContent')
  return [
    { name: 'gemini, events', form, path: `${path}?alt=sse` },
    { name: 'gemini, an array', form, path },
  ]
})

/** Returns a request for a streamed reply. */
export function streamRequest({ form, path }: StreamForm, conversation: Conversation): Request {
  const body = { ...form.write(conversation), ...(form.name !== 'gemini' && { stream: true }) }
  return new Request(`http://localhost${path}`, { method: 'POST', body: JSON.stringify(body) })
}
