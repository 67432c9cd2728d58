import { analyzeTemplate, templateDialect } from '../../templates/index.ts'
import { FlagError } from '../io/flags.ts'
import type { Io } from '../io/io.ts'
import { screenOf, shown } from '../io/terminal.ts'
import { type ReadFlags, readText } from '../read/read.ts'
import { toolsOf } from '../read/tools-flag.ts'
import { templateFacts } from './facts.ts'
import { type GrammarFormat, grammarFacts, grammarReport } from './grammar.ts'
import { templateReading } from './read.ts'
import { renderRequest } from './render.ts'
import { comparisonsReport, formatReport, templateReport } from './report.ts'
import { type SourceFlags, templateOf } from './source.ts'

/** The flags of `anycall template`, as the shell passed them. */
export interface TemplateFlags extends ReadFlags, SourceFlags {
  diff?: boolean
  /** Print the trees of the format. */
  tree?: boolean
  toolChoice?: string
  format?: GrammarFormat
  /** A file with model text, or `-`. */
  read?: string
  /** A file with a request. */
  render?: string
}

/**
 * Prints the findings about a chat template, reads a text with it, or renders a request. Resolves with the exit code. Throws a
 * FlagError for wrong flags and for files that cannot be read, and an AnycallError for a broken template.
 */
export async function showTemplate(
  source: string,
  flags: TemplateFlags,
  io: Pick<Io, 'stdin' | 'stdout' | 'stderr' | 'env' | 'isTerminal' | 'columns' | 'signal' | 'fetch'>,
): Promise<number> {
  const hasTools = flags.tools !== undefined || flags.tool !== undefined
  if (!hasTools && (flags.toolChoice !== undefined || flags.format !== undefined)) {
    throw new FlagError('--tool-choice and --format need tools for the grammar; name a file with --tools FILE')
  }
  const template = await templateOf(source, flags, io)
  const dialect = templateDialect(analyzeTemplate(template))
  if (flags.read !== undefined) return readText(flags.read, flags, io, templateReading(dialect))
  const screen = screenOf({ ...io, flag: flags.color })
  if (flags.render !== undefined) return renderRequest(flags.render, dialect, { json: flags.json ?? false, screen }, io)

  const facts = templateFacts(source, dialect)
  const grammar = hasTools ? grammarFacts(dialect, toolsOf(flags), flags.toolChoice, flags.format) : undefined
  if (flags.json) {
    io.stdout(`${JSON.stringify({ ...facts, ...(grammar !== undefined && { grammar }) }, undefined, 2)}\n`)
    return 0
  }
  const parts = [
    templateReport(facts, screen),
    ...(flags.tree ? [formatReport(facts, screen)] : []),
    ...(flags.diff ? [comparisonsReport(facts, screen)] : []),
    ...(grammar === undefined ? [] : [grammarReport(grammar, screen)]),
  ]
  io.stdout(shown(parts.join('\n'), screen))
  return 0
}
