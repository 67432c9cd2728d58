// @ts-check
import { createServer } from 'node:http'
import { listenOnLoopback } from '../clients/listen.mjs'

/** @typedef {{ pieces: readonly string[], pauseMs?: number }} Play the text of a reply, in pieces */

/**
 * Starts a server with OpenAI's Chat Completions API that only writes text: the reply of which the last user's text has the name.
 * `hold` stops the reply named `held` after its first piece, until `release` is called.
 *
 * @param {Readonly<Record<string, Play>>} plays
 */
export async function startModelServer(plays) {
  let release = () => {}
  const released = new Promise((resolve) => {
    release = () => resolve(undefined)
  })
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    if (request.method === 'GET') {
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ data: [{ id: 'm' }] }))
      return
    }
    const name = Object.keys(plays).find((one) => lastText(body).includes(`[${one}]`))
    const play = name === undefined ? undefined : plays[name]
    if (!play) {
      response.writeHead(500, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { message: 'The engine has run out of memory.' } }))
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const [index, content] of play.pieces.entries()) {
      if (play.pauseMs) await new Promise((resolve) => setTimeout(resolve, play.pauseMs))
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`)
      if (name === 'held' && index === 0) await released
    }
    const usage = { prompt_tokens: 900, completion_tokens: 40, prompt_tokens_details: { cached_tokens: 600 } }
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage })}\n\n`)
    response.end('data: [DONE]\n\n')
  })
  const url = await listenOnLoopback(server)
  return {
    url: `${url}/v1`,
    release,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** @param {string} body */
function lastText(body) {
  const { messages = [] } = JSON.parse(body)
  return JSON.stringify(messages.findLast((/** @type {{ role: string }} */ { role }) => role === 'user')?.content ?? '')
}
