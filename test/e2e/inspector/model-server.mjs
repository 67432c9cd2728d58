// @ts-check
import { createServer } from 'node:http'
import { listenOnLoopback } from '../clients/listen.mjs'

/**
 * @typedef {object} Play a reply
 * @property {readonly string[]} pieces its text
 * @property {number} [pauseMs]
 * @property {readonly string[]} [first] the text of the first reply, if the second one is another
 * @property {{ name: string, arguments: readonly string[] }} [call] a call that is made in place of the text, if the request has tools
 */

/**
 * Starts a server with OpenAI's APIs for chats and for raw prompts: it plays the reply of which the last user's text has the name.
 * The reply named `held` stops after its first piece, until `release` is called. Below `/down`, all requests fail.
 *
 * @param {Readonly<Record<string, Play>>} plays
 */
export async function startModelServer(plays) {
  let release = () => {}
  const released = new Promise((resolve) => {
    release = () => resolve(undefined)
  })
  /** @type {Set<string>} */
  const played = new Set()
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    if (request.method === 'GET') {
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ data: [{ id: 'm' }] }))
      return
    }
    const asked = JSON.parse(body)
    const name = nameIn(asked, Object.keys(plays))
    const play = name === undefined ? undefined : plays[name]
    if (name === undefined || !play || request.url?.startsWith('/down/')) {
      response.writeHead(500, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { message: 'The engine has run out of memory.' } }))
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const isFirst = !played.has(name)
    played.add(name)
    for (const [index, choice] of choicesOf(play, { asked, isFirst }).entries()) {
      if (play.pauseMs) await new Promise((resolve) => setTimeout(resolve, play.pauseMs))
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`)
      if (name === 'held' && index === 0) await released
    }
    const usage = { prompt_tokens: 900, completion_tokens: 40, prompt_tokens_details: { cached_tokens: 600 } }
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage })}\n\n`)
    response.end('data: [DONE]\n\n')
  })
  const url = await listenOnLoopback(server)
  return {
    url: `${url}/v1`,
    downUrl: `${url}/down/v1`,
    release,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/**
 * Returns what the reply's events say.
 *
 * @param {Play} play @param {{ asked: { prompt?: string, tools?: unknown[] }, isFirst: boolean }} request
 */
function choicesOf({ pieces, first = pieces, call }, { asked, isFirst }) {
  if (call && asked.tools) {
    const parts = call.arguments.map((json, index) => ({
      index: 0,
      ...(index === 0 && { id: 'call_of_the_engine', type: 'function' }),
      function: { ...(index === 0 && { name: call.name }), arguments: json },
    }))
    return parts.map((part) => ({ delta: { tool_calls: [part] } }))
  }
  const texts = isFirst ? first : pieces
  return texts.map((text) => (asked.prompt === undefined ? { delta: { content: text } } : { text }))
}

/**
 * Returns the name that the last text of the user has that has one; what a gateway adds has none.
 *
 * @param {{ prompt?: string, messages?: { role: string, content?: unknown }[] }} asked @param {readonly string[]} names
 */
function nameIn({ prompt, messages = [] }, names) {
  const texts = prompt === undefined ? messages.filter(({ role }) => role === 'user') : [prompt]
  const found = texts.map((text) => names.find((name) => JSON.stringify(text).includes(`[${name}]`)))
  return found.findLast((name) => name !== undefined)
}
