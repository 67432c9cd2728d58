import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { type ExchangeRecord, piecesOf } from '../../records/index.ts'
import { FlagError, wholeNumber } from '../io/flags.ts'
import { findRecords, type RecordsContext, type RecordsFlags, withRecords } from './open.ts'

export interface PlayFlags extends RecordsFlags {
  session?: boolean
  port?: string
  /** The speed, as a multiple of the recorded one. */
  speed?: string
}

/**
 * Serves the answers of records on loopback until the command is stopped: each POST gets the bytes of the next record, at the times at
 * which they were sent. The first one follows the last.
 */
export async function playRecords(ids: readonly string[], flags: PlayFlags, context: RecordsContext): Promise<number> {
  const { io } = context
  const port = wholeNumber(flags.port ?? '0', '--port')
  const speed = wholeNumber(flags.speed ?? '1', '--speed')
  if (port > 65_535) throw new FlagError(`--port: expected a port number, got ${port}`)
  if (speed === 0) throw new FlagError('--speed: expected a number from 1')
  const records = withRecords(flags, context, (store) => findRecords(store, ids, flags))
  let count = 0
  const server = createServer((request, response) => {
    request.resume()
    const record = request.method === 'POST' ? records[count++ % records.length] : undefined
    if (record) void play(record, response, speed)
    else response.writeHead(404).end()
    io.stdout(`${request.method} ${request.url}: ${record?.id ?? 'no answer: only a POST gets one'}\n`)
  })
  const url = await listening(server, port)
  const answers = records.length === 1 ? 'one answer' : `${records.length} answers, the next one to each POST,`
  io.stdout(`Plays ${answers} on ${url}\nCtrl-C stops it.\n`)
  if (!io.signal.aborted) await once(io.signal, 'abort')
  server.closeAllConnections()
  server.close()
  return 0
}

/** Writes the recorded bytes, each piece as long after the request as it was. */
async function play({ id, client, answer }: ExchangeRecord, response: ServerResponse, speed: number): Promise<void> {
  const begun = performance.now()
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  const pieces = piecesOf(answer.body)
  try {
    for (const [index, { ms, text }] of pieces.entries()) {
      await wait(Math.max(0, begun + ms / speed - performance.now()), undefined, gone)
      if (index === 0) response.writeHead(answer.status, { 'content-type': typeOf(answer, client), 'request-id': id })
      response.write(text)
    }
    if (pieces.length === 0) response.writeHead(answer.status, { 'request-id': id })
    response.end()
  } catch (error) {
    // The client has left.
    if (!gone.signal.aborted) throw error
  }
}

/** Returns the type of a recorded body, whose headers are not kept. */
function typeOf({ body: { text } }: ExchangeRecord['answer'], { stream = false }: ExchangeRecord['client']): string {
  if (/^(?:event|data|id|retry)?:/.test(text)) return 'text/event-stream; charset=utf-8'
  // Only Ollama's API streams lines of JSON; Gemini's can stream a list.
  return stream && text.startsWith('{') ? 'application/x-ndjson' : 'application/json'
}

async function listening(server: Server, port: number): Promise<string> {
  server.listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new FlagError(
      `--port: port ${port} cannot be used: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : port}`
}
