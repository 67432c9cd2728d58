import { createReader as openReader } from '../../dialects/index.ts'
import type { TemplateDialect } from '../../templates/index.ts'
import type { Reading, ReadOptions, TextReader } from '../io/io.ts'
import { begunBy } from './facts.ts'

/**
 * Reads what the model of a template wrote behind a prompt of that template, which may have begun the reply. With `--reasoning` the caller
 * says where the text begins, and the prompt's beginning is left out.
 */
export function templateReading(dialect: TemplateDialect): Reading {
  return { dialects: [], createReader: (options) => createReader(dialect, options) }
}

function createReader(dialect: TemplateDialect, options: ReadOptions): TextReader {
  const begun = options.reasoning === undefined ? (begunBy(dialect, undefined, options.tools) ?? '') : ''
  const { open } = dialect.analysis.reasoning
  // The reader knows that a model may write the opening marker once more.
  if (open !== '' && begun.trim() === open) return openReader({ ...options, dialect, reasoning: 'open' })
  return openReader({
    ...options,
    dialect: { ...dialect, createReader: (given) => dialect.createReader({ ...given, begun }) },
  })
}
