import type { Readable } from 'node:stream'
import settings from '../../../package.json' with { type: 'json' }
import type { Tool } from '../../conversation/index.ts'
import {
  createReader,
  type Dialect,
  dialects,
  type ReadOptions as LibraryReadOptions,
  type ToolCallReader,
} from '../../dialects/index.ts'
import type { Environment, Gateway, GatewayConfig } from '../../gateway/index.ts'
import type { ChatTemplate } from '../../templates/index.ts'
import type { Log, Upstream } from '../../upstreams/index.ts'

export type { ReadReport, SpanRole } from '../../dialects/index.ts'

export const version: string = settings.version

/** The outside world of a command: streams, environment, network. A test can replace it. */
export interface Io {
  stdout(text: string): void
  stderr(text: string): void
  /** Standard input; a function, because a command that does not read it must not open it. Absent: there is none. */
  stdin?: () => Readable
  /** True if stdout is a terminal. */
  isTerminal?: boolean
  /** True if stderr is a terminal. */
  isErrorTerminal?: boolean
  /** The width of the terminal in columns, read anew for each output; undefined if stdout is no terminal. */
  columns?: () => number | undefined
  env: Environment
  fetch: typeof fetch
  /** Aborts when the command is to stop: Ctrl-C, SIGTERM, and SIGHUP if nobody listens to it. */
  signal: AbortSignal
  /** Calls `listener` on SIGHUP, in place of stopping. Returns the function that ends this. Absent: there is no such signal. */
  onHangup?(listener: () => void): () => void
}

/** The functions of other rooms that commands call. A test can replace them. */
export interface Services {
  /** The names of all dialects. */
  dialects: readonly string[]
  /** Absent: anycall's own dialects and reader. */
  reading?: ReadServices
  /** Reads a file of the inspector's pages; undefined if there is none. */
  readPage(name: string): Promise<string | undefined>
  createUpstreams(config: GatewayConfig): Map<string, Upstream>
  createGateway(options: {
    config: GatewayConfig
    upstreams: Map<string, Upstream>
    /** The chat templates that rules name, by those names. */
    templates?: Map<string, ChatTemplate>
    log: Log
    metricsText?: () => Promise<string>
  }): Gateway
  /** Throws an AnycallError for a public host without keys, and Node's error if the port is not available. */
  listen(
    gateway: Gateway,
    options: { host: string; port: number },
  ): Promise<{ url: string; port: number; close(graceMs: number, drainMs: number): Promise<void> }>
}

/** The options of a reader. The flags give the tools in anycall's own form. */
export interface CliReadOptions extends LibraryReadOptions {
  tools: readonly Tool[]
}

/** The functions that read model text. */
export interface ReadServices {
  dialects: readonly DialectFacts[]
  /** Throws an AnycallError for options that do not go together. */
  createReader(options: CliReadOptions): TextReader
}

/** The properties of a dialect that `anycall dialects` prints. */
export type DialectFacts = Pick<Dialect, 'name' | 'families' | 'source' | 'example' | 'usesTrigger'>

/** The part of a reader that `anycall read` uses. */
export type TextReader = Pick<ToolCallReader, 'push' | 'end' | 'report'>

/** anycall's own dialects and reader. */
export const ownReading: ReadServices = { dialects, createReader }
