import { inPieces, pause, type Steps } from '../../json/index.ts'
import type { ReaderOptions } from '../format/dialect.ts'
import { readableBlockOf } from './format/readable-block.ts'
import { type ReadableFormat, ReplyFormat } from './format/reply-format.ts'
import { callsByName } from './format-reader.ts'

type PreparationOptions = Pick<ReaderOptions, 'tools' | 'accept'>

/**
 * Compiles a format, and makes the expressions for a text, before a reader needs them: one after the other, with pauses in which others are
 * served. A reader cannot pause: at the first character that may begin a call it would make all of them, which takes
 * half a second in the universal format if no reply was read before; to compile its blocks takes another tenth.
 */
export class ReadingPreparation {
  readonly #data: ReadableFormat
  readonly #options: PreparationOptions
  #format: ReplyFormat | undefined

  constructor(data: ReadableFormat, options: PreparationOptions) {
    this.#data = data
    this.#options = options
  }

  /** Resolves when a text can be read. Undefined if it can be at once, as nearly all can. */
  prepare(text: string): Promise<void> | undefined {
    if (!ReplyFormat.isCompiled(this.#data)) return this.#compile(text)
    const { tools, accept = {} } = this.#options
    this.#format ??= ReplyFormat.of(this.#data).with(callsByName(this.#data, tools, accept).blocks)
    const format = this.#format
    const { unprepared } = format
    if (unprepared.size === 0) return undefined
    const chars = [...unprepared].filter((char) => text.includes(char) && !arePrepared(char, format))
    return chars.length === 0 ? undefined : prepareFor(chars, format)
  }

  async #compile(text: string): Promise<void> {
    await inPieces(compileBlocks(this.#data))
    ReplyFormat.of(this.#data)
    await this.prepare(text)
  }
}

/** Compiles the blocks of a format; to make the format itself takes no time after that. */
function* compileBlocks({ blocks }: ReadableFormat): Steps<void> {
  for (const block of blocks) {
    readableBlockOf(block)
    yield
  }
}

/** True if all expressions for this character are made. Those of other formats may have been let go, which the format cannot tell apart. */
function arePrepared(char: string, format: ReplyFormat): boolean {
  for (const { isUnprepared } of format.expressionsFor(char)) if (isUnprepared) return false
  format.prepared(char)
  return true
}

/** Makes the expressions of a format for these characters, with a `rest` between them. Stops when `signal` aborts. */
export async function prepareFor(
  chars: Iterable<string>,
  format: ReplyFormat,
  { signal, rest = pause }: { signal?: AbortSignal; rest?: () => Promise<void> } = {},
): Promise<void> {
  for (const char of chars) {
    if (signal?.aborted) return
    await inPieces(format.prepare(char), rest)
    for (const expression of format.expressionsFor(char)) {
      if (signal?.aborted) return
      if (!expression.isUnprepared) continue
      // Its source may have been long to make.
      await rest()
      expression.prepare()
      await rest()
    }
    format.prepared(char)
  }
}
