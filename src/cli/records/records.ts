import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { AnycallError } from '../../conversation/index.ts'
import {
  chainOf,
  conformanceCase,
  matches,
  pack,
  parseRecord,
  type RecordStore,
  summaryOf,
} from '../../records/index.ts'
import { FlagError, fileProblem, positiveNumber, wholeNumber } from '../io/flags.ts'
import { screenOf, shown } from '../io/terminal.ts'
import { findRecord, openRecords, type RecordsContext, type RecordsFlags, withRecords } from './open.ts'
import { explainRecord } from './show.ts'

export interface ListFlags extends RecordsFlags {
  limit?: string
  state?: string
  tool?: string
  notice?: string
  text?: string
}

/** Prints one line for each record, the newest first. */
export function listRecords(flags: ListFlags, context: RecordsContext): number {
  const limit = positiveNumber(flags.limit ?? '50', '--limit')
  const store = openRecords(flags, context)
  const { io } = context
  const screen = screenOf({ ...io, flag: flags.color })
  const filter = {
    ...(flags.state !== undefined && { state: [stateOf(flags.state)] }),
    ...(flags.tool !== undefined && { tool: [flags.tool] }),
    ...(flags.notice !== undefined && { notice: [flags.notice] }),
    ...(flags.text !== undefined && { text: flags.text }),
  }
  const rows = store.list({ limit: 100_000 }).filter((row) => matches(row, filter))
  for (const row of rows.slice(0, limit)) {
    if (flags.json) io.stdout(`${JSON.stringify(row)}\n`)
    else {
      const why = row.error?.code ?? row.notices.join(', ')
      const line = [
        row.at,
        row.id,
        row.state.padEnd(6),
        String(row.status),
        row.model ?? '',
        row.plan ?? '',
        row.calls.join(','),
        why,
      ]
      io.stdout(`${shown(line.join('  '), screen)}\n`)
    }
  }
  store.close()
  return 0
}

function stateOf(text: string): 'ok' | 'odd' | 'failed' {
  if (text === 'ok' || text === 'odd' || text === 'failed') return text
  throw new FlagError(`--state: expected ok, odd or failed, got ${JSON.stringify(text)}`)
}

/** Prints one record: as JSON, or explained for a person. */
export function showRecord(id: string, flags: RecordsFlags & { explain?: boolean }, context: RecordsContext): number {
  const record = withRecords(flags, context, (store) => findRecord(store, id))
  if (flags.explain) explainRecord(record, context.io, screenOf({ ...context.io, flag: flags.color }))
  else context.io.stdout(`${JSON.stringify(record, undefined, 2)}\n`)
  return 0
}

/** Prints all records as JSON, one per line, the oldest first; or those of the given ids. */
export function exportRecords(ids: readonly string[], flags: RecordsFlags, context: RecordsContext): number {
  const store = openRecords(flags, context)
  const wanted =
    ids.length > 0
      ? ids
      : store
          .list({ limit: 10_000_000 })
          .map(({ id }) => id)
          .reverse()
  for (const id of wanted) context.io.stdout(`${JSON.stringify(findRecord(store, id))}\n`)
  store.close()
  return 0
}

/**
 * Adds the records of a file that `export` wrote. Throws a FlagError that names the line that is no record. The store is opened, and created
 * if there is none, once the first line is read.
 */
export async function importRecords(file: string, flags: RecordsFlags, context: RecordsContext): Promise<number> {
  let store: RecordStore | undefined
  let count = 0
  try {
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
      count++
      if (line.trim() === '') continue
      const record = parsed(line, `${file}, line ${count}`)
      store ??= openRecords(flags, context, { mayCreate: true })
      const head = record.conversation && chainOf(record.conversation).at(-1)
      store.add([{ summary: summaryOf(record), data: pack(record), ...(head !== undefined && { head }) }])
    }
    store ??= openRecords(flags, context, { mayCreate: true })
  } catch (error) {
    throw error instanceof FlagError || AnycallError.isInstance(error) ? error : fileProblem(file, error)
  } finally {
    store?.close()
  }
  return 0
}

function parsed(line: string, place: string): ReturnType<typeof parseRecord> {
  try {
    return parseRecord(line)
  } catch (error) {
    throw new FlagError(`${place}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Removes records: those older than some days, or those given by id. */
export function pruneRecords(
  ids: readonly string[],
  flags: RecordsFlags & { days?: string },
  context: RecordsContext,
): number {
  if (ids.length === 0 && flags.days === undefined)
    throw new FlagError('nothing to remove: name records, or give --days NUMBER for those that are older')
  const before = flags.days === undefined ? {} : { before: Date.now() - wholeNumber(flags.days, '--days') * 86_400_000 }
  const store = openRecords(flags, context)
  const removed = store.remove({ ids: ids.map((id) => findRecord(store, id).id), ...before })
  store.close()
  context.io.stdout(`${removed} removed\n`)
  return 0
}

/** Prints a record as a case for `npm run conformance`, in a list of one. */
export function testOfRecord(id: string, flags: RecordsFlags, context: RecordsContext): number {
  const record = withRecords(flags, context, (store) => findRecord(store, id))
  context.io.stdout(`${JSON.stringify([conformanceCase(record)], undefined, 1)}\n`)
  return 0
}
