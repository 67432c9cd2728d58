import { createReader as openReader } from '../../dialects/index.ts'
import type { TemplateDialect } from '../../templates/index.ts'
import type { CliReadOptions, ReadServices, TextReader } from '../io/io.ts'
import { begunBy } from './facts.ts'

/**
 * Reads the reply of a template's model to a prompt of that template, which may contain the reply's beginning. With `--reasoning`
 * the caller states how the text begins, and the prompt's beginning is ignored.
 */
export function templateReading(dialect: TemplateDialect): ReadServices {
  return { dialects: [], createReader: (options) => createReader(dialect, options) }
}

function createReader(dialect: TemplateDialect, options: CliReadOptions): TextReader {
  const begun = options.reasoning === undefined ? (begunBy(dialect, undefined, options.tools) ?? '') : ''
  const { open } = dialect.analysis.reasoning
  // The reader accepts a model that writes the opening marker again.
  if (open !== '' && begun.trim() === open) return openReader({ ...options, dialect, reasoning: 'open' })
  return openReader({
    ...options,
    dialect: { ...dialect, createReader: (given) => dialect.createReader({ ...given, begun }) },
  })
}
