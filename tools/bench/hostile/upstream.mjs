/**
 * A model server that answers as it was last told (`POST /control`), as Chat Completions, llama-server's API and vLLM's; below `/calm/` it always says "ok".
 * A reply: `{type: 'text', text, pieces, times}`, `{type: 'call', name, arguments}`, `{type: 'status', status, body}`, `{type: 'error-event', data}`,
 * `{type: 'event', data}`.
 */
import { createServer } from 'node:http'
import { template } from './template.mjs'

let reply = { type: 'text', text: 'ok' }

const props = { chat_template: template, bos_token: '', eos_token: '<|im_end|>', chat_template_caps: {} }
const answers = {
  '/props': () => props,
  '/v1/models': () => ({ object: 'list', data: [{ id: 'model' }] }),
  '/tokenize': () => ({ tokens: [1] }),
}

function deltaOf({ type, text, name, ...call }) {
  if (type !== 'call') return { content: text }
  return { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name, arguments: call.arguments } }] }
}

/** Returns a piece of text as the API of a path sends it: chat, completions, or llama-server's own. */
function chunkOf(path, said) {
  if (path.endsWith('/chat/completions')) return { choices: [{ index: 0, delta: deltaOf(said), finish_reason: null }] }
  if (path.endsWith('/completions')) return { choices: [{ index: 0, text: said.text, finish_reason: null }] }
  return { content: said.text, stop: false }
}

function endOf(path) {
  if (path.endsWith('/chat/completions')) return { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }
  if (path.endsWith('/completions')) return { choices: [{ index: 0, text: '', finish_reason: 'stop' }] }
  return { content: '', stop: true, stop_type: 'eos' }
}

function answer(path, response, said) {
  if (said.type === 'status') {
    response.writeHead(said.status, { 'content-type': 'text/plain' }).end(said.body)
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (value) => response.write(`data: ${JSON.stringify(value)}\n\n`)
  if (said.type === 'error-event') response.write(`event: error\ndata: ${said.data}\n\n`)
  else if (said.type === 'event') response.write(`data: ${said.data}\n\n`)
  else if (said.pieces === 1) for (const text of said.text) send(chunkOf(path, { ...said, text }))
  else for (let time = 0; time < (said.times ?? 1); time++) send(chunkOf(path, said))
  send(endOf(path))
  response.end('data: [DONE]\n\n')
}

const server = createServer((request, response) => {
  const received = []
  request.on('data', (bytes) => received.push(bytes))
  request.on('end', () => {
    const path = request.url.split('?')[0]
    if (path === '/control') {
      reply = JSON.parse(Buffer.concat(received).toString())
      response.end()
    } else if (path in answers) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answers[path]()))
    } else answer(path, response, path.startsWith('/calm/') ? { type: 'text', text: 'ok' } : reply)
  })
})
server.keepAliveTimeout = 0
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
