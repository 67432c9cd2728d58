import { AnycallError } from '../../conversation/index.ts'
import { builtinModule, neededModule } from '../../upstreams/index.ts'

/** A value of a row. */
export type SqlValue = string | number | null | Uint8Array

/** The parts that SQLite's bindings share: Node's own and libsql's. */
export interface Database {
  exec(sql: string): unknown
  prepare(sql: string): Statement
  close(): void
}

interface Statement {
  run(...values: SqlValue[]): unknown
  all(...values: SqlValue[]): unknown[]
}

interface SqliteModule {
  DatabaseSync: new (file: string) => Database
}

const packageName: string = 'libsql'

/**
 * Opens a database with Node's own SQLite, which Node has from version 22.13 on, else with the package libsql. Throws an
 * AnycallError if there is neither, or the file cannot be opened.
 */
export function openDatabase(file: string): Database {
  const own: unknown = globalThis.process?.getBuiltinModule?.('node:sqlite')
  try {
    if (isSqlite(own)) {
      createPrivate(file)
      return new own.DatabaseSync(file)
    }
    const { createRequire } = neededModule('node:module', 'records.file')
    const Libsql: unknown = createRequire(import.meta.url)(packageName)
    if (typeof Libsql === 'function') {
      createPrivate(file)
      return Reflect.construct(Libsql, [file]) as Database
    }
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n', 1)[0] : String(error)
    const isMissing = error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND'
    const advice = isMissing
      ? 'This version of Node has no SQLite: run "npm install libsql", use Node 22.13 or later, or leave records.file out.'
      : `The file cannot be opened: ${why}`
    throw new AnycallError('invalid-config', `records.file: ${file}: ${advice}`, { cause: error })
  }
  throw new AnycallError(
    'invalid-config',
    `records.file: the package ${packageName} is not as expected. Install version 0.5.`,
  )
}

/**
 * Creates a file that only its owner can read, if there is none: records have what users wrote. SQLite gives the files beside it the same
 * mode.
 */
function createPrivate(file: string): void {
  const fs = builtinModule('node:fs')
  if (!fs || file === ':memory:') return
  try {
    fs.closeSync(fs.openSync(file, 'wx', 0o600))
  } catch {
    // There is one, or SQLite says why there can be none.
  }
}

function isSqlite(module: unknown): module is SqliteModule {
  return typeof module === 'object' && module !== null && 'DatabaseSync' in module
}
