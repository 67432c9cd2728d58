import { findDialect } from './io/flags.ts'
import type { DialectFacts, Io } from './io/io.ts'
import { screenOf } from './io/terminal.ts'
import { wrapWords } from './io/text.ts'

export interface DialectsFlags {
  json?: boolean
}

/** Lists the dialects, or shows one with its example. Throws a FlagError for an unknown name. */
export function showDialects(
  name: string | undefined,
  flags: DialectsFlags,
  io: Pick<Io, 'stdout' | 'env' | 'isTerminal' | 'columns'>,
  dialects: readonly DialectFacts[],
): number {
  const found = name === undefined ? undefined : findDialect(name, dialects)
  if (flags.json) io.stdout(`${JSON.stringify(found ? facts(found) : dialects.map(facts), null, 2)}\n`)
  else io.stdout(found ? details(found) : table(dialects, screenOf(io).width))
  return 0
}

/** The members of a dialect that are data. */
function facts({ name, families, source, usesTrigger, example }: DialectFacts): DialectFacts {
  return { name, families, source, usesTrigger, example }
}

/** The space between two columns. */
const gap = '  '

/** Returns a table of at most `width` characters. The columns of sentences share what the others leave. */
function table(dialects: readonly DialectFacts[], width: number): string {
  const head = ['NAME', 'TRIGGER', 'FAMILIES', 'SOURCE']
  const rows = [head, ...dialects.map((one) => [one.name, one.usesTrigger ? 'yes' : 'no', one.families, one.source])]
  const taken = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)) + gap.length)
  const widest = Math.floor((width - taken.reduce((sum, one) => sum + one, 0) - gap.length) / 2)
  const wrapped = rows.map((row) =>
    row.map((cell, column) => (column < taken.length ? [cell] : wrapWords(cell, widest))),
  )
  const widths = head.map((_, column) =>
    Math.max(...wrapped.flatMap((row) => row[column] ?? []).map((line) => line.length)),
  )
  const lines = wrapped.flatMap((row) =>
    Array.from({ length: Math.max(...row.map((cell) => cell.length)) }, (_, index) =>
      row
        .map((cell, column) => (cell[index] ?? '').padEnd(widths[column] ?? 0))
        .join(gap)
        .trimEnd(),
    ),
  )
  return `${lines.join('\n')}\n\nanycall dialects NAME shows one with an example.\n`
}

function details(dialect: DialectFacts): string {
  const { name, families, source, usesTrigger, example } = dialect
  const rows: [string, string][] = [
    ['name', name],
    ['families', families],
    ['source', source],
    ['trigger', usesTrigger ? 'yes: calls count only after a line that is different in each conversation' : 'no'],
  ]
  const head = rows.map(([title, text]) => `${title.padEnd(10)}${text}\n`).join('')
  const body = example.replace(/^(?=.)/gm, '  ')
  return `${head}\nA call:\n\n${body}\n\nTo read it: anycall read FILE --dialect ${name}${usesTrigger ? ' --trigger TRIGGER' : ''} --tools TOOLS\n`
}
