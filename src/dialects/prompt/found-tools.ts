import type { Conversation, Tool, Turn, UserPart } from '../../conversation/index.ts'
import { toolLines } from './instructions.ts'

/**
 * Returns the turns with descriptions of the tools that were found or added in them, as text of these turns: a description in the list at the
 * beginning would change the whole prompt after it.
 *
 * @example
 * withFoundTools([{ role: 'system', text: 'You can now call: add', tools: [add] }])
 */
export function withFoundTools(turns: Conversation['turns']): Conversation['turns'] {
  return turns.some(holdsTools) ? turns.map(describedTurn) : turns
}

function holdsTools(turn: Turn): boolean {
  if (turn.role === 'system') return turn.tools !== undefined
  return turn.role === 'user' && turn.parts.some((part) => part.type === 'result' && part.tools !== undefined)
}

function describedTurn(turn: Turn): Turn {
  if (turn.role === 'user') return { ...turn, parts: turn.parts.map(describedPart) }
  if (turn.role !== 'system' || turn.tools === undefined) return turn
  const { tools, ...rest } = turn
  return { ...rest, text: [turn.text, description(tools)].filter((text) => text !== '').join('\n\n') }
}

function describedPart(part: UserPart): UserPart {
  if (part.type !== 'result' || part.tools === undefined) return part
  const { tools, ...rest } = part
  return { ...rest, content: [...part.content, { type: 'text', text: description(tools) }] }
}

function description(tools: readonly Tool[]): string {
  if (tools.length === 0) return ''
  // The whole text is neutralised when it is written, like all text of others.
  const lines = toolLines(tools, 'parameters', (text) => text)
  return `Each line is one tool; its parameters are the JSON schema of its arguments:\n${lines}`
}
