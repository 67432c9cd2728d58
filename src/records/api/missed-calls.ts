import type { AcceptOptions } from '../../dialects/index.ts'
import type { ExchangeRecord } from '../record/exchange.ts'
import { readAgain, readingOf } from './read.ts'
import type { ReadRequest, Reason } from './types.ts'

type Facts = Pick<ExchangeRecord, 'attempts' | 'conversation' | 'reply' | 'error' | 'timings'>

/** Texts beyond this are not read again. */
const longest = 200_000

/** The settings that are tried, the simplest first: options of a rule that accept more calls, and another dialect. */
const ways: readonly ({ accept: AcceptOptions } | { dialect: string })[] = [
  { accept: { fences: 'lenient' } },
  { accept: { callsInReasoning: true } },
  { accept: { looseCalls: true } },
  { dialect: 'universal' },
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
    const isDialect = 'dialect' in way
    const name = callIn({ ...before, ...(isDialect ? way : { accept: { ...before.accept, ...way.accept } }) })
    if (name === undefined) continue
    const why = isDialect
      ? `it is not written as dialect "${before.dialect}" has it, and "${way.dialect}" reads it`
      : `"reading: ${JSON.stringify(way.accept)}" in the model's rule accepts it`
    const message = `The text has a call of "${name}" that was not run: ${why}.`
    return [{ level: 'warning', code: 'call-not-accepted', message, attempt }]
  }
  return []
}

/** Returns the name of the first call that is whole. */
function callIn(request: ReadRequest): string | undefined {
  const call = readAgain(request).parts.find((part) => part.type === 'call' && part.complete)
  return call?.type === 'call' ? call.name : undefined
}
