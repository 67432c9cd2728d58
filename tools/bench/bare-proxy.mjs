/**
 * The least that a gateway in Node can be: requests and replies are piped through, connections are kept. What it adds is
 * the price of another hop. Its argument is the port of the model server.
 */
import { Agent, createServer, request as send } from 'node:http'

const port = Number(process.argv[2])
const agent = new Agent({ keepAlive: true })

const server = createServer((incoming, outgoing) => {
  const { method, url: path, headers } = incoming
  const onward = send({ host: '127.0.0.1', port, agent, method, path, headers }, (reply) => {
    outgoing.writeHead(reply.statusCode, reply.headers)
    reply.pipe(outgoing)
  })
  onward.on('error', () => outgoing.destroy())
  outgoing.on('close', () => onward.destroy())
  incoming.pipe(onward)
})
// A connection that is closed just when it is used again would be the benchmark's fault, not the gateway's.
server.keepAliveTimeout = 0
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
