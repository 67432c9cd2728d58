#!/usr/bin/env node
import { dialectNames } from '../dialects/index.ts'
import { createNodeGateway, createNodeUpstreams, listen, readPage } from '../gateway/index.ts'
import { BatchedWriter } from './io/batched-writer.ts'
import { run } from './run.ts'
import { clusterWorkers } from './workers/cluster.ts'

const stop = new AbortController()
/** Called on SIGHUP, by which a supervisor asks for a reload. Without a listener, SIGHUP ends the command as gently as SIGTERM. */
let hangup: (() => void) | undefined
const signals = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const
for (const [name, number] of Object.entries(signals)) {
  process.on(name, () => {
    // A terminal that is closed sends SIGHUP as well.
    if (name === 'SIGHUP' && hangup && process.stdout.isTTY !== true) {
      hangup()
      return
    }
    if (!stop.signal.aborted) {
      stop.abort()
      return
    }
    process.stderr.write(`${name} while stopping: ended at once; replies in progress are cut.\n`)
    process.exit(128 + number)
  })
}

// The reader of a pipe may close it early, as `head` does: not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  process.stderr.write(`error: the output cannot be written: ${error.message}\n`)
  process.exit(1)
})
// A full disk or a closed pipe loses the log, but must not end the gateway.
process.stderr.on('error', () => {})
const stderr = new BatchedWriter((text) => process.stderr.write(text))
process.on('exit', stderr.flush)

process.exitCode = await run(process.argv, {
  io: {
    stdout: (text) => process.stdout.write(text),
    stderr: stderr.write,
    stdin: () => process.stdin,
    isTerminal: process.stdout.isTTY === true,
    isErrorTerminal: process.stderr.isTTY === true,
    columns: () => process.stdout.columns,
    env: process.env,
    fetch,
    signal: stop.signal,
    onHangup: (listener) => {
      hangup = listener
      return () => {
        hangup = undefined
      }
    },
  },
  services: {
    dialects: dialectNames,
    createUpstreams: createNodeUpstreams,
    createGateway: createNodeGateway,
    listen,
    readPage,
  },
  workers: clusterWorkers(),
})
// Node writes to a pipe later if its reader is slow: all of the output comes before the end.
await new Promise<void>((resolve) => process.stdout.write('', () => resolve()))
// An open connection must not keep the process alive.
setTimeout(() => process.exit(), 500).unref()
