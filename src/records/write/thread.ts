// The program of the thread that writes records: the build makes it a file of its own, which `ThreadWriter` starts.
import { builtinModule } from '../../upstreams/index.ts'
import { Masker } from '../redact/masker.ts'
import { openSqliteStore } from '../store/sqlite.ts'
import { BatchWriter } from './batch-writer.ts'
import type { FromThread, ThreadSettings, ToThread } from './messages.ts'
import { Packer } from './packer.ts'

const threads = builtinModule('node:worker_threads')
const port = threads?.parentPort
if (!threads || !port) throw new Error('This program runs as a thread that writes records.')

// Both sides of the port are of one build.
const { file, limits, secrets, patterns, paths } = threads.workerData as ThreadSettings
const post = (message: FromThread): void => port.postMessage(message)
const store = file === undefined ? undefined : openSqliteStore(file, limits)
const writer = new BatchWriter({
  packer: new Packer({ masker: new Masker({ secrets, patterns }), paths }, store && ((heads) => store.findHead(heads))),
  add: (batch) => (store ? store.add(batch) : post({ type: 'packed', batch })),
  events: {
    written: (records) => post({ type: 'written', ...records }),
    lost: (records, error) =>
      post({ type: 'lost', error: error instanceof Error ? error.message : String(error), ...records }),
  },
})

async function take(message: ToThread): Promise<void> {
  switch (message.type) {
    case 'add':
      for (const record of message.records) writer.add(record)
      await writer.flush()
      return
    case 'flush':
      await writer.flush()
      post({ type: 'flushed', number: message.number })
      return
    case 'close':
      await writer.close()
      store?.close()
      // Nothing is left that keeps the thread alive.
      port?.close()
  }
}

port.on('message', (message: ToThread) => void take(message))
post({ type: 'ready' })
