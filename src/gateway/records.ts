import { AnycallError } from '../conversation/index.ts'
import { Masker, MemoryStore, Recorder, type RecorderOptions, type RecordStore } from '../records/index.ts'
import type { Log } from '../upstreams/index.ts'
import type { GatewayConfig } from './config/config.ts'
import type { Runtime } from './config/create-upstreams.ts'
import { secretsOf } from './config/secrets.ts'

const megabyte = 1024 ** 2
const dayMs = 86_400_000
/** Records that wait to be written take as much memory as this, in characters; more are dropped. */
const waitingCharacters = 32 * megabyte

/** Creates the recorder of a configuration; undefined if it keeps no records. Throws an AnycallError for a file that cannot be used. */
export function createRecorder(config: GatewayConfig, { openRecords }: Runtime, log: Log): Recorder | undefined {
  const { records } = config
  if (!records) return undefined
  const limits = { bytes: records.megabytes * megabyte, ageMs: records.days * dayMs }
  let store: RecordStore
  if (records.file === undefined) store = new MemoryStore(limits)
  else if (openRecords) store = openRecords(records.file, limits)
  else
    throw new AnycallError(
      'invalid-config',
      'records.file: a file needs the gateway of "anycall/node". Leave it out to keep records in memory.',
    )
  return new Recorder({
    store,
    keep: records.keep,
    share: records.share,
    ...redactionOf(config),
    characters: records.exchangeMegabytes * megabyte,
    waitingCharacters,
    dropped: (count) => log('warn', 'records-dropped', { dropped: count }),
    failed: (error) =>
      log('error', 'records-failed', { error: error instanceof Error ? error.message : String(error) }),
  })
}

/** Returns the rules of what a record must not have: the keys of a configuration, and its `records.redact`. */
export function redactionOf(config: GatewayConfig): Pick<RecorderOptions, 'masker' | 'paths'> {
  const { patterns = [], paths = [] } = config.records?.redact ?? {}
  const masker = new Masker({
    secrets: secretsOf(config),
    patterns: patterns.map((source) => new RegExp(source, 'gu')),
  })
  return { masker, paths }
}
