// @ts-check
// A model server that takes its time: `node model.mjs PORT`. Each reply is the same words, one at a time; the model's name says how
// many and how often: `words-20-200` is 20 words, one every 200 ms. It sends its port to the process that started it. Asked by GET, it says
// which conversations it had, by the word after `Conversation` in their prompts, and how many of their requests were part of a trace.
import { createServer } from 'node:http'

const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'words' }

/** @param {object} delta @param {string | null} reason */
function piece(delta, reason = null) {
  return `data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`
}

/** @type {Record<string, { requests: number, traced: number }>} */
const conversations = {}

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.end(JSON.stringify(conversations))
    return
  }
  /** @type {Buffer[]} */
  const received = []
  request.on('data', (bytes) => received.push(bytes))
  request.on('end', () => {
    const body = Buffer.concat(received).toString()
    const [, words = '20', ms = '200'] = /words-(\d+)-(\d+)/.exec(body) ?? []
    const [, name] = /Conversation ([\w-]+)/.exec(body) ?? []
    if (name !== undefined) {
      const { requests, traced } = conversations[name] ?? { requests: 0, traced: 0 }
      conversations[name] = { requests: requests + 1, traced: traced + (request.headers.traceparent ? 1 : 0) }
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    let sent = 0
    const timer = setInterval(() => {
      if (sent < Number(words)) response.write(piece({ content: `w${sent++} ` }))
      else {
        clearInterval(timer)
        response.end(`${piece({}, 'stop')}data: [DONE]\n\n`)
      }
    }, Number(ms))
    response.on('close', () => clearInterval(timer))
  })
})
server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' ? address?.port : undefined })
})
process.on('disconnect', () => process.exit())
