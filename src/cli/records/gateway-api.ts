import * as z from 'zod'
import { AnycallError } from '../../conversation/index.ts'
import { type ExchangeRecord, parseRecord, type ReplayRequest } from '../../records/index.ts'
import { reachable } from '../io/address.ts'
import { FlagError } from '../io/flags.ts'
import { configOf, type RecordsContext, type RecordsFlags } from './open.ts'

export interface GatewayFlags extends RecordsFlags {
  /** The address of the gateway; default: that of the configuration, else that of `anycall serve`. */
  url?: string
  /** Its admin key; default: that of the configuration. */
  key?: string
}

const defaultListen = { host: '127.0.0.1', port: 8787 }
const view = z.object({ record: z.unknown() })
const replayed = z.object({ type: z.literal('send'), id: z.string().min(1) })
const refused = z.object({ error: z.union([z.object({ message: z.string() }), z.string()]) })

/** The read API of a gateway that runs. */
export class GatewayApi {
  readonly #base: string
  readonly #key: string | undefined
  readonly #io: RecordsContext['io']

  /** Throws a FlagError for an invalid address. */
  constructor(flags: GatewayFlags, context: RecordsContext) {
    const config = flags.url !== undefined && flags.key !== undefined ? undefined : configOf(flags, context)
    this.#base = flags.url === undefined ? addressOf(config?.listen ?? defaultListen) : checked(flags.url)
    this.#key = flags.key ?? config?.records?.adminKey
    this.#io = context.io
  }

  /** Returns a record that the gateway has. */
  async record(id: string): Promise<ExchangeRecord> {
    const { record } = await this.#ask(view, `exchanges/${encodeURIComponent(id)}`)
    return parseRecord(JSON.stringify(record))
  }

  /** Sends the request of a record again, and returns the id of the new exchange. */
  async send(id: string, request: Extract<ReplayRequest, { type: 'send' }>): Promise<string> {
    return (await this.#ask(replayed, `exchanges/${encodeURIComponent(id)}/replay`, request)).id
  }

  async #ask<Answer>(schema: z.ZodType<Answer>, path: string, body?: object): Promise<Answer> {
    const url = `${this.#base}/inspector/api/${path}`
    const { fetch, signal } = this.#io
    let response: Response
    let answer: unknown
    try {
      response = await fetch(url, {
        headers: {
          ...(this.#key !== undefined && { 'x-api-key': this.#key }),
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
        signal,
      })
      answer = await response.json()
    } catch (cause) {
      throw new AnycallError(
        'upstream',
        `no gateway answers at ${this.#base}; start "anycall serve --inspect", or give its address with --url`,
        { cause },
      )
    }
    const result = schema.safeParse(answer)
    if (response.ok && result.success) return result.data
    const error = refused.safeParse(answer).data?.error
    const why = typeof error === 'string' ? error : error?.message
    throw new AnycallError('upstream', `${this.#base}: ${why ?? `${path}: status ${response.status}`}`)
  }
}

function addressOf({ host, port }: { host: string; port: number }): string {
  return reachable(`http://${host.includes(':') ? `[${host}]` : host}:${port}`)
}

function checked(url: string): string {
  if (/^https?:\/\//i.test(url) && URL.canParse(url)) return url.replace(/(?<!\/)\/+$/, '')
  throw new FlagError(`--url: expected an address such as http://127.0.0.1:8787, got ${JSON.stringify(url)}`)
}
