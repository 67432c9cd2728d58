import { AnycallError } from '../../conversation/index.ts'
import { neededModule } from '../../upstreams/index.ts'
import type { ExchangeRecord } from '../record/exchange.ts'
import type { ExchangeSummary } from '../record/summary.ts'
import { type Database, openDatabase, type SqlValue } from './binding.ts'
import { unpack } from './pack.ts'
import type { KnownHead, PackedExchange, RecordStore, StoreLimits } from './store.ts'

/** The version of the tables. */
const tablesVersion = 2
const tables = `
  create table if not exists exchange (
    seq integer primary key autoincrement,
    id text not null unique,
    at integer not null,
    session text not null,
    head text,
    summary text not null,
    data blob not null
  );
  create index if not exists exchange_session on exchange (session);
  create index if not exists exchange_at on exchange (at);
  pragma user_version = ${tablesVersion};`

/** Files of earlier versions do not have it. */
const index = 'create index if not exists exchange_head on exchange (head)'
/** The maximum number of conversations that are looked for, the longest first: a request has only a few turns more than the one before it. */
const mostHeads = 1000

/** The part of the limit that the write-ahead log may take. */
const logShare = 0.1
const largestLog = 16 * 1024 ** 2
/** The share of the oldest records that go when the file is full, so that not each batch has to remove some. */
const removedShare = 0.05

/**
 * Opens a store in a SQLite file, and creates the file if there is none. The write-ahead log keeps it whole if the process is killed; other
 * processes can read it meanwhile. Throws an AnycallError for a file that cannot be used.
 *
 * @example
 * const store = openSqliteStore('records.db', { bytes: 256 * 1024 ** 2, ageMs: 7 * 86_400_000 })
 */
export function openSqliteStore(file: string, limits: StoreLimits): RecordStore {
  const database = openDatabase(file)
  try {
    return new SqliteStore(file, database, limits)
  } catch (error) {
    database.close()
    if (AnycallError.isInstance(error)) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new AnycallError('invalid-config', `${file} cannot be used as a file of records: ${why}`, { cause: error })
  }
}

class SqliteStore implements RecordStore {
  readonly file: string
  readonly #database: Database
  readonly #limits: StoreLimits
  /** The bytes that the records may take. */
  readonly #budget: number
  readonly #zlib: Zlib = neededModule('node:zlib', 'records.file')
  readonly #statements = new Map<string, ReturnType<Database['prepare']>>()

  constructor(file: string, database: Database, limits: StoreLimits) {
    this.file = file
    this.#database = database
    this.#limits = limits
    const log = Math.min(largestLog, limits.bytes * logShare)
    this.#budget = limits.bytes - log
    // First of all: several processes may open the file at once.
    this.#all('pragma busy_timeout = 5000')
    // Before the first table: pages of removed records are given back.
    this.#all('pragma auto_vacuum = incremental')
    this.#all('pragma journal_mode = wal')
    this.#all(`pragma journal_size_limit = ${Math.floor(log)}`)
    this.#all(`pragma wal_autocheckpoint = ${Math.max(16, Math.floor(log / 2 / this.#pageSize))}`)
    this.#all('pragma synchronous = normal')
    const version = this.#number('pragma user_version')
    if (version !== 0 && version !== tablesVersion)
      throw new AnycallError(
        'invalid-config',
        `${file} has records of version ${version}, which this version of anycall does not know.`,
      )
    if (version === 0) database.exec(tables)
    database.exec(index)
  }

