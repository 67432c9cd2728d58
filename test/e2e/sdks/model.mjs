// @ts-check
import { createServer } from 'node:http'
import { listenOnLoopback } from '../clients/listen.mjs'

/**
 * A model that can only write text, on three servers in one: `native` parses its calls as vLLM does, `prompted` takes
 * messages, `templated` takes whole prompts.
 * @typedef {{ name: string, input: Record<string, unknown> }} Call
 * @typedef {object} Asked a request as the model sees it
 * @property {string} prompt
 * @property {number} index the number of requests since `play` was called
 * @typedef {{ reasoning?: string, text?: string, calls?: readonly Call[], isCut?: boolean }} Said
 * @typedef {(asked: Asked) => Said} Play
 */

export const planNames = /** @type {const} */ (['native', 'prompted', 'templated'])
const pieceLength = 7

/** Starts the servers. They answer as the last `play` says. */
export async function startModel() {
  /** @type {Play} */
  let play = () => ({ text: 'Hello.' })
  let asked = 0
  /** @type {string[]} */
  let prompts = []

  const server = createServer(async (request, response) => {
    const body = await read(request)
    const [, plan = '', ...path] = (request.url ?? '').split('/')
    /** @param {object} value */
    const json = (value, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    if (path.at(-1) === 'models') return json({ object: 'list', data: [{ id: 'text-model', max_model_len: 100_000 }] })
    if (path.at(-1) === 'tokenize') return json({ count: Math.ceil(body.prompt.length / 4), tokens: [] })
    if (path.at(-1) !== 'completions') return json({ error: { message: `nothing is at ${request.url}` } }, 404)
    if (plan === 'prompted' && body.tools) return json({ error: { message: 'tools: extra fields not permitted' } }, 422)
    const prompt = body.prompt ?? JSON.stringify(body.messages)
    prompts.push(prompt)
    const said = play({ prompt, index: asked++ })
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const choice of plan === 'templated' ? textChoices(said) : chatChoices(said, plan === 'native')) {
      response.write(`data: ${JSON.stringify({ id: 'e2e', created: 1, model: 'text-model', choices: [choice] })}\n\n`)
    }
    const usage = { prompt_tokens: Math.ceil(prompt.length / 4), completion_tokens: 20, total_tokens: 100 }
    response.end(`data: ${JSON.stringify({ id: 'e2e', choices: [], usage })}\n\ndata: [DONE]\n\n`)
  })
  const url = await listenOnLoopback(server)
  return {
    url,
    /** @param {Play} next */
    play: (next) => {
      play = next
      asked = 0
      prompts = []
    },
    prompts: () => prompts,
    close: () => server.close(),
  }
}

/** @param {Said} said */
function* textChoices({ reasoning, text = '', calls = [], isCut }) {
  const thought = reasoning === undefined ? '' : `<think>\n${reasoning}\n</think>\n\n`
  for (const piece of pieces(`${thought}${text}${written(calls)}`)) yield { index: 0, text: piece, finish_reason: null }
  yield { index: 0, text: '', finish_reason: isCut ? 'length' : 'stop' }
}

/**
 * @param {Said} said
 * @param {boolean} parsesCalls
 */
function* chatChoices({ reasoning = '', text = '', calls = [], isCut }, parsesCalls) {
  const chunk = (/** @type {object} */ delta) => ({ index: 0, delta, finish_reason: null })
  for (const piece of pieces(reasoning)) yield chunk({ reasoning_content: piece })
  for (const piece of pieces(parsesCalls ? text : `${text}${written(calls)}`)) yield chunk({ content: piece })
  for (const [index, { name, input }] of parsesCalls ? calls.entries() : []) {
    const id = `call_${Math.random().toString(36).slice(2, 12)}`
    yield chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] })
    for (const piece of pieces(JSON.stringify(input)))
      yield chunk({ tool_calls: [{ index, function: { arguments: piece } }] })
  }
  const ended = parsesCalls && calls.length > 0 ? 'tool_calls' : 'stop'
  yield { index: 0, delta: {}, finish_reason: isCut ? 'length' : ended }
}

/**
 * Calls as models of the Hermes and Qwen families write them.
 * @param {readonly Call[]} calls
 */
function written(calls) {
  return calls
    .map(({ name, input }) => `\n<tool_call>\n{"name": "${name}", "arguments": ${JSON.stringify(input)}}\n</tool_call>`)
    .join('')
}

/** @param {string} text */
function pieces(text) {
  return text.match(new RegExp(`[^]{1,${pieceLength}}`, 'gu')) ?? []
}

/** @param {import('node:http').IncomingMessage} request */
async function read(request) {
  let text = ''
  for await (const piece of request.setEncoding('utf8')) text += piece
  return text === '' ? {} : JSON.parse(text)
}
