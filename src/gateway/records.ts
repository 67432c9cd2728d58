import { AnycallError } from '../conversation/index.ts'
import { pause } from '../json/index.ts'
import {
  BatchWriter,
  Masker,
  MemoryStore,
  Packer,
  paceOf,
  Recorder,
  type RecordStore,
  type RecordWriter,
  type Redaction,
  type StoreLimits,
  type ThreadSettings,
  type WriterEvents,
} from '../records/index.ts'
import type { Log } from '../upstreams/index.ts'
import type { GatewayConfig } from './config/config.ts'
import type { Runtime } from './config/create/upstreams.ts'
import { secretsOf } from './config/secrets.ts'

const megabyte = 1024 ** 2
const dayMs = 86_400_000
/** Records that wait to be written take as much memory as this, in characters; more are dropped. */
const waitingCharacters = 8 * megabyte

/** Creates the recorder of a configuration; undefined if it keeps no records. Throws an AnycallError for a file that cannot be used. */
export function createRecorder(config: GatewayConfig, runtime: Runtime, log: Log): Recorder | undefined {
  const { records } = config
  if (!records) return undefined
  const { file } = records
  const limits = { bytes: records.megabytes * megabyte, ageMs: records.days * dayMs }
  const store = openStore(file, limits, runtime)
  const redaction = redactionOf(config)
  const here = (events: WriterEvents): RecordWriter =>
    new BatchWriter({
      packer: new Packer(redaction, (heads) => store.findHead(heads)),
      add: (batch) => store.add(batch),
      events,
      pause,
    })
  const settings = { limits, ...rulesOf(config), ...(file !== undefined && { file }) }
  const keep = store.add.bind(store)
  const pace = paceOf(records.busyShare)
  return new Recorder({
    store,
    createWriter: (events) =>
      runtime.writeRecords?.({
        settings,
        events,
        keep,
        fallback: () => here(events),
        pace,
      }) ?? here(events),
    redaction,
    keep: records.keep,
    share: records.share,
    characters: records.exchangeMegabytes * megabyte,
    waitingCharacters,
    pace,
    dropped: (count) => log('warn', 'records-dropped', { dropped: count }),
    failed: (error, count) => log('error', 'records-failed', { error: messageOf(error), dropped: count }),
    degraded: (how, error) => log('warn', `records-${how}`, { error: messageOf(error) }),
  })
}

function openStore(file: string | undefined, limits: StoreLimits, { openRecords }: Runtime): RecordStore {
  if (file === undefined) return new MemoryStore(limits)
  if (openRecords) return openRecords(file, limits)
  throw new AnycallError(
    'invalid-config',
    'records.file: a file needs the gateway of "anycall/node". Leave it out to keep records in memory.',
  )
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Returns the rules of what a record must not have: the keys of a configuration, and its `records.redact`. */
export function redactionOf(config: GatewayConfig): Redaction {
  const rules = rulesOf(config)
  return { masker: new Masker(rules), paths: rules.paths }
}

function rulesOf(config: GatewayConfig): Pick<ThreadSettings, 'secrets' | 'patterns' | 'paths'> {
  const { patterns = [], paths = [] } = config.records?.redact ?? {}
  return { secrets: secretsOf(config), patterns: patterns.map((source) => new RegExp(source, 'gu')), paths }
}
