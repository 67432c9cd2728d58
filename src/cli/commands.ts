import { type Command, Option } from 'commander'
import { logLevels, planNames, typesWithUrl } from '../gateway/index.ts'
import { type DemoFlags, demo } from './demo.ts'
import { type DialectsFlags, showDialects } from './dialects-command.ts'
import { type DoctorFlags, doctor } from './doctor/doctor.ts'
import { init } from './init/init.ts'
import { collect, FlagError, type ServeFlags, unknownDialect } from './io/flags.ts'
import { ownReading } from './io/io.ts'
import { type ReadFlags, readText } from './read/read.ts'
import { recordsCommand } from './records/commands.ts'
import { checkConfig, showConfigSchema } from './serve/config-command.ts'
import { hashKey } from './serve/hash-key.ts'
import { type ServeOptions, serve } from './serve/serve.ts'
import { addTemplateFlags } from './template/flags.ts'
import { showTemplate, type TemplateFlags } from './template/template.ts'

/** The context of a command; `exit` receives its exit code. */
export interface CommandContext extends ServeOptions {
  exit(code: number): void
}

/** Adds one command to the program. */
export type CommandDefinition = (program: Command, context: CommandContext) => void

export const commands: readonly CommandDefinition[] = [
  initCommand,
  serveCommand,
  readCommand,
  dialectsCommand,
  templateCommand,
  doctorCommand,
  demoCommand,
  configCommand,
  keysCommand,
  recordsCommand,
]

function initCommand(program: Command, context: CommandContext): void {
  program
    .command('init')
    .description('write a configuration for the model servers, model files and keys that are found on this machine')
    .argument(
      '[file]',
      'YAML file to write, which must not exist yet (default: anycall.yaml); - prints the configuration',
    )
    .addHelpText('after', initHelp)
    .action(async (file = 'anycall.yaml') => context.exit(await init(file, context)))
}

const initHelp = `
It looks for Ollama, llama-server, LM Studio and vLLM on their usual ports, for *.gguf files in the
folder of the file, and for keys such as OPENAI_API_KEY in the environment. The file refers to the
variables and holds no key.`

function serveCommand(program: Command, context: CommandContext): void {
  program
    .command('serve')
    .description('run the gateway')
    .option('--upstream <url>', 'base URL of a model server (default: one found on this machine)')
    .addOption(upstreamType())
    .option('--model <name>', "the upstream's model that answers every request; or a .gguf file to run in this process")
    .addOption(
      new Option(
        '--plan <plan>',
        'how requests are served (default: auto, which chooses by upstream and template)',
      ).choices([...planNames, 'auto']),
    )
    .addOption(dialectOption(context))
    .option('--template <file>', "the model's chat template: .jinja, tokenizer_config.json or GGUF file")
    .option('--port <number>', 'port to listen on (default: 8787)')
    .option('--host <address>', 'address to listen on (default: 127.0.0.1); a public address needs a key')
    .option('--workers <number>', 'processes that serve the address, or auto: one for each core (default: 1)')
    .addOption(
      new Option('--key <key>', 'key that clients must send; may be repeated (also: ANYCALL_KEY)').argParser(collect),
    )
    .option('--config <file>', 'YAML or JSON file; flags override it (also: ANYCALL_CONFIG)')
    .option('--inspect', 'keep records of all exchanges, and serve them below /inspector/')
    .addOption(
      new Option('--log-level <level>', 'lowest level of log lines on stderr (default: info)').choices(logLevels),
    )
    .action(async (flags: ServeFlags) => context.exit(await serve(flags, context)))
}

function doctorCommand(program: Command, context: CommandContext): void {
  program
    .command('doctor')
    .description('test what a model server can do, and print the plan for its models')
    .option(
      '--upstream <url>',
      'base URL of a model server (default: the upstreams of the configuration, else the servers found on this machine)',
    )
    .addOption(upstreamType())
    .option(
      '--model <name>',
      'the model to test (default: the model of its rule, else the first model that the server lists)',
    )
    .option('--config <file>', 'YAML or JSON file (also: ANYCALL_CONFIG)')
    .option('--json', 'print JSON')
    .addHelpText('after', doctorHelp)
    .action(async (flags: DoctorFlags) => context.exit(await doctor(flags, context)))
}

const doctorHelp = `
Each model gets a few short requests. Each may take 1024 tokens and one minute. The exit code is 0, or 1
if an upstream cannot be reached.

Examples:
  anycall doctor
  anycall doctor --upstream http://127.0.0.1:8000/v1 --model qwen2.5
  anycall doctor --config anycall.yaml --json`

