import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The number of pipelined requests that may wait on a connection. Few clients pipeline, and those send a few requests. */
const mostWaiting = 100

/** The number of requests that wait on a connection. */
const waiting = new WeakMap<Socket, number>()

/**
 * Begins a request when those before it on its connection are answered. Until then its response has no connection: Node
 * would buffer its output, stop reading, and not report that the client is gone.
 */
export function inTurn({ socket }: IncomingMessage, outgoing: ServerResponse, begin: () => void): void {
  if (outgoing.socket !== null) {
    begin()
    return
  }
  const before = waiting.get(socket) ?? 0
  if (before === mostWaiting) {
    socket.destroy()
    return
  }
  waiting.set(socket, before + 1)
  outgoing.once('socket', () => {
    waiting.set(socket, (waiting.get(socket) ?? 1) - 1)
    begin()
  })
}
