import { readFileSync, unwatchFile, watchFile } from 'node:fs'
import { AnycallError } from '../../conversation/index.ts'
import { ConfigError } from '../../gateway/index.ts'
import type { Log } from '../../upstreams/index.ts'
import { FlagError } from '../io/flags.ts'

/** The time between two looks at the file. Its time and size are compared, so that files on network volumes are noticed as well. */
const lookMs = 1000

export interface ReloadOptions {
  /** Reads the configuration anew and serves it. Rejects for one that is wrong; nothing has changed then. */
  reload(): Promise<void>
  log: Log
}

/**
 * Reloads one at a time. A request for another reload, while one runs, is carried out once more after it, as the file may have changed
 * in between.
 *
 * @example
 * const reloads = new Reloads({ reload, log })
 * process.on('SIGHUP', () => reloads.request('SIGHUP'))
 */
export class Reloads {
  readonly #options: ReloadOptions
  #running: Promise<void> | undefined
  #wanted: string | undefined

  constructor(options: ReloadOptions) {
    this.#options = options
  }

  /** `why` goes into the log. */
  request(why: string): void {
    this.#wanted = why
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
    })
  }

  async #run(): Promise<void> {
    const { reload, log } = this.#options
    while (this.#wanted !== undefined) {
      const why = this.#wanted
      this.#wanted = undefined
      try {
        await reload()
        log('info', 'config.reloaded', { why })
      } catch (error) {
        log('error', 'config.refused', { why, error: problemOf(error), served: 'the configuration before' })
      }
    }
  }
}

/** Returns an error's message for a person. An unexpected error is a bug, and is shown with its stack. */
function problemOf(error: unknown): string {
  const isExpected = error instanceof ConfigError || error instanceof FlagError || AnycallError.isInstance(error)
  return isExpected ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/**
 * Calls `changed` after the content of a file changed. A file that was touched, or is missing for a moment while an editor or a volume
 * replaces it, is no change. Returns the function that stops the watch.
 */
export function watchContent(file: string, changed: () => void): () => void {
  let known = contentOf(file)
  const look = (): void => {
    const content = contentOf(file)
    if (content === undefined || content === known) return
    known = content
    changed()
  }
  watchFile(file, { interval: lookMs, persistent: false }, look)
  return () => unwatchFile(file, look)
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // The file is missing or not readable now: the next check tries again.
    return undefined
  }
}
