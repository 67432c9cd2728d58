// @ts-check
// The client's view of a gateway on any runtime: a whole reply, a streamed one, and one that the client leaves.

const tool = {
  name: 'get_weather',
  description: 'The weather in a city',
  schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}
const openaiTools = [
  { type: 'function', function: { name: tool.name, description: tool.description, parameters: tool.schema } },
]
const anthropicTools = [{ name: tool.name, description: tool.description, input_schema: tool.schema }]

/** @param {boolean} holds @param {string} what */
export function demand(holds, what) {
  if (!holds) throw new Error(what)
}

/** @param {() => Promise<boolean>} holds @param {string} what */
async function eventually(holds, what) {
  for (let wait = 0; wait < 100; wait++) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(what)
}

/**
 * The checks. `ask` is the gateway's `fetch`, with a path for the URL; `upstream` is where the model server is.
 * @param {(path: string, init?: RequestInit) => Promise<Response>} ask @param {string} upstream
 * @returns {Record<string, () => Promise<void>>}
 */
export function gatewayChecks(ask, upstream) {
  /** @param {string} path @param {object} body @param {AbortSignal} [signal] */
  const post = (path, body, signal) =>
    ask(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'any', max_tokens: 100, ...body }),
      ...(signal && { signal }),
    })
  /** @param {string} content */
  const messages = (content) => [{ role: 'user', content }]
  return {
    whole: async () => {
      const response = await post('/v1/chat/completions', {
        messages: messages('Weather in Paris?'),
        tools: openaiTools,
      })
      const reply = await response.json()
      const [made] = reply.choices?.[0]?.message?.tool_calls ?? []
      demand(response.status === 200 && made?.function?.arguments === '{"city":"Paris"}', JSON.stringify(reply))
    },
    streamed: async () => {
      const response = await post('/v1/messages', {
        messages: messages('hold: weather in Paris?'),
        tools: anthropicTools,
        stream: true,
      })
      demand(response.status === 200 && !!response.body, `status ${response.status}`)
      const reader = response.body?.getReader()
      const decoder = new TextDecoder()
      let text = ''
      for (let isHeld = true; reader; ) {
        const { done, value } = await reader.read()
        if (done) break
        text += decoder.decode(value, { stream: true })
        // The rest is not written before the beginning is here: a reply that is collected first never comes.
        if (isHeld && text.includes('Let me look.')) {
          isHeld = false
          demand(!text.includes('"tool_use"'), 'the call is here before it was written')
          await fetch(`${upstream}/release`)
        }
      }
      const json = [...text.matchAll(/"partial_json":("(?:[^"\\]|\\.)*")/g)]
        .map(([, piece]) => JSON.parse(piece ?? '""'))
        .join('')
      demand(json === '{"city":"Paris"}' && text.includes('"stop_reason":"tool_use"'), text)
    },
    cancelled: async () => {
      const before = Number(await (await fetch(`${upstream}/left`)).text())
      const left = new AbortController()
      const response = await post(
        '/v1/chat/completions',
        { messages: messages('Talk forever.'), stream: true },
        left.signal,
      )
      const reader = response.body?.getReader()
      const first = await reader?.read()
      demand(response.status === 200 && first?.done === false, `status ${response.status}`)
      await reader?.cancel().catch(() => {})
      left.abort()
      const leaving = async () => Number(await (await fetch(`${upstream}/left`)).text()) > before
      await eventually(leaving, 'the connection to the model server is still open after five seconds')
    },
  }
}
