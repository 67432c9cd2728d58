import { createDialectReader, type ReadOptions, type ToolCallReader } from './dialect-reader.ts'
import { dialectOf } from './registry.ts'

/**
 * A reader for one reply. Throws an AnycallError for an unknown dialect, and for tools that are not tools.
 *
 * @example
 * const reader = createReader({ tools: ['get_weather'] })
 * for (const piece of pieces) for (const event of reader.push(piece)) console.log(event)
 * for (const event of reader.end()) console.log(event)
 */
export function createReader(options: ReadOptions): ToolCallReader {
  const { dialect = 'universal', ...others }: ReadOptions = { ...options }
  return createDialectReader({ ...others, dialect: dialectOf(dialect) })
}
