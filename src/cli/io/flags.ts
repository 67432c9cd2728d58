import type { ModelRule } from '../../gateway/index.ts'

/** The flags that say which upstream is meant. */
export interface UpstreamFlags {
  upstream?: string
  /** Of which type `upstream` is. */
  type?: string
  model?: string
  config?: string
}

/** The flags of `anycall serve`, as the shell gave them. */
export interface ServeFlags extends UpstreamFlags {
  /** For all rules, as are the two below. */
  plan?: ModelRule['plan']
  dialect?: string
  template?: string
  port?: string
  host?: string
  key?: string[]
  logLevel?: string
}

/** Flags that are wrong, named as flags. */
export class FlagError extends Error {
  override readonly name: string = 'FlagError'
}
