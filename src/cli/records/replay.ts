import type { ReplayRequest } from '../../records/index.ts'
import { type ExchangeRecord, isSameReply, replayReading, replyContentOf, summaryOf } from '../../records/index.ts'
import { FlagError, positiveNumber } from '../io/flags.ts'
import { type ToolFlags, toolsOf } from '../read/tools-flag.ts'
import { GatewayApi } from './gateway-api.ts'
import { findRecord, idInFile, type RecordsContext, type RecordsFlags, withRecords } from './open.ts'

type SendRequest = Extract<ReplayRequest, { type: 'send' }>

export interface ReplayFlags extends RecordsFlags, ToolFlags {
  dialect?: string
  /** For reading: characters of a piece, and the attempt, from 1. */
  split?: string
  attempt?: string
  send?: boolean
  /** For sending: another model, upstream and plan; the address of a gateway, and its admin key. */
  model?: string
  upstream?: string
  plan?: NonNullable<SendRequest['plan']>
  url?: string
  key?: string
}

const onlyRead = ['split', 'attempt', 'tools', 'tool'] as const
const onlySend = ['model', 'upstream', 'plan', 'url', 'key'] as const

/** Reads the text of a record again, or sends its request again, and prints both replies as JSON. The exit code is 1 if they differ. */
export async function replayRecord(id: string, flags: ReplayFlags, context: RecordsContext): Promise<number> {
  const wrong = (flags.send ? onlyRead : onlySend).find((name) => flags[name] !== undefined)
  if (wrong !== undefined)
    throw new FlagError(
      `--${wrong}: ${flags.send ? 'cannot be used with --send; remove one of the two' : 'can only be used with --send; add --send or remove this option'}`,
    )
  const result = flags.send ? await sent(id, flags, context) : read(id, flags, context)
  context.io.stdout(`${JSON.stringify(result, undefined, 2)}\n`)
  return result.isSame ? 0 : 1
}

function read(id: string, flags: ReplayFlags, context: RecordsContext): ReturnType<typeof replayReading> {
  const { dialect, split, attempt, tools, tool } = flags
  const record = withRecords(flags, context, (store) => findRecord(store, id))
  return replayReading(record, {
    type: 'read',
    ...(dialect !== undefined && { dialect }),
    ...(split !== undefined && { split: positiveNumber(split, '--split') }),
    ...(attempt !== undefined && { attempt: positiveNumber(attempt, '--attempt') - 1 }),
    ...((tools !== undefined || tool) && { tools: toolsOf(flags) }),
  })
}

/** One side of a comparison: the way of an exchange, and its reply. */
interface Side extends ReturnType<typeof replyContentOf> {
  id: string
  status: number
  model?: string
  upstream?: string
  plan?: string
  dialect?: string
  notices: string[]
}

async function sent(
  id: string,
  flags: ReplayFlags,
  context: RecordsContext,
): Promise<{ type: 'send'; before: Side; after: Side; isSame: boolean }> {
  const { model, upstream, plan, dialect } = flags
  const api = new GatewayApi(flags, context)
  const request: SendRequest = {
    type: 'send',
    ...(model !== undefined && { model }),
    ...(upstream !== undefined && { upstream }),
    ...(plan && { plan }),
    ...(dialect !== undefined && { dialect }),
  }
  const before = await api.record(idInFile(id, flags, context))
  const after = await api.record(await api.send(before.id, request))
  return { type: 'send', before: sideOf(before), after: sideOf(after), isSame: isSameReply(before, after) }
}

function sideOf(record: ExchangeRecord): Side {
  const { id, status, upstreamModel, upstream, plan, dialect, notices } = summaryOf(record)
  return {
    id,
    status,
    ...(upstreamModel !== undefined && { model: upstreamModel }),
    ...(upstream !== undefined && { upstream }),
    ...(plan !== undefined && { plan }),
    ...(dialect !== undefined && { dialect }),
    notices,
    ...replyContentOf(record),
  }
}
