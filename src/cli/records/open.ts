import { existsSync } from 'node:fs'
import { type GatewayConfig, loadConfigFile } from '../../gateway/index.ts'
import { type ExchangeRecord, openSqliteStore, type RecordStore } from '../../records/index.ts'
import { FlagError } from '../io/flags.ts'
import type { Io, Services } from '../io/io.ts'
import { withNamedFiles } from '../io/named-files.ts'
import { configFileOf } from '../io/settings.ts'

/** The flags that name the store of the records. */
export interface RecordsFlags {
  file?: string
  config?: string
  json?: boolean
  color?: boolean
}

const megabyte = 1024 ** 2
const dayMs = 86_400_000

/** The outside world of a command on records. */
export interface RecordsContext {
  io: Io
  services: Services
}

/** Returns the configuration of `--config` or ANYCALL_CONFIG; undefined if neither is given. */
export function configOf({ config }: RecordsFlags, { io, services }: RecordsContext): GatewayConfig | undefined {
  const file = configFileOf(config, io)
  if (file === undefined) return undefined
  return withNamedFiles(loadConfigFile(file, { env: io.env, dialects: services.dialects }), file)
}

/** Opens the file of records: that of `--file`, else the configuration's. Throws a FlagError if there is none. */
export function openRecords(
  flags: RecordsFlags,
  context: RecordsContext,
  { mayCreate = false }: { mayCreate?: boolean } = {},
): RecordStore {
  const records = configOf(flags, context)?.records
  const name = flags.file ?? records?.file
  if (name === undefined)
    throw new FlagError('no file of records: name it with --file FILE, or set records.file in the configuration')
  if (!mayCreate && !existsSync(name)) throw new FlagError(`${name}: there is no such file`)
  const { megabytes = 1_000_000, days = 36_500 } = records ?? {}
  return openSqliteStore(name, { bytes: megabytes * megabyte, ageMs: days * dayMs })
}

/** Calls `use` with the file of records open. */
export function withRecords<Result>(
  flags: RecordsFlags,
  context: RecordsContext,
  use: (store: RecordStore) => Result,
): Result {
  const store = openRecords(flags, context)
  try {
    return use(store)
  } finally {
    store.close()
  }
}

/** Returns the records of the given ids, or with `session` all of the session of the first one, oldest first. */
export function findRecords(
  store: RecordStore,
  ids: readonly string[],
  { session = false }: { session?: boolean },
): ExchangeRecord[] {
  if (!session) return ids.map((id) => findRecord(store, id))
  return ids.flatMap((id) => {
    // The first exchange of a session may be removed, whose id is that of the session.
    const rows = store.session(id)
    const steps = rows.length > 0 ? rows : store.session(findRecord(store, id).session.id)
    return steps.map((row) => findRecord(store, row.id))
  })
}

/** Returns a record by its id, or by the beginning or end of it. Throws a FlagError if there is none, or more than one. */
export function findRecord(store: RecordStore, id: string): ExchangeRecord {
  const record = store.get(id) ?? store.get(shortIdOf(store, id) ?? id)
  if (record) return record
  throw new FlagError(`${id}: there is no such record; see "anycall records list"`)
}

/**
 * Returns the whole id of a record of a gateway that may be given by its beginning or end: as the file of records has it, if there is a
 * file that has it. Throws a FlagError if it has several.
 */
export function idInFile(id: string, flags: RecordsFlags, context: RecordsContext): string {
  const name = flags.file ?? configOf(flags, context)?.records?.file
  if (name === undefined || !existsSync(name)) return id
  return withRecords(flags, context, (store) => (store.get(id) ? id : (shortIdOf(store, id) ?? id)))
}

/** Returns the one id that begins or ends so; undefined if there is none. Throws a FlagError for several. */
function shortIdOf(store: RecordStore, part: string): string | undefined {
  const [one, ...others] = store.list({ limit: 10_000 }).filter(({ id }) => id.startsWith(part) || id.endsWith(part))
  if (others.length === 0) return one?.id
  throw new FlagError(`${part}: several records have an id that begins or ends so; give more of it`)
}
