import type { Conversation, JsonObject, ResultPart, UserPart } from '../../conversation/index.ts'
import type { PromptSource } from '../upstream.ts'
import { makeArguments } from './arguments.ts'
import { namedTool } from './named-tool.ts'

/** The text of a reply and the calls after it. */
export interface ScriptedReply {
  text?: string
  calls?: readonly { name: string; arguments: JsonObject }[]
}

const introduction = "I am anycall's scripted model, not a language model."

/** Characters of a result that an answer repeats. */
const quotedLength = 600

/** The reply without a script: the results of tools, or else a call, or else an introduction. */
export function replyTo(conversation: Conversation | undefined): ScriptedReply {
  if (conversation === undefined) return { text: introduction }
  const { asked, results } = sinceLastRequest(conversation)
  if (results.length > 0) return { text: [introduction, ...results.map(tell)].join('\n') }
  const { tools, toolChoice } = conversation
  const offered = toolChoice.type === 'named' ? tools.filter(({ name }) => name === toolChoice.name) : tools
  const tool = namedTool(asked, offered) ?? offered[0]
  if (tool === undefined || toolChoice.type === 'none') return { text: introduction }
  return { text: `I will call ${tool.name}.`, calls: [{ name: tool.name, arguments: makeArguments(tool.schema) }] }
}

/** A reply in the dialect of the prompt that it answers. Without a prompt for tools there are no calls to write. */
export function writeReply({ text = '', calls = [] }: ScriptedReply, source: PromptSource | undefined): string {
  if (source === undefined) return text
  return source.writeReply([
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...calls.map(({ name, arguments: made }, index) => ({
      type: 'call' as const,
      id: `${index}`,
      name,
      arguments: JSON.stringify(made),
    })),
  ])
}

/** Returns the last text of the user without results, and the results since then. */
function sinceLastRequest({ turns }: Conversation): { asked: string; results: ResultPart[] } {
  const results: ResultPart[] = []
  for (const turn of turns.toReversed()) {
    if (turn.role !== 'user') continue
    const returned = turn.parts.filter((part) => part.type === 'result')
    if (returned.length === 0) return { asked: textOf(turn.parts), results }
    results.unshift(...returned)
  }
  return { asked: '', results }
}

function tell({ name, content, isError }: ResultPart): string {
  return `${name} ${isError ? 'failed' : 'returned'}: ${beginningOf(textOf(content).trim())}`
}

function textOf(parts: readonly UserPart[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

function beginningOf(text: string): string {
  if (text.length <= quotedLength) return text
  // No surrogate pair is cut.
  return `${text.slice(0, quotedLength).replace(/[\uD800-\uDBFF]$/, '')}…`
}
