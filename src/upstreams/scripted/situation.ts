import type { ChatMessage } from '../upstream.ts'
import type { Instructions } from './dialect-readings.ts'
import { type Element, findElements, withoutElements } from './elements.ts'

/** A tool's result as the prompt shows it. */
export interface Result {
  name: string
  text: string
  failed: boolean
}

/** Where the conversation stands. */
export interface Situation {
  /** What the user last asked for, without what the client added to it. */
  request: string
  /** The results that came since, or, where the user said no word since, with it. */
  results: Result[]
  /** The names of the calls that were made since. */
  called: string[]
}

/** A user's text longer than twice this is read at its beginning and its end only, as its orders stand there. */
const attention = 8000

export function readSystem(messages: readonly ChatMessage[]): string {
  return messages
    .filter((message) => message.role === 'system')
    .map(textOf)
    .join('\n')
}

/** Reads the conversation backwards to the last user message that has words of the user's own. */
export function readSituation(messages: readonly ChatMessage[], instructions: Instructions | undefined): Situation {
  const results: Result[][] = []
  const called: string[][] = []
  const answered: string[] = []
  let request = ''
  for (const turn of joinTurns(messages).reverse()) {
    if (turn.role === 'assistant') {
      called.push(instructions?.readCallNames(turn.text) ?? [])
      continue
    }
    const elements = instructions === undefined ? [] : findElements(turn.text, instructions.resultTag, 'keep')
    results.push(elements.map(readResult))
    request = withoutReminders(withoutElements(turn.text, elements)).trim()
    if (request !== '') break
    answered.push(...elements.map((element) => readResult(element).name))
  }
  const calls = called.reverse().flat()
  return {
    request: focus(request),
    // Not every dialect names the tool beside its result, but results come in the order of the calls.
    results: results
      .reverse()
      .flat()
      .map((result, index) => ({ ...result, name: result.name || (calls[index] ?? 'the tool') })),
    // A client may have dropped the calls from its history; the results tell of them too.
    called: calls.length > 0 ? calls : answered,
  }
}

interface TurnText {
  role: 'user' | 'assistant'
  text: string
}

/** The turns, system messages left out, neighbours of one role joined. */
function joinTurns(messages: readonly ChatMessage[]): TurnText[] {
  const turns: { role: 'user' | 'assistant'; texts: string[] }[] = []
  for (const message of messages) {
    if (message.role === 'system') continue
    const last = turns.at(-1)
    if (last?.role === message.role) last.texts.push(textOf(message))
    else turns.push({ role: message.role, texts: [textOf(message)] })
  }
  return turns.map(({ role, texts }) => ({ role, text: texts.join('\n') }))
}

function textOf(message: ChatMessage): string {
  return message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

function readResult(element: Element): Result {
  const { attributes } = element
  return {
    name: attributes.get('name') ?? '',
    text: withoutReminders(element.text).trim(),
    failed:
      attributes.get('status') === 'error' ||
      attributes.get('is_error') === 'true' ||
      attributes.get('error') === 'true',
  }
}

/** Claude Code puts notes of its own into the user's messages and into results. */
function withoutReminders(text: string): string {
  return withoutElements(text, findElements(text, 'system-reminder'))
}

function focus(text: string): string {
  return text.length <= attention * 2 ? text : `${text.slice(0, attention)}\n${text.slice(-attention)}`
}