  add(batch: readonly PackedExchange[]): void {
    this.#transaction(() => {
      for (const { summary, head, data } of batch) {
        this.#run(
          'insert or replace into exchange (id, at, session, head, summary, data) values (?, ?, ?, ?, ?, ?)',
          summary.id,
          Date.parse(summary.at),
          summary.session.id,
          head ?? null,
          JSON.stringify(summary),
          written(data, this.#zlib),
        )
      }
      this.#shrink()
    })
    if (this.#number('pragma page_count') * this.#pageSize > this.#budget) this.#all('pragma incremental_vacuum(1000)')
  }

  list({ before, limit }: { before?: string; limit: number }): ExchangeSummary[] {
    return before === undefined
      ? this.#rows('select summary from exchange order by seq desc limit ?', limit)
      : this.#rows(
          'select summary from exchange where seq < (select seq from exchange where id = ?) order by seq desc limit ?',
          before,
          limit,
        )
  }

  session(id: string): ExchangeSummary[] {
    return this.#rows('select summary from exchange where session = ? order by seq', id)
  }

  get(id: string): ExchangeRecord | undefined {
    const [row] = this.#all('select data from exchange where id = ?', id)
    return isBlob(row?.data) ? unpack(read(row.data, this.#zlib)) : undefined
  }

  findHead(heads: readonly string[]): KnownHead | undefined {
    // Rows of the latest: a conversation that was sent again and again has many.
    const rows = this.#all(
      'select head, summary from exchange where head in (select value from json_each(?)) order by seq desc limit 1000',
      JSON.stringify(heads.slice(-mostHeads)),
    )
    const places = new Map(heads.map((head, place) => [head, place]))
    let found: { place: number; summary: string } | undefined
    for (const row of rows) {
      const place = places.get(String(row.head)) ?? -1
      if (found === undefined || place > found.place) found = { place, summary: String(row.summary) }
    }
    if (!found) return undefined
    const { id, session } = JSON.parse(found.summary) as ExchangeSummary
    return { head: heads[found.place] ?? '', id, session }
  }

  remove({ ids = [], before }: { ids?: readonly string[]; before?: number }): number {
    const count = this.size().exchanges
    this.#transaction(() => {
      for (const id of ids) this.#run('delete from exchange where id = ?', id)
      if (before !== undefined) this.#run('delete from exchange where at < ?', before)
    })
    this.#all('pragma incremental_vacuum')
    return count - this.size().exchanges
  }

  size(): { exchanges: number; bytes: number } {
    return {
      exchanges: this.#number('select count(*) as count from exchange'),
      bytes: this.#number('pragma page_count') * this.#pageSize,
    }
  }

  close(): void {
    this.#database.close()
  }

  get #pageSize(): number {
    return this.#number('pragma page_size')
  }

  /** Removes expired records, and the oldest ones over the size limit. */
  #shrink(): void {
    this.#run('delete from exchange where at < ?', Date.now() - this.#limits.ageMs)
    const pageSize = this.#pageSize
    const used = (): number => (this.#number('pragma page_count') - this.#number('pragma freelist_count')) * pageSize
    while (used() > this.#budget) {
      const count = this.#number('select count(*) as count from exchange')
      if (count === 0) return
      const some = Math.max(1, Math.ceil(count * removedShare))
      this.#run('delete from exchange where seq in (select seq from exchange order by seq limit ?)', some)
    }
  }

  #transaction(run: () => void): void {
    this.#database.exec('begin immediate')
    try {
      run()
      this.#database.exec('commit')
    } catch (error) {
      this.#database.exec('rollback')
      throw error
    }
  }

  #rows(sql: string, ...values: SqlValue[]): ExchangeSummary[] {
    return this.#all(sql, ...values).map(({ summary }) => JSON.parse(String(summary)) as ExchangeSummary)
  }

  #number(sql: string): number {
    return Number(Object.values(this.#all(sql)[0] ?? {})[0])
  }

  #run(sql: string, ...values: SqlValue[]): void {
    this.#statement(sql).run(...values)
  }

  #all(sql: string, ...values: SqlValue[]): Record<string, unknown>[] {
    // Rows are objects by the names of their columns.
    return this.#statement(sql).all(...values) as Record<string, unknown>[]
  }

  #statement(sql: string): ReturnType<Database['prepare']> {
    const known = this.#statements.get(sql)
    if (known) return known
    const made = this.#database.prepare(sql)
    this.#statements.set(sql, made)
    return made
  }
}

type Zlib = ReturnType<typeof neededModule<'node:zlib'>>

/** The fastest level. A record becomes 3 kB or so: Node's chunks of 16 kB take a sixth more time. */
const compression = { level: 1, chunkSize: 8192 }

/** The first character of a text that is stored as it is, and of one that is stored as JSON. */
const plain = '='
const escaped = '"'

/**
 * Returns the text as a column holds it: compressed, which takes less time than to write the many pages that it would fill. UTF-8 has no
 * form for half a surrogate pair. JSON escapes it, but takes time for a large text, so it is used for these alone.
 */
function written(text: string, { deflateRawSync }: Zlib): Uint8Array {
  return deflateRawSync(/\p{Surrogate}/u.test(text) ? JSON.stringify(text) : plain + text, compression)
}

/** True for a blob: libsql gives an ArrayBuffer, Node's own SQLite a Uint8Array. */
function isBlob(value: unknown): value is Uint8Array | ArrayBuffer {
  return value instanceof Uint8Array || value instanceof ArrayBuffer
}

/** Reads what `written` returned. */
function read(column: Uint8Array | ArrayBuffer, { inflateRawSync }: Zlib): string {
  const text = inflateRawSync(column).toString()
  return text.startsWith(escaped) ? String(JSON.parse(text)) : text.slice(plain.length)
}
