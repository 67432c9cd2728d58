import {
  type AssistantPart,
  type AssistantTurn,
  type Conversation,
  ReplyCollector,
  type ReplyEvent,
  type ReplyPart,
  type ReplyStream,
  type Usage,
} from '../../conversation/index.ts'
import type { GenerationContext } from '../../upstreams/index.ts'
import type { WrittenReply } from '../replies/index.ts'
import { append, sum } from '../reply/reply-streams.ts'
import type { ToolSearch } from './listed.ts'

/** The most times that a model searches before one reply. */
const mostRounds = 4

export interface Searching {
  search: ToolSearch
  /** Starts a reply to a conversation. */
  generate(conversation: Conversation): Promise<ReplyStream>
  /** Receives what the model writes. */
  writtenReply: WrittenReply | undefined
  context: GenerationContext
}

/**
 * Returns the reply to a conversation whose model searches for its tools. A reply that calls the search is answered here, and the model is
 * asked again: the client gets the texts of all replies, and the calls of its own tools. A reply is held back from its first search on.
 */
export async function withToolSearch(conversation: Conversation, searching: Searching): Promise<ReplyStream> {
  const listed = searching.search.listed(conversation)
  searching.writtenReply?.searched(undefined)
  return rounds(await searching.generate(listed), listed, conversation, searching)
}

async function* rounds(
  first: ReplyStream,
  listed: Conversation,
  { tools }: Conversation,
  { search, generate, writtenReply, context }: Searching,
): ReplyStream {
  let asked = listed
  let spent: Usage | undefined
  let hasText = false
  const searches: AssistantTurn[] = []
  for (let round = 1; ; round++) {
    const collector = new ReplyCollector()
    let held: ReplyEvent[] | undefined
    for await (const events of round === 1 ? first : await generate(asked)) {
      collector.push(events)
      const at = held ? 0 : events.findIndex((event) => isHeld(event, search.name))
      const passed = at < 0 ? events : events.slice(0, at)
      if (passed.length > 0) yield apart(passed, hasText && !hasSaid(collector, passed))
      if (at < 0) continue
      held ??= []
      append(held, at === 0 ? events : events.slice(at))
    }
    const { parts, finish } = collector.reply
    const turn: AssistantTurn = {
      role: 'assistant',
      parts: parts.flatMap(asPart),
      ...(writtenReply?.text && { written: writtenReply.text }),
    }
    const calls = parts.filter((part) => part.type === 'call')
    const hasSearched = calls.some(({ name }) => name === search.name)
    const goesOn = hasSearched && calls.every((call) => call.complete && call.name === search.name)
    if (goesOn && round <= mostRounds && !context.attempts?.isSpent) {
      spent = sum(spent ?? {}, finish.usage ?? {})
      hasText ||= parts.some((part) => part.type === 'text' && part.text.trim() !== '')
      context.log('info', 'tools-searched', {
        requestId: context.requestId,
        query: calls.map((call) => call.arguments.slice(0, 200)),
      })
      searches.push(turn)
      asked = search.answered(asked, turn, tools)
      continue
    }
    if (searches.length > 0 && !hasSearched) writtenReply?.searched({ searches, last: turn })
    const hasOwnCalls = calls.some(({ name }) => name !== search.name)
    const rest = hasSearched ? withoutSearches(held ?? [], search.name, hasOwnCalls) : (held ?? [])
    yield rest.map((event) =>
      event.type === 'finish' && spent ? { ...event, usage: sum(spent, event.usage ?? {}) } : event,
    )
    return
  }
}

function isHeld(event: ReplyEvent, searchName: string): boolean {
  return event.type === 'finish' || (event.type === 'call-start' && event.name === searchName)
}

/** True if the reply had text before these events. */
function hasSaid({ parts }: ReplyCollector, passed: readonly ReplyEvent[]): boolean {
  const said = parts.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0)
  return said > passed.reduce((sum, event) => sum + (event.type === 'text' ? event.text.length : 0), 0)
}

/** Returns the events with a blank line before the first text, which comes after the text of an earlier reply. */
function apart(events: ReplyEvent[], isFirst: boolean): ReplyEvent[] {
  const at = isFirst ? events.findIndex(({ type }) => type === 'text') : -1
  if (at < 0) return events
  return [...events.slice(0, at), { type: 'text', text: '\n\n' }, ...events.slice(at)]
}

/** Returns the end of a reply without its searches, which are not answered: beside other calls, cut, or too many. */
function withoutSearches(events: readonly ReplyEvent[], searchName: string, hasOwnCalls: boolean): ReplyEvent[] {
  const searches = new Set<number>()
  const rest = events.filter((event) => {
    if (event.type === 'call-start' && event.name === searchName) searches.add(event.index)
    return !('index' in event && searches.has(event.index))
  })
  const message = `A call of "${searchName}" was left out: it came beside other calls, broke off, or was one of too many.`
  return [
    { type: 'notice', notice: { code: 'tool-search-dropped', message } },
    ...rest.map((event) =>
      event.type === 'finish' && event.reason === 'calls' && !hasOwnCalls
        ? { ...event, reason: 'stop' as const }
        : event,
    ),
  ]
}

function asPart(part: ReplyPart): AssistantPart[] {
  if (part.type === 'call') return [{ type: 'call', id: part.id, name: part.name, arguments: part.arguments }]
  return part.text === '' ? [] : [{ type: part.type, text: part.text }]
}
