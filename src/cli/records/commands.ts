import { type Command, Option } from 'commander'
import { collect } from '../io/flags.ts'
import type { ServeOptions } from '../serve/serve.ts'
import { type HtmlFlags, printHtml } from './html.ts'
import type { RecordsFlags } from './open.ts'
import { type PlayFlags, playRecords } from './play.ts'
import {
  exportRecords,
  importRecords,
  type ListFlags,
  listRecords,
  pruneRecords,
  showRecord,
  testOfRecord,
} from './records.ts'
import { type ReplayFlags, replayRecord } from './replay.ts'

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
    .option('--limit <number>', 'the largest number of exchanges to print (default: 50)')
    .addOption(new Option('--state <state>', 'only exchanges with this state').choices(['ok', 'odd', 'failed']))
    .option('--tool <name>', 'only exchanges that called this tool')
    .option('--notice <code>', 'only exchanges with this notice or error')
    .option('--text <text>', 'only exchanges whose request, reply or error contains this text')
    .option('--json', 'print each exchange as one line of JSON')
    .action((flags: ListFlags) => context.exit(listRecords(flags, context)))
  add('show', 'print one exchange as JSON')
    .argument('<id>', 'the request id, or its beginning or end')
    .option('--explain', 'print it as readable text: what went wrong, prompt, model text with roles, response')
    .option('--color', 'use colours even if the output is not a terminal')
    .option('--no-color', 'use no colours (also: NO_COLOR, FORCE_COLOR)')
    .action((id: string, flags: RecordsFlags & { explain?: boolean }) => context.exit(showRecord(id, flags, context)))
  add('export', 'print records as JSON, one per line')
    .argument('[ids...]', 'request ids, or their beginnings or ends (default: all)')
    .action((ids: string[], flags: RecordsFlags) => context.exit(exportRecords(ids, flags, context)))
  add('import', 'add exported records to the store')
    .argument('<jsonl>', 'a file that "records export" wrote')
    .action(async (file: string, flags: RecordsFlags) => context.exit(await importRecords(file, flags, context)))
  add('prune', 'remove records')
    .argument('[ids...]', 'request ids, or their beginnings or ends')
    .option('--days <number>', 'remove the records that are older than this number of days')
    .action((ids: string[], flags: RecordsFlags & { days?: string }) => context.exit(pruneRecords(ids, flags, context)))
  add('replay', 'read the text of an exchange again, or send its request again, and print both replies')
    .argument('<id>', 'the request id, or its beginning or end')
    .option(
      '--dialect <name>',
      'dialect to read or send with (default: that of the record; with --send, that of the rule)',
    )
    .option('--split <number>', 'read in pieces of this number of characters (default: the recorded pieces)')
    .option('--attempt <number>', 'read the text of this attempt, from 1 (default: the last one)')
    .option('--tools <file>', 'read with the tools of this JSON file (default: those of the request)')
    .addOption(new Option('--tool <name>', 'a tool without a schema; may be repeated').argParser(collect))
    .option('--send', 'send the request again through a running gateway that keeps records')
    .option('--model <name>', 'send to this model (default: the model of the request)')
    .option('--upstream <name>', 'send to this upstream of the gateway (default: that of the rule)')
    .addOption(
      new Option('--plan <plan>', 'send with this plan (default: that of the rule)').choices([
        'native',
        'prompted',
        'templated',
      ]),
    )
    .option('--url <url>', "the gateway's address (default: that of the configuration, else http://127.0.0.1:8787)")
    .option('--key <key>', "the gateway's admin key (default: records.adminKey of the configuration)")
    .addHelpText('after', replayHelp)
    .action(async (id: string, flags: ReplayFlags) => context.exit(await replayRecord(id, flags, context)))
  add('play', 'serve the recorded answers to a client, with the original delays')
    .argument('<ids...>', 'request ids, or their beginnings or ends: each POST gets the answer of the next one')
    .option('--session', 'all exchanges of the session, in order')
    .option('--port <number>', 'port to listen on (default: a free one)')
    .option('--speed <number>', 'factor for the speed: 2 plays twice as fast (default: 1)')
    .action(async (ids: string[], flags: PlayFlags) => context.exit(await playRecords(ids, flags, context)))
  add('html', 'print exchanges as one HTML file that needs no server')
    .argument('<ids...>', 'request ids, or their beginnings or ends')
    .option('--session', 'all exchanges of the session')
    .addOption(
      new Option('--redact <pattern>', 'mask what this regular expression matches; may be repeated').argParser(collect),
    )
    .action(async (ids: string[], flags: HtmlFlags) => context.exit(await printHtml(ids, flags, context)))
  add('test', 'print an exchange as a case for conformance tests, for a person to confirm')
    .argument('<id>', 'the request id, or its beginning or end')
    .action((id: string, flags: RecordsFlags) => context.exit(testOfRecord(id, flags, context)))
}

const replayHelp = `
The exit code is 1 if the replies differ. With --send, a part of the id is enough if the
gateway's file of records is given: by --file, or by the configuration.

Examples:
  anycall records replay req_1 --dialect mistral
  anycall records replay req_1 --send --model qwen2.5 --plan native`