function demoCommand(program: Command, context: CommandContext): void {
  program
    .command('demo')
    .description('show one round trip: request, prompt, model text, reply (needs no model)')
    .addOption(dialectOption(context))
    .action(async (flags: DemoFlags) => context.exit(await demo(flags, context.io, context.services)))
}

function readCommand(program: Command, context: CommandContext): void {
  program
    .command('read')
    .description("read the tool calls out of a model's text, as it arrives")
    .argument('[file]', 'file with the text (default, and for -: standard input)')
    .option('--tools <file>', 'JSON file of the tools: OpenAI, Anthropic or MCP tools, names, or a whole request')
    .addOption(
      new Option('--tool <name>', 'a tool without a schema, instead of a file; may be repeated').argParser(collect),
    )
    .option(
      '--dialect <name>',
      'how the model writes calls; see anycall dialects (default: universal, which reads all of them)',
    )
    .option('--trigger <text>', 'the trigger of this conversation: only calls after this text count')
    .option('--standalone', 'read calls without markers only if the text contains nothing else')
    .option('--calls-in-reasoning', 'accept calls inside reasoning as well')
    .option('--loose-calls', 'accept NAME{json} and NAME({json}) at the beginning of a line as calls')
    .option('--natural-language', 'accept "Calling NAME with {json}" as a call')
    .addOption(
      new Option('--fences <how>', 'lenient: a final code block that contains only calls is executed').choices([
        'strict',
        'lenient',
      ]),
    )
    .addOption(
      new Option('--reasoning <how>', 'open: the text begins with reasoning, because the prompt has opened it').choices(
        ['detect', 'open'],
      ),
    )
    .addOption(
      new Option(
        '--delivery <how>',
        'live: emit calls as they are written; whole: once they are complete (default: live)',
      ).choices(['live', 'whole']),
    )
    .option('--cut', 'the token limit cut the text')
    .option('--json', 'print one event per line as JSON, the report last')
    .option('--explain', 'print the text with the role of every span; with --json, print spans as lines too')
    .option('--color', 'use colours even if the output is not a terminal')
    .option('--no-color', 'use no colours (also: NO_COLOR, FORCE_COLOR)')
    .addHelpText('after', readHelp)
    .action(async (file: string | undefined, flags: ReadFlags) =>
      context.exit(await readText(file, flags, context.io, context.services.reading ?? ownReading)),
    )
}

const readHelp = `
Without --json, the output is for people: a bar before lines of reasoning, text unchanged, and
"call NAME {json}" for each call. Notices and a report follow on standard error.

Examples:
  anycall read reply.txt --tools tools.json
  anycall read reply.txt --tool get_weather --explain
  my-model | anycall read --tools tools.json --json`

function dialectsCommand(program: Command, context: CommandContext): void {
  program
    .command('dialects')
    .description('list the dialects: how model families write calls')
    .argument('[name]', 'show one dialect, with an example')
    .option('--json', 'print JSON')
    .action((name: string | undefined, flags: DialectsFlags) =>
      context.exit(showDialects(name, flags, context.io, (context.services.reading ?? ownReading).dialects)),
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
    .description('check a configuration file, and print what it would serve')
    .argument('[file]', 'YAML or JSON file, or - for standard input (also: ANYCALL_CONFIG)')
    .action(async (file: string | undefined) => context.exit(await checkConfig(file, context.io, context.services)))
  config
    .command('schema')
    .description('print the JSON schema of configuration files, for editors')
    .action(() => context.exit(showConfigSchema(context.io)))
}

function keysCommand(program: Command, context: CommandContext): void {
  const keys = program.command('keys').description('work with the keys of clients')
  keys
    .command('hash')
    .description('read a key on standard input and print its digest, for `sha256` in the configuration')
    .addHelpText('after', keysHelp)
    .action(async () => context.exit(await hashKey(context.io)))
}

const keysHelp = `
Examples:
  openssl rand -hex 24 > team-a.key
  anycall keys hash < team-a.key`

/** Flags for a dialect: their help names no choices, because there are too many for a line. */
function dialectOption({ services }: CommandContext): Option {
  return new Option(
    '--dialect <name>',
    'the form in which the model is told to write calls; see anycall dialects',
  ).argParser((name: string): string => {
    if (services.dialects.includes(name)) return name
    throw new FlagError(`--dialect: ${unknownDialect(name, services.dialects)}`)
  })
}

function upstreamType(): Option {
  return new Option('--type <type>', 'type of --upstream (default: auto-detected, else openai-chat)').choices(
    typesWithUrl,
  )
}
