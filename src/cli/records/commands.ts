import { type Command, Option } from 'commander'
import type { ServeOptions } from '../serve/serve.ts'
import type { RecordsFlags } from './open.ts'
import {
  exportRecords,
  importRecords,
  type ListFlags,
  listRecords,
  pruneRecords,
  type ReplayFlags,
  replayRecord,
  showRecord,
  testOfRecord,
} from './records.ts'

interface CommandContext extends ServeOptions {
  exit(code: number): void
}

/** Adds `anycall records` with its commands. */
export function recordsCommand(program: Command, context: CommandContext): void {
  const records = program.command('records').description('look at the records of exchanges')
  const add = (name: string, description: string): Command =>
    records
      .command(name)
      .description(description)
      .option('--file <file>', 'the SQLite file of the records (default: records.file of the configuration)')
      .option('--config <file>', 'YAML or JSON file (also: ANYCALL_CONFIG)')

  add('list', 'print one line for each exchange, the newest first')
    .option('--limit <number>', 'at most so many (default: 50)')
    .addOption(new Option('--state <state>', 'ok, odd or failed ones only').choices(['ok', 'odd', 'failed']))
    .option('--tool <name>', 'those that called this tool')
    .option('--notice <code>', 'those with this notice or error')
    .option('--text <text>', 'those in whose request, reply or error this text is')
    .option('--json', 'print one line of JSON for each')
    .action((flags: ListFlags) => context.exit(listRecords(flags, context)))
  add('show', 'print one exchange as JSON')
    .argument('<id>', 'the request id, or its beginning or end')
    .option('--explain', 'print it for a person: what went wrong, prompt, model text with roles, response')
    .option('--color', 'use colours even if the output is not a terminal')
    .option('--no-color', 'use no colours (also: NO_COLOR, FORCE_COLOR)')
    .action((id: string, flags: RecordsFlags & { explain?: boolean }) => context.exit(showRecord(id, flags, context)))
  add('export', 'print records as JSON, one a line')
    .argument('[ids...]', 'request ids (default: all)')
    .action((ids: string[], flags: RecordsFlags) => context.exit(exportRecords(ids, flags, context)))
  add('import', 'add records that were exported')
    .argument('<jsonl>', 'a file that "records export" wrote')
    .action(async (file: string, flags: RecordsFlags) => context.exit(await importRecords(file, flags, context)))
  add('prune', 'remove records')
    .argument('[ids...]', 'request ids')
    .option('--days <number>', 'those that are older than this')
    .action((ids: string[], flags: RecordsFlags & { days?: string }) => context.exit(pruneRecords(ids, flags, context)))
  add('replay', 'read the text of an exchange again, and print both readings')
    .argument('<id>', 'the request id')
    .option('--dialect <name>', 'as this dialect (default: as it was read)')
    .option('--split <number>', 'in pieces of so many characters (default: as it came)')
    .action((id: string, flags: ReplayFlags) => context.exit(replayRecord(id, flags, context)))
  add('test', 'print an exchange as a case for conformance tests, to be confirmed by a person')
    .argument('<id>', 'the request id')
    .action((id: string, flags: RecordsFlags) => context.exit(testOfRecord(id, flags, context)))
}
