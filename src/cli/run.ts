import { Command, CommanderError } from 'commander'
import { AnycallError } from '../conversation/index.ts'
import { ConfigError } from '../gateway/index.ts'
import { type CommandContext, commands } from './commands.ts'
import { FlagError } from './io/flags.ts'
import { version } from './io/io.ts'
import type { ServeOptions } from './serve/serve.ts'

/** Runs `anycall` with the `argv` of a process. Resolves with the exit code: 0, 1 for a failure, 2 for wrong usage or a wrong configuration. */
export async function run(argv: readonly string[], options: ServeOptions): Promise<number> {
  let code = 0
  const context: CommandContext = {
    ...options,
    exit: (given) => {
      code = given
    },
  }
  try {
    await createProgram(context).parseAsync([...argv])
    return code
  } catch (error) {
    // Commander has already printed its message.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    const { message, exitCode } = failure(error)
    options.io.stderr(`${message}\n`)
    return exitCode
  }
}

/** Builds the command line, with all commands. */
export function createProgram(context: CommandContext): Command {
  const { io } = context
  const program = new Command('anycall')
    .description('Real tool calls for any client with any model: a gateway for the Anthropic and OpenAI APIs.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help for a command')
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout(text),
      writeErr: (text) => io.stderr(text),
      // The value of an unknown flag may be a key.
      outputError: (text, write) => write(text.replace(/(unknown option '--?[^'=]*)=[^']*/, '$1')),
    })
    .addHelpText('after', examples)
  for (const add of commands) add(program, context)
  return program
}

const examples = `
Examples:
  anycall serve                                              with a model server on this machine, else the scripted model
  anycall serve --upstream http://127.0.0.1:8000/v1          with a server of your choice
  anycall serve --model ./model.gguf                         with a model file, in this process
  anycall serve --config anycall.yaml                        with a configuration file
  anycall demo                                               show one round trip
  anycall config check anycall.yaml                          check the file, and print what it serves`

function failure(error: unknown): { message: string; exitCode: number } {
  if (error instanceof FlagError) return { message: prefixed(error.message), exitCode: 2 }
  if (error instanceof ConfigError) return { message: `The configuration is wrong:\n${error.message}`, exitCode: 2 }
  if (AnycallError.isInstance(error)) return { message: prefixed(error.message), exitCode: 1 }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { message: `Internal error (please report it):\n${text}`, exitCode: 1 }
}

function prefixed(message: string): string {
  return message.replace(/^/gm, 'error: ')
}
