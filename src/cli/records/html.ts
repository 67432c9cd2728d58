import { type GatewayConfig, redactionOf } from '../../gateway/index.ts'
import { type ExchangeRecord, type ExportedRecord, Masker, missedCalls, redacted } from '../../records/index.ts'
import { FlagError } from '../io/flags.ts'
import { configOf, findRecords, type RecordsContext, type RecordsFlags, withRecords } from './open.ts'

export interface HtmlFlags extends RecordsFlags {
  session?: boolean
  /** Regular expressions for texts to be masked. */
  redact?: string[]
}

/** The element of the page that takes the records. */
const place = '<script type="application/json" id="records">[]</script>'

/** Prints records as a page that needs no server. Keys of the configuration and texts that `--redact` matches are masked. */
export async function printHtml(ids: readonly string[], flags: HtmlFlags, context: RecordsContext): Promise<number> {
  const mask = maskOf(flags.redact ?? [], configOf(flags, context))
  const records = withRecords(flags, context, (store) => findRecords(store, ids, flags)).map(mask)
  const page = await context.services.readPage('records.html')
  if (page === undefined) throw new FlagError('records.html is missing beside the program: install the package again')
  context.io.stdout(pageOf(page, records))
  return 0
}

/** Returns the page with the records in it. */
export function pageOf(page: string, records: readonly ExchangeRecord[]): string {
  // No text may end the element. A function, because `$&` in a text would insert the match.
  const exported = records.map((record): ExportedRecord => ({ record, missed: missedCalls(record) }))
  const json = JSON.stringify(exported).replaceAll('<', '\\u003c')
  return page.replace(place, () => place.replace('[]', () => json))
}

/** Records are masked when they are created; this masks the values that were configured later, and those of `--redact`. */
export function maskOf(
  patterns: readonly string[],
  config: GatewayConfig | undefined,
): (record: ExchangeRecord) => ExchangeRecord {
  const own = new Masker({ secrets: [], patterns: patterns.map(expressionOf) })
  const ownRules = { masker: own, paths: [] }
  const rules = config ? redactionOf(config) : ownRules
  return (record) => redacted(redacted(record, rules), ownRules)
}

function expressionOf(source: string): RegExp {
  try {
    return new RegExp(source, 'gu')
  } catch (error) {
    throw new FlagError(`--redact: ${error instanceof Error ? error.message : String(error)}`)
  }
}
