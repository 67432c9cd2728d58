import { hermesProtocol, morphXmlProtocol, qwen3CoderProtocol, yamlXmlProtocol } from '@ai-sdk-tool/parser'

/** The protocols of `@ai-sdk-tool/parser`, each with its own settings. */
export const sdkProtocols = {
  hermes: hermesProtocol,
  'qwen3-coder': qwen3CoderProtocol,
  'morph-xml': morphXmlProtocol,
  'yaml-xml': yamlXmlProtocol,
}

/** Tools as the AI SDK describes them. */
export function sdkTools(tools) {
  return tools.map(({ name, description, schema }) => ({ type: 'function', name, description, inputSchema: schema }))
}

/** Reads a whole text with `@ai-sdk-tool/parser`. */
export function sdkReadWhole(createProtocol, text, tools) {
  return collect(createProtocol().parseGeneratedText({ text, tools }))
}

/** Reads a text that comes in pieces with the stream parser, in the way in which the AI SDK's middleware drives it. */
export async function sdkReadStream(createProtocol, pieces, tools) {
  const parts = []
  for await (const part of sdkStream(createProtocol().createStreamParser({ tools }), pieces)) parts.push(part)
  return collect(parts)
}

/** Returns the output of a transform of AI SDK stream parts that receives the pieces as text. */
export function sdkStream(transform, pieces) {
  let next = 0
  const source = new ReadableStream({
    pull(controller) {
      if (next < pieces.length) controller.enqueue({ type: 'text-delta', id: 'text', delta: pieces[next++] })
      else {
        controller.enqueue({ type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage: {} })
        controller.close()
      }
    },
  })
  return source.pipeThrough(transform)
}

/** `streamed` is the joined argument pieces of a call, which should equal its arguments. */
function collect(parts) {
  const reply = { calls: [], incomplete: [], text: '', reasoning: '' }
  const streamed = new Map()
  for (const part of parts) {
    if (part.type === 'text') reply.text += part.text
    else if (part.type === 'text-delta') reply.text += part.delta
    else if (part.type === 'reasoning') reply.reasoning += part.text
    else if (part.type === 'reasoning-delta') reply.reasoning += part.delta
    else if (part.type === 'tool-input-delta') streamed.set(part.id, (streamed.get(part.id) ?? '') + part.delta)
    else if (part.type === 'tool-call') {
      reply.calls.push({ name: part.toolName, json: part.input, streamed: streamed.get(part.toolCallId) })
    }
  }
  return reply
}
