import type { buildConnector } from 'undici'
import { isJsonObject } from '../../conversation/index.ts'

/** Errors of connections that had answered a request before they failed. */
const errorsAfterAnswers = new WeakSet<Error>()

/** Returns a connector that connects as the given one, and notes of a connection's error if anything had been read from it. */
export function notingAnswers(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...result) => {
      const [, socket] = result
      socket?.once('error', (error) => {
        if (socket.bytesRead > 0) errorsAfterAnswers.add(error)
      })
      callback(...result)
    })
}

/** Returns true for the error of a connection that had answered before, which is one that was kept if its last request has no answer. */
export function hadAnswered(error: Error): boolean {
  if (errorsAfterAnswers.has(error)) return true
  // undici's own error, for a connection that the server closed in order.
  const socket = 'socket' in error ? error.socket : undefined
  return isJsonObject(socket) && Number(socket.bytesRead) > 0
}
