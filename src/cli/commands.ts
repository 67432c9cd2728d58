import { type Command, Option } from 'commander'
import { logLevels, planNames, typesWithUrl } from '../gateway/index.ts'
import { type DemoFlags, demo } from './demo.ts'
import { type DialectsFlags, showDialects } from './dialects-command.ts'
import { type DoctorFlags, doctor } from './doctor/doctor.ts'
import type { ServeFlags } from './io/flags.ts'
import { ownReading } from './io/reading.ts'
import { type ReadFlags, readText } from './read/read.ts'
import { checkConfig, showConfigSchema } from './serve/config-command.ts'
import { type ServeOptions, serve } from './serve/serve.ts'
import { addTemplateFlags } from './template/flags.ts'
import { showTemplate, type TemplateFlags } from './template/template.ts'

/** What a command gets; `exit` takes its exit code. */
export interface CommandContext extends ServeOptions {
  exit(code: number): void
}

/** Adds one command to the program. */
export type CommandDefinition = (program: Command, context: CommandContext) => void

export const commands: readonly CommandDefinition[] = [
  serveCommand,
  readCommand,
  dialectsCommand,
  templateCommand,
  doctorCommand,
  demoCommand,
  configCommand,
]

function serveCommand(program: Command, context: CommandContext): void {
  program
    .command('serve')
    .description('run the gateway')
    .option('--upstream <url>', 'base URL of a model server (default: one found on this machine)')
    .addOption(upstreamType())
    .option(
      '--model <name>',
      "the upstream's model that answers, whatever name a client asks for; or a .gguf file to run in this process",
    )
    .addOption(
      new Option('--plan <plan>', 'how models are served (default: auto, as upstream and template allow)').choices([
        ...planNames,
        'auto',
      ]),
    )
    .addOption(new Option('--dialect <name>', 'how the model is told to write calls').choices(context.rooms.dialects))
    .option('--template <file>', "the model's chat template: .jinja, tokenizer_config.json or GGUF file")
    .option('--port <number>', 'port to listen on (default: 8787)')
    .option('--host <address>', 'address to listen on (default: 127.0.0.1); any but loopback needs a key')
    .addOption(
      new Option('--key <key>', 'key that clients must send; may be repeated (also: ANYCALL_KEY)').argParser(collect),
    )
    .option('--config <file>', 'YAML or JSON file; flags go over it (also: ANYCALL_CONFIG)')
    .addOption(new Option('--log-level <level>', 'what is logged to stderr (default: info)').choices(logLevels))
    .action(async (flags: ServeFlags) => context.exit(await serve(flags, context)))
}

function doctorCommand(program: Command, context: CommandContext): void {
  program
    .command('doctor')
    .description('ask a model server what it can do, and which plan follows')
    .option(
      '--upstream <url>',
      'base URL of a model server (default: those of the configuration, else of this machine)',
    )
    .addOption(upstreamType())
    .option('--model <name>', 'the model to ask (default: the one of its rule, else the first that is listed)')
    .option('--config <file>', 'YAML or JSON file (also: ANYCALL_CONFIG)')
    .option('--json', 'as JSON')
    .addHelpText('after', doctorHelp)
    .action(async (flags: DoctorFlags) => context.exit(await doctor(flags, context)))
}

const doctorHelp = `
Each model is asked a few short questions, of at most 1024 tokens and a minute each. Exit code: 0, or
1 where an upstream cannot be reached.

Examples:
  anycall doctor
  anycall doctor --upstream http://127.0.0.1:8000/v1 --model qwen2.5
  anycall doctor --config anycall.yaml --json`

function demoCommand(program: Command, context: CommandContext): void {
  program
    .command('demo')
    .description('show one round trip: request, prompt, model text, reply (needs no model)')
    .addOption(new Option('--dialect <name>', 'how the model is told to write calls').choices(context.rooms.dialects))
    .action(async (flags: DemoFlags) => context.exit(await demo(flags, context.io, context.rooms)))
}

