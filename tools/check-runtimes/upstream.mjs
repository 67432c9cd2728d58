// @ts-check
// A model server for the checks: OpenAI's chat completions on 127.0.0.1, from a model that writes its calls as text.
import { once } from 'node:events'
import { createServer } from 'node:http'

const call = ['Let me look. <TOOL_', 'CALL>{"name": "get_weather", "inp', 'ut": {"city": "Par', 'is"}}</TOOL_CALL>']

/**
 * Starts it. `hold` in the last message: all but the beginning waits for `GET /release`; `forever`: it writes until its client leaves, which
 * `GET /left` counts.
 */
export async function startUpstream() {
  let left = 0
  let release = () => {}
  const server = createServer(async (request, response) => {
    if (request.url === '/left') return void response.end(String(left))
    if (request.url === '/release') {
      release()
      return void response.end()
    }
    if (request.url === '/v1/models') {
      response.setHeader('content-type', 'application/json')
      return void response.end(JSON.stringify({ object: 'list', data: [{ id: 'text-model', object: 'model' }] }))
    }
    let body = ''
    for await (const chunk of request) body += chunk
    const { messages, stream } = JSON.parse(body)
    const said = JSON.stringify(messages.at(-1).content)
    const pieces = said.includes('sunny') ? ['It is sunny in Paris.'] : call
    if (!stream) {
      response.setHeader('content-type', 'application/json')
      const choice = { index: 0, message: { role: 'assistant', content: pieces.join('') }, finish_reason: 'stop' }
      return void response.end(
        JSON.stringify({ id: 'c', object: 'chat.completion', created: 1, model: 'm', choices: [choice] }),
      )
    }
    response.on('close', () => {
      if (!response.writableFinished) left++
    })
    response.setHeader('content-type', 'text/event-stream')
    /** @param {object} delta @param {string | null} finish */
    const write = (delta, finish = null) => {
      const choices = [{ index: 0, delta, finish_reason: finish }]
      response.write(
        `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices })}\n\n`,
      )
    }
    if (said.includes('forever')) {
      while (!response.destroyed) {
        write({ content: 'on and on, ' })
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      return
    }
    for (const [index, content] of pieces.entries()) {
      write({ content })
      if (index === 0 && said.includes('hold')) {
        await new Promise((resolve) => {
          release = () => resolve(undefined)
          response.on('close', release)
        })
      }
    }
    write({}, 'stop')
    response.end('data: [DONE]\n\n')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
