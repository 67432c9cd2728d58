#!/usr/bin/env node
import { dialectNames } from '../dialects/index.ts'
import { createNodeGateway, createNodeUpstreams, listen } from '../gateway/index.ts'
import { run } from './run.ts'

const stop = new AbortController()
/** There is no reload: a terminal that was closed, or a supervisor's SIGHUP, ends what runs as gently as SIGTERM. */
const signals = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const
for (const [name, number] of Object.entries(signals)) {
  process.on(name, () => {
    if (!stop.signal.aborted) {
      stop.abort()
      return
    }
    process.stderr.write(`${name} while stopping: ended at once, and with it whatever was still being answered.\n`)
    process.exit(128 + number)
  })
}

// Who reads the output may have seen enough, as `head` has: that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  process.stderr.write(`error: the output cannot be written: ${error.message}\n`)
  process.exit(1)
})
// A full disk or a reader that left costs the log, not the gateway.
process.stderr.on('error', () => {})

process.exitCode = await run(process.argv, {
  io: {
    stdout: (text) => process.stdout.write(text),
    stderr: (text) => process.stderr.write(text),
    stdin: () => process.stdin,
    isTerminal: process.stdout.isTTY === true,
    env: process.env,
    fetch,
    signal: stop.signal,
  },
  rooms: {
    dialects: dialectNames,
    createUpstreams: createNodeUpstreams,
    createGateway: createNodeGateway,
    listen,
  },
})
// A connection that someone forgot must not keep the process.
setTimeout(() => process.exit(), 500).unref()
