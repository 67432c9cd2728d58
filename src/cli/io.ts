import type { Environment } from '../gateway/config.ts'

/** What a command has of the world outside, so that a test can be that world. */
export interface Io {
  stdout(text: string): void
  stderr(text: string): void
  env: Environment
  fetch: typeof fetch
  /** Aborts when the command is to stop: Ctrl-C, SIGTERM. */
  signal: AbortSignal
}
