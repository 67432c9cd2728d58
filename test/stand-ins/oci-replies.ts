import type { JsonObject } from '../../src/conversation/index.ts'

/** A model's reply, independent of the format that it is written in. */
export interface OciMessage {
  pieces: string[]
  reasoning?: string
  /** COHERE's are emitted whole, the others' arguments piece by piece. */
  calls?: { name: string; parameters: JsonObject }[]
  finishReason?: string
  errorMessage?: string
  usage?: JsonObject
}

/** A format's way to write a reply: as the events of a stream, and whole. */
export interface ReplyFormat {
  events(message: OciMessage, wantsUsage: boolean): JsonObject[]
  whole(message: OciMessage): JsonObject
}

const defaultUsage: JsonObject = { completionTokens: 7, promptTokens: 40, totalTokens: 47 }

/** The pieces of a call's arguments: the first, and those after it. */
function pieced(parameters: JsonObject): [string, string[]] {
  const [head = '', ...rest] = JSON.stringify(parameters).match(/.{1,6}/gs) ?? []
  return [head, rest]
}

export const generic: ReplyFormat = {
  events: ({ pieces, reasoning, calls, finishReason, usage }, wantsUsage) => {
    const message = (fields: JsonObject): JsonObject => ({ index: 0, message: { role: 'ASSISTANT', ...fields } })
    const events = reasoning === undefined ? [] : [message({ content: null, reasoningContent: reasoning })]
    events.push(...pieces.map((text) => message({ content: [{ type: 'TEXT', text }] })))
    for (const [index, { name, parameters }] of (calls ?? []).entries()) {
      const id = `call_${index}`
      const [head, rest] = pieced(parameters)
      events.push(message({ toolCalls: [{ type: 'FUNCTION', id, name, arguments: head }] }))
      for (const piece of rest) events.push(message({ toolCalls: [{ type: 'FUNCTION', id, arguments: piece }] }))
    }
    const end = finishReason ?? (calls ? 'tool_calls' : 'stop')
    events.push({ message: { role: 'ASSISTANT', content: [{ type: 'TEXT', text: '' }] }, finishReason: end })
    if (wantsUsage) events.push({ usage: usage ?? defaultUsage })
    return events
  },
  whole: ({ pieces, calls = [], finishReason, usage }) => {
    const toolCalls = calls.map(({ name, parameters }, n) => {
      return { id: `call_${n}`, type: 'FUNCTION', name, arguments: JSON.stringify(parameters) }
    })
    const message = { role: 'ASSISTANT', content: [{ type: 'TEXT', text: pieces.join('') }], toolCalls }
    return {
      apiFormat: 'GENERIC',
      timeCreated: '2026-01-01T00:00:00.000Z',
      choices: [{ index: 0, message, finishReason: finishReason ?? 'stop' }],
      usage: usage ?? defaultUsage,
    }
  },
}

export const cohere: ReplyFormat = {
  /** The last event repeats everything. */
  events: (message, wantsUsage) => {
    const pieces = message.pieces.map((text): JsonObject => ({ apiFormat: 'COHERE', text }))
    const { usage = null, ...last } = cohere.whole(message)
    const calls = last.toolCalls === undefined ? [] : [{ apiFormat: 'COHERE', toolCalls: last.toolCalls }]
    return [...pieces, ...calls, { ...last, ...(wantsUsage && { usage }) }]
  },
  whole: ({ pieces, calls, finishReason, errorMessage, usage }) => {
    const text = pieces.join('')
    return {
      apiFormat: 'COHERE',
      text,
      chatHistory: [{ role: 'CHATBOT', message: text }],
      finishReason: finishReason ?? 'COMPLETE',
      ...(errorMessage !== undefined && { errorMessage }),
      ...(calls && { toolCalls: calls }),
      usage: usage ?? defaultUsage,
    }
  },
}

/** The function is within its call, and pieces of a message are pieces of its content. */
export const cohereV2: ReplyFormat = {
  events: ({ pieces, reasoning, calls, finishReason, errorMessage, usage }, wantsUsage) => {
    const message = (fields: JsonObject): JsonObject => ({
      apiFormat: 'COHEREV2',
      message: { role: 'ASSISTANT', ...fields },
    })
    const events = reasoning === undefined ? [] : [message({ content: [{ type: 'THINKING', thinking: reasoning }] })]
    events.push(...pieces.map((text) => message({ content: [{ type: 'TEXT', text }] })))
    for (const [index, { name, parameters }] of (calls ?? []).entries()) {
      const id = `call_${index}`
      const [head, rest] = pieced(parameters)
      events.push(message({ toolCalls: [{ type: 'FUNCTION', id, function: { name, arguments: head } }] }))
      for (const piece of rest) {
        events.push(message({ toolCalls: [{ type: 'FUNCTION', id, function: { arguments: piece } }] }))
      }
    }
    events.push({
      ...message({ content: [] }),
      finishReason: finishReason ?? (calls ? 'TOOL_CALL' : 'COMPLETE'),
      ...(errorMessage !== undefined && { errorMessage }),
      ...(wantsUsage && { usage: usage ?? defaultUsage }),
    })
    return events
  },
  whole: ({ pieces, reasoning, calls, finishReason, usage }) => {
    const toolCalls = calls?.map(({ name, parameters }, n) => {
      return { id: `call_${n}`, type: 'FUNCTION', function: { name, arguments: JSON.stringify(parameters) } }
    })
    const thinking = reasoning === undefined ? [] : [{ type: 'THINKING', thinking: reasoning }]
    const content = [...thinking, { type: 'TEXT', text: pieces.join('') }]
    return {
      apiFormat: 'COHEREV2',
      id: 'reply_1',
      message: { role: 'ASSISTANT', content, ...(toolCalls && { toolCalls }) },
      finishReason: finishReason ?? (calls ? 'TOOL_CALL' : 'COMPLETE'),
      usage: usage ?? defaultUsage,
    }
  },
}