function readCommand(program: Command, context: CommandContext): void {
  program
    .command('read')
    .description("read the tool calls out of a model's text, as it arrives")
    .argument('[file]', 'file with the text (default, and for -: standard input)')
    .option(
      '--tools <file>',
      'JSON file of the tools: OpenAI, Anthropic or MCP tools, or names; a whole request will do',
    )
    .addOption(
      new Option('--tool <name>', 'a tool without a schema, instead of a file; may be repeated').argParser(collect),
    )
    .option(
      '--dialect <name>',
      'how the model writes calls; see anycall dialects (default: universal, whichever it is)',
    )
    .option('--trigger <text>', 'the line that announces calls in this conversation, for dialects with a trigger')
    .option('--standalone', 'only a text that is a call as a whole is one')
    .option('--calls-in-reasoning', 'calls within reasoning count too')
    .option('--loose-calls', 'NAME{json} and NAME({json}) at the beginning of a line are calls too')
    .option('--natural-language', 'Calling NAME with {json} is a call too')
    .addOption(
      new Option('--fences <how>', 'lenient: a code block that ends the text and holds only a call is one').choices([
        'strict',
        'lenient',
      ]),
    )
    .addOption(new Option('--reasoning <how>', 'open: the text begins within reasoning').choices(['detect', 'open']))
    .addOption(
      new Option('--delivery <how>', 'calls as they are written, or once they are whole (default: live)').choices([
        'live',
        'whole',
      ]),
    )
    .option('--cut', 'the text was cut by the token limit')
    .option('--json', 'one event a line as JSON, the report last')
    .option('--explain', 'the text with every span marked by its role; with --json, spans as lines too')
    .option('--color', 'colours also where the output is no terminal')
    .option('--no-color', 'no colours (also: NO_COLOR, FORCE_COLOR)')
    .addHelpText('after', readHelp)
    .action(async (file: string | undefined, flags: ReadFlags) =>
      context.exit(await readText(file, flags, context.io, context.rooms.reading ?? ownReading)),
    )
}

const readHelp = `
Without --json the message is printed for a person: reasoning behind a bar, text as it is, and
"call NAME {json}" for each call; notices and a report follow on standard error.

Examples:
  anycall read reply.txt --tools tools.json
  anycall read reply.txt --tool get_weather --explain
  my-model | anycall read --tools tools.json --json`

function dialectsCommand(program: Command, context: CommandContext): void {
  program
    .command('dialects')
    .description('list the dialects: how model families write calls')
    .argument('[name]', 'show one, with an example')
    .option('--json', 'as JSON')
    .action((name: string | undefined, flags: DialectsFlags) =>
      context.exit(showDialects(name, flags, context.io, (context.rooms.reading ?? ownReading).dialects)),
    )
}

function templateCommand(program: Command, context: CommandContext): void {
  addTemplateFlags(program.command('template'), collect).action(async (source: string, flags: TemplateFlags) =>
    context.exit(await showTemplate(source, flags, context.io)),
  )
}

function configCommand(program: Command, context: CommandContext): void {
  const config = program.command('config').description('look at the configuration')
  config
    .command('check')
    .description('read a configuration file and say what it would serve, or what is wrong with it')
    .argument('[file]', 'YAML or JSON file, or - for standard input (also: ANYCALL_CONFIG)')
    .action(async (file: string | undefined) => context.exit(await checkConfig(file, context.io, context.rooms)))
  config
    .command('schema')
    .description('print the JSON schema of configuration files, for editors')
    .action(() => context.exit(showConfigSchema(context.io)))
}

function upstreamType(): Option {
  return new Option('--type <type>', 'what --upstream is (default: what it says of itself, else openai-chat)').choices(
    typesWithUrl,
  )
}

function collect(value: string, earlier: string[] | undefined): string[] {
  return [...(earlier ?? []), value]
}
