// @ts-check

/**
 * @typedef {{ name: string, arguments: string }} Call
 * @typedef {{ text: string, calls: Call[], finish: string | null, pieces: number }} Answer
 * @typedef {import('./checks.mjs').Place} Place
 */

/**
 * A whole reply of the gateway's Chat Completions API.
 * @param {Place} place
 * @param {object} body
 * @returns {Promise<Answer>}
 */
export async function answerTo({ fetch, model }, body) {
  const response = await fetch(post({ max_tokens: 500, ...body, model }))
  const value = await response.json()
  if (response.status !== 200) throw new Error(value.error?.message ?? `status ${response.status}`)
  const [{ message, finish_reason: finish }] = value.choices
  const calls = (message.tool_calls ?? []).map((/** @type {{ function: Call }} */ call) => call.function)
  return { text: message.content ?? '', calls, finish, pieces: 1 }
}

/**
 * The same, streamed and put together. With a controller the client leaves at the first piece.
 * @param {Place} place
 * @param {object} body
 * @param {AbortController} [controller]
 * @returns {Promise<Answer>}
 */
export async function streamOf({ fetch, model }, body, controller) {
  const response = await fetch(post({ max_tokens: 500, ...body, model, stream: true }, controller?.signal))
  if (response.status !== 200) throw new Error(await response.text())
  if (!response.body) throw new Error('the response has no body')
  /** @type {Answer} */
  const answer = { text: '', calls: [], finish: null, pieces: 0 }
  let rest = ''
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + piece).split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) {
      if (!event.startsWith('data: {')) continue
      const value = JSON.parse(event.slice('data: '.length))
      if (value.error) throw new Error(value.error.message)
      if (add(answer, value)) answer.pieces++
    }
    if (answer.pieces > 0) controller?.abort()
    controller?.signal.throwIfAborted()
  }
  return answer
}

/**
 * @param {Answer} answer
 * @param {any} chunk
 * @returns {boolean} whether it had a piece of the reply
 */
function add(answer, chunk) {
  const choice = chunk.choices?.[0]
  if (!choice) return false
  answer.finish = choice.finish_reason ?? answer.finish
  const { content = '', tool_calls: pieces = [] } = choice.delta
  answer.text += content ?? ''
  for (const { index, function: made } of pieces) {
    const call = answer.calls[index] ?? { name: '', arguments: '' }
    answer.calls[index] = { name: call.name || made.name, arguments: call.arguments + (made.arguments ?? '') }
  }
  return Boolean(content) || pieces.length > 0
}

/**
 * @param {object} body
 * @param {AbortSignal} [signal]
 */
function post(body, signal) {
  return new Request('http://gateway.local/v1/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  })
}
