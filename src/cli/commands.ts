import { type Command, Option } from 'commander'
import { logLevels } from '../gateway/config.ts'
import { checkConfig } from './config-command.ts'
import { type DemoFlags, demo } from './demo.ts'
import { type ServeOptions, serve } from './serve.ts'
import type { ServeFlags } from './settings.ts'

/** What a command gets; `exit` takes its exit code. */
export interface CommandContext extends ServeOptions {
  exit(code: number): void
}

/** Adds one command to the program. */
export type CommandDefinition = (program: Command, context: CommandContext) => void

export const commands: readonly CommandDefinition[] = [serveCommand, demoCommand, configCommand]

function serveCommand(program: Command, context: CommandContext): void {
  program
    .command('serve')
    .description('run the gateway')
    .option('--upstream <url>', 'base URL of an OpenAI-compatible server (default: one found on this machine)')
    .option('--model <name>', "the upstream's model that answers, whatever name a client asks for")
    .addOption(new Option('--dialect <name>', 'how the model is told to write calls').choices(context.rooms.dialects))
    .option('--port <number>', 'port to listen on (default: 8787)')
    .option('--host <address>', 'address to listen on (default: 127.0.0.1); any but loopback needs a key')
    .addOption(
      new Option('--key <key>', 'key that clients must send; may be repeated (also: ANYCALL_KEY)').argParser(collect),
    )
    .option('--config <file>', 'YAML or JSON file; flags go over it (also: ANYCALL_CONFIG)')
    .addOption(new Option('--log-level <level>', 'what is logged to stderr (default: info)').choices(logLevels))
    .action(async (flags: ServeFlags) => context.exit(await serve(flags, context)))
}

function demoCommand(program: Command, context: CommandContext): void {
  program
    .command('demo')
    .description('show one round trip: request, prompt, model text, reply (needs no model)')
    .addOption(new Option('--dialect <name>', 'how the model is told to write calls').choices(context.rooms.dialects))
    .action(async (flags: DemoFlags) => context.exit(await demo(flags, context.io, context.rooms)))
}

function configCommand(program: Command, context: CommandContext): void {
  program
    .command('config')
    .description('look at the configuration')
    .command('check')
    .description('read a configuration file and say what it would serve, or what is wrong with it')
    .argument('[file]', 'YAML or JSON file (also: ANYCALL_CONFIG)')
    .action((file: string | undefined) => context.exit(checkConfig(file, context.io, context.rooms)))
}

function collect(value: string, earlier: string[] | undefined): string[] {
  return [...(earlier ?? []), value]
}
