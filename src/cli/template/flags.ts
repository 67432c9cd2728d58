import { type Command, Option } from 'commander'
import { grammarFormats } from './grammar.ts'

/** Adds the arguments and flags of `anycall template`. */
export function addTemplateFlags(
  command: Command,
  collect: (value: string, earlier: string[] | undefined) => string[],
): Command {
  const several = (flags: string, description: string) => new Option(flags, description).argParser(collect)
  return command
    .description('show how a chat template writes calls and reasoning; read text and render requests with it')
    .argument(
      '<source>',
      'a .jinja file, tokenizer_config.json, chat_template.json, a GGUF file, or the URL of a llama-server',
    )
    .option('--name <name>', 'name of one of several templates (default: tool_use, else default, else the first)')
    .addOption(several('--special <token>', 'a special token, as bos_token=<s>; may be repeated'))
    .option('--diff', 'print the comparisons on which each finding is based')
    .option('--tree', 'print the trees from which the reader and the grammar are made')
    .option('--tools <file>', 'JSON file of tools, as for anycall read; prints the grammar of their calls')
    .addOption(several('--tool <name>', 'a tool without a schema, instead of a file; may be repeated'))
    .option('--tool-choice <choice>', 'auto, required, none, or the name of a tool (default: auto)')
    .addOption(new Option('--format <format>', 'format of the grammar (default: gbnf)').choices(grammarFormats))
    .addOption(
      new Option('--read <file>', 'read model text with the template; - is standard input').conflicts([
        'render',
        'diff',
        'tree',
        'toolChoice',
        'format',
      ]),
    )
    .addOption(
      new Option(
        '--render <request>',
        'print the prompt of a request: Anthropic Messages or OpenAI Chat, as JSON',
      ).conflicts(['diff', 'tree', 'toolChoice', 'format', 'tools', 'tool']),
    )
    .addOption(
      new Option(
        '--reasoning <how>',
        'with --read: open if the text begins with reasoning, else detect (default: by the end of the prompt)',
      ).choices(['detect', 'open']),
    )
    .option('--calls-in-reasoning', 'with --read: accept calls inside reasoning as well')
    .option('--cut', 'with --read: the token limit cut the text')
    .option('--explain', 'with --read: print the text with the role of every span')
    .option('--json', 'print one JSON object; with --read, one event per line')
    .option('--color', 'use colours even if the output is not a terminal')
    .option('--no-color', 'use no colours (also: NO_COLOR, FORCE_COLOR)')
    .addHelpText('after', templateHelp)
}

const templateHelp = `
Examples:
  anycall template chat_template.jinja
  anycall template tokenizer_config.json --name tool_use --diff
  anycall template model.gguf --tools tools.json --tool-choice required
  anycall template http://127.0.0.1:8080 --render request.json
  anycall template chat_template.jinja --read reply.txt --tools tools.json`
