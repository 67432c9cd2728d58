import type { Readable } from 'node:stream'
import type { Environment } from '../../gateway/index.ts'

/** What a command has of the world outside, so that a test can be that world. */
export interface Io {
  stdout(text: string): void
  stderr(text: string): void
  /** Standard input; a function, since a command that does not read it should not open it. Absent: there is none. */
  stdin?: () => Readable
  /** True where a person looks at stdout. */
  isTerminal?: boolean
  env: Environment
  fetch: typeof fetch
  /** Aborts when the command is to stop: Ctrl-C, SIGTERM, SIGHUP. */
  signal: AbortSignal
}
