import type { AcceptOptions } from '../../dialects/index.ts'
import type { ExchangeRecord } from '../record/exchange.ts'
import { readAgain, readingOf } from './read.ts'
import type { ReadRequest, Reason } from './types.ts'

type Facts = Pick<ExchangeRecord, 'attempts' | 'conversation' | 'reply' | 'error' | 'timings'>

/** Texts beyond this are not read again. */
const longest = 200_000

/** Settings of a rule: options that accept more calls, another dialect, or both. */
interface Way {
  accept?: AcceptOptions
  dialect?: string
}

/** The settings that are tried, the simplest first. */
const ways: readonly Way[] = [
  { accept: { fences: 'lenient' } },
  { accept: { callsInReasoning: true } },
  { accept: { looseCalls: true } },
  { dialect: 'universal' },
  { dialect: 'universal', accept: { fences: 'lenient' } },
  { dialect: 'universal', accept: { callsInReasoning: true } },
  { accept: { naturalLanguage: true } },
]

/**
 * Looks for a call in the text of an exchange that has none: one that other settings of the model's rule would accept. An agent that
 * stops in the middle of its work often wrote such a call.
 */
export function missedCalls({ attempts, conversation, reply, error, timings }: Facts): Reason[] {
  if (timings.end === undefined) return []
  const attempt = attempts.length - 1
  const last = attempts[attempt]
  const hasCall = reply.some(({ event }) => event.type === 'call-start')
  if (!last || !conversation || hasCall || error || conversation.tools.length === 0) return []
  if (last.text.text === '' || last.text.text.length > longest) return []
  const before: ReadRequest = readingOf(last, conversation.tools)
  // A template's dialect is not recorded: what the universal reader finds says nothing.
  if (callIn(before) !== undefined) return []
  for (const way of ways) {
    const { dialect, accept } = way
    // Settings with the dialect that the text was read with were tried already, without it.
    if (dialect === before.dialect) continue
    const name = callIn({
      ...before,
      ...(dialect !== undefined && { dialect }),
      ...(accept && { accept: { ...before.accept, ...accept } }),
    })
    if (name === undefined) continue
    const why = whyOf(way, before.dialect ?? 'universal')
    const message = `The text has a call of "${name}" that was not run: ${why}.`
    return [{ level: 'warning', code: 'call-not-accepted', message, attempt }]
  }
  return []
}

function whyOf({ dialect, accept }: Way, own: string): string {
  const reading = `"reading: ${JSON.stringify(accept)}"`
  if (dialect === undefined) return `${reading} in the model's rule accepts it`
  if (accept) return `"dialect: ${dialect}" and ${reading} together in the model's rule accept it`
  return `it is not written as dialect "${own}" has it, and "${dialect}" reads it`
}

/** Returns the name of the first call that is whole. */
function callIn(request: ReadRequest): string | undefined {
  const call = readAgain(request).parts.find((part) => part.type === 'call' && part.complete)
  return call?.type === 'call' ? call.name : undefined
}
