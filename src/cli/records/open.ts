import { existsSync } from 'node:fs'
import { loadConfigFile } from '../../gateway/index.ts'
import { type ExchangeRecord, openSqliteStore, type RecordStore } from '../../records/index.ts'
import { FlagError } from '../io/flags.ts'
import type { Io, Services } from '../io/io.ts'
import { withNamedFiles } from '../io/named-files.ts'
import { configFileOf } from '../io/settings.ts'

/** The flags that say where the records are. */
export interface RecordsFlags {
  file?: string
  config?: string
  json?: boolean
  color?: boolean
}

const megabyte = 1024 ** 2
const dayMs = 86_400_000

/** Opens the file of records: that of `--file`, else the configuration's. Throws a FlagError if there is none. */
export function openRecords(
  { file, config }: RecordsFlags,
  {
    io,
    services,
    mayCreate = false,
  }: { io: Pick<Io, 'env'>; services: Pick<Services, 'dialects'>; mayCreate?: boolean },
): RecordStore {
  const configFile = configFileOf(config, io)
  const records =
    configFile === undefined
      ? undefined
      : withNamedFiles(loadConfigFile(configFile, { env: io.env, dialects: services.dialects }), configFile).records
  const name = file ?? records?.file
  if (name === undefined)
    throw new FlagError('no file of records: name it with --file FILE, or set records.file in the configuration')
  if (!mayCreate && !existsSync(name)) throw new FlagError(`${name}: there is no such file`)
  const { megabytes = 1_000_000, days = 36_500 } = records ?? {}
  return openSqliteStore(name, { bytes: megabytes * megabyte, ageMs: days * dayMs })
}

/** Returns a record by its id, or by the end of it. Throws a FlagError if there is none. */
export function findRecord(store: RecordStore, id: string): ExchangeRecord {
  const found = store.get(id)
  if (found) return found
  const [one, ...others] = store.list({ limit: 10_000 }).filter((row) => row.id.startsWith(id) || row.id.endsWith(id))
  const record = one && others.length === 0 ? store.get(one.id) : undefined
  if (record) return record
  throw new FlagError(
    others.length > 0
      ? `${id}: several records have this id`
      : `${id}: there is no such record; see "anycall records list"`,
  )
}
