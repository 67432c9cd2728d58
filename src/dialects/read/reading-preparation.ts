import { pause } from '../../json/index.ts'
import type { ReaderOptions } from '../format/dialect.ts'
import { type ReadableFormat, ReplyFormat } from './format/reply-format.ts'
import { callsByName } from './format-reader.ts'

/**
 * Makes the expressions for a text before a reader needs them: one after the other, with pauses in which others are
 * served. A reader cannot pause: at the first character that may begin a call it would make all of them, which takes
 * half a second in the universal format if no reply was read before.
 */
export class ReadingPreparation {
  readonly #format: ReplyFormat

  constructor(data: ReadableFormat, { tools, accept = {} }: Pick<ReaderOptions, 'tools' | 'accept'>) {
    this.#format = ReplyFormat.of(data).with(callsByName(data, tools, accept).blocks)
  }

  /** Resolves when a text can be read. Undefined if it can be at once, as nearly all can. */
  prepare(text: string): Promise<void> | undefined {
    const { unprepared } = this.#format
    if (unprepared.size === 0) return undefined
    const chars = [...unprepared].filter((char) => text.includes(char) && !arePrepared(char, this.#format))
    return chars.length === 0 ? undefined : prepareFor(chars, this.#format)
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
