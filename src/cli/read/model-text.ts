import { createReadStream } from 'node:fs'
import { addAbortSignal, type Readable } from 'node:stream'
import { FlagError, fileProblem } from '../io/flags.ts'
import type { Io } from '../io/io.ts'

/**
 * Yields the text of a file, or of standard input if the name is absent or `-`, in pieces as they arrive. A character that is split
 * between two pieces is yielded whole. Ends early when `io.signal` aborts. Throws a FlagError if the file cannot be read.
 */
export async function* modelText(
  file: string | undefined,
  io: Pick<Io, 'stdin' | 'stderr' | 'signal'>,
): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const source = open(file, io)
  try {
    for await (const bytes of source) {
      const piece = decodePiece(decoder, bytes)
      if (piece !== '') yield piece
    }
  } catch (error) {
    if (io.signal.aborted) return
    throw fileProblem(nameOf(file), error)
  }
  const rest = decoder.decode()
  if (rest !== '') yield rest
}

/** Returns the name of the text for messages. */
function nameOf(file: string | undefined): string {
  return file === undefined || file === '-' ? 'standard input' : file
}

function open(file: string | undefined, { stdin, stderr, signal }: Pick<Io, 'stdin' | 'stderr' | 'signal'>): Readable {
  if (file !== undefined && file !== '-') return addAbortSignal(signal, createReadStream(file))
  const input = stdin?.()
  if (!input) throw new FlagError('there is no standard input; name a file')
  if ('isTTY' in input && input.isTTY === true) stderr('Type or paste the text; Ctrl-D on a new line ends it.\n')
  return addAbortSignal(signal, input)
}

function decodePiece(decoder: TextDecoder, bytes: unknown): string {
  if (typeof bytes === 'string') return bytes
  return bytes instanceof Uint8Array ? decoder.decode(bytes, { stream: true }) : ''
}
