/**
 * A model server that costs next to nothing: Chat Completions, streamed or whole as the request says. Every piece is a
 * write of its own: the next one at the next turn of the event loop, or all in one turn where the workload says so.
 */
import { createServer } from 'node:http'
import { noTrigger, served, withTrigger, workloadOf } from './workloads.mjs'

const base = { id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1700000000, model: 'bench' }

function chunk(delta, finish_reason = null) {
  return `data: ${JSON.stringify({ ...base, choices: [{ index: 0, delta, logprobs: null, finish_reason }] })}\n\n`
}

function usage(count) {
  return { prompt_tokens: 1500, completion_tokens: count, total_tokens: 1500 + count }
}

/** The writes of each workload's reply: all but the one with the trigger are made once. */
const encoded = Object.fromEntries(
  Object.entries(served).map(([name, { pieces }]) => {
    const last = `data: ${JSON.stringify({ ...base, choices: [], usage: usage(pieces.length) })}\n\ndata: [DONE]\n\n`
    const writes = [...pieces.map((content) => chunk({ content })), chunk({}, 'stop') + last]
    return [name, writes.map((text) => Buffer.from(text))]
  }),
)

function writesOf(name, body) {
  const place = served[name].pieces.findIndex((piece) => piece.includes(noTrigger))
  if (place < 0) return encoded[name]
  return encoded[name].with(place, Buffer.from(chunk({ content: withTrigger(served[name].pieces[place], body) })))
}

function sendStream(response, writes, burst = false) {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  if (burst) {
    for (const bytes of writes) response.write(bytes)
    response.end()
    return
  }
  let index = 0
  const next = () => {
    if (response.destroyed) return
    if (index === writes.length) {
      response.end()
      return
    }
    // Node joins the writes of one turn of the event loop into one packet.
    if (response.write(writes[index++])) setImmediate(next)
    else response.once('drain', next)
  }
  next()
}

function sendWhole(response, name, body) {
  const { pieces } = served[name]
  const message = { role: 'assistant', content: withTrigger(pieces.join(''), body) }
  const text = JSON.stringify({
    ...base,
    object: 'chat.completion',
    choices: [{ index: 0, message, logprobs: null, finish_reason: 'stop' }],
    usage: usage(pieces.length),
  })
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  response.end(text)
}

const server = createServer((request, response) => {
  const received = []
  request.on('data', (bytes) => received.push(bytes))
  request.on('end', () => {
    const body = Buffer.concat(received).toString()
    const name = workloadOf(body)
    if (!(name in served)) response.writeHead(404).end()
    else if (body.includes('"stream":true')) sendStream(response, writesOf(name, body), served[name].burst)
    else sendWhole(response, name, body)
  })
})
// A connection that is closed just when it is used again would be the benchmark's fault, not the gateway's.
server.keepAliveTimeout = 0
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
