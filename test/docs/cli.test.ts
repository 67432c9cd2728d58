import type { Argument, Command, Option } from 'commander'
import { expect, test } from 'vitest'
import { createProgram } from '../../src/cli/run.ts'
import { fakeWorld } from '../support/cli/fake-world.ts'

const intro = `# The command line

\`anycall COMMAND [flags]\`; in a clone, after \`npm run build\`, \`node dist/main.mjs COMMAND [flags]\`. Each command prints its section
with \`--help\`. Exit codes: 0, 1 for a failure, 2 for wrong usage. This page is generated from the commands:
\`npx vitest run test/docs/cli.test.ts -u\` writes it.
`

test('docs/cli.md has the commands and flags that there are', async () => {
  const { io, services } = fakeWorld()
  const program = createProgram({ io, services, exit: () => {} })
  const pages = program.commands.flatMap((command) => (command.commands.length > 0 ? command.commands : [command]))
  await expect([intro, ...pages.map(section)].join('\n')).toMatchFileSnapshot('../../docs/cli.md')
})

/** A command as a section: description, usage, a table of its arguments and flags, and the rest of its help. */
function section(command: Command): string {
  const name = [command.parent?.parent && command.parent.name(), command.name()].filter(Boolean).join(' ')
  const rows = [
    ...command.registeredArguments.map((argument) => row(argumentName(argument), argument.description)),
    ...command.options.map((option) => row(option.flags, optionText(option))),
  ]
  const usage = [name, ...command.registeredArguments.map(argumentName), '[flags]'].join(' ')
  const help: string[] = []
  command.configureOutput({ writeOut: (text) => void help.push(text) })
  command.outputHelp()
  const after = /^ {2}-h, --help .*\n([\s\S]*)$/m.exec(help.join(''))?.[1]?.trim() ?? ''
  return [
    `## ${name}\n`,
    `${sentence(command.description())}.\n`,
    `\`anycall ${usage}\`\n`,
    `| argument or flag | meaning |\n| --- | --- |\n${rows.join('\n')}\n`,
    ...(after === '' ? [] : [`\`\`\`text\n${after}\n\`\`\`\n`]),
  ].join('\n')
}

function argumentName(argument: Argument): string {
  return argument.required ? `<${argument.name()}>` : `[${argument.name()}]`
}

function optionText({ description, argChoices }: Option): string {
  return argChoices ? `${description}; one of ${argChoices.map((choice) => `\`${choice}\``).join(', ')}` : description
}

function row(name: string, text: string): string {
  return `| \`${name}\` | ${text.replaceAll('|', '\\|')} |`
}

function sentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
