import { type AssistantPart, type CallPart, type ResultPart, shortId, type Tool } from '../../conversation/index.ts'
import { renderTurn } from '../../dialects/index.ts'
import { parseJson } from '../jinja/library/json.ts'
import { Dict, type Value } from '../jinja/python/values/values.ts'
import type { TemplateCapabilities } from './capabilities.ts'

export interface AssistantMessage {
  role: 'assistant'
  content?: string | null | readonly AssistantContent[]
  reasoning_content?: string
  reasoning?: string
  thinking?: string
  tool_calls?: readonly TemplateCall[]
}

export type AssistantContent = { type: 'text'; text: string } | { type: 'thinking'; thinking: string }

export interface TemplateCall {
  id: string
  type: 'function'
  /** Arguments are the JSON text as the model wrote it, or its value with its numbers and the order of its keys kept. */
  function: { name: string; arguments: string | Value }
}

/** The text of calls and results for templates that have no place for them, and the instructions about them. */
export interface CallWriting {
  /** Calls that follow each other; `tools` are those that are offered. */
  writeCalls: (calls: readonly CallPart[], tools: readonly Tool[]) => string
  /** `text` replaces the result's content. */
  writeResult: (result: ResultPart, text: string) => string
  /** Without these, the caller must list the tools in the system text if the template does not. */
  instructions?: CallInstructions
  /** True if the template's own form of calls cannot be read: calls are written as if it had no place for them. */
  replacesCalls?: boolean
}

/** The instructions about tools, for templates that include less than a model needs. */
export interface CallInstructions {
  /**
   * True if the template describes the form of calls, or its model was trained on it; `hasSystem`: after a system
   * message.
   */
  areSaid: (hasSystem: boolean) => boolean
  /** The instructions on how to write calls, after the tools if the template does not list them. */
  write: (isListed: boolean) => string
}

/** Returns a model's turn as one message, or as several if the template takes one call at a time. */
export function assistantMessages(
  parts: readonly AssistantPart[],
  can: TemplateCapabilities,
  writing: CallWriting,
  tools: readonly Tool[],
  note: (text: string) => void,
): AssistantMessage[] {
  const calls = parts.filter((part) => part.type === 'call')
  const isWritten = calls.length > 0 && !can.calls
  const text = isWritten
    ? renderTurn(parts, { text: (said) => said, calls: (group) => writing.writeCalls(group, tools) })
    : parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const reasoning = parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join('')
  const field = can.reasoning
  if (field === 'part' && reasoning !== '') return withThoughtPart(reasoning, text, calls, can, note)
  const thought = field && reasoning !== '' ? { [field]: reasoning } : {}
  if (reasoning !== '' && !field) note('the template shows no reasoning of earlier turns: the reasoning is left out')
  if (calls.length === 0 || !can.calls) {
    if (calls.length > 0) note('the template does not render calls: they are written into the text')
    return [{ role: 'assistant', content: contentOf(text, can), ...thought }]
  }
  const rendered = calls.map((call) => adaptCall(call, can, note))
  const said = text !== '' && reasoning !== '' && field && can.textWithCalls && !can.reasoningWithText
  if (said) {
    note('the template takes no text next to reasoning and calls: the text is added to the reasoning')
    return [{ role: 'assistant', ...emptyContent(can), [field]: `${reasoning}\n\n${text}`, tool_calls: rendered }]
  }
  if (text !== '' && !can.textWithCalls && !can.textBeforeCalls) {
    note('the template renders no text next to calls: the text is left out')
    return callMessages(rendered, emptyContent(can), thought, can, note)
  }
  if (text !== '' && !can.textWithCalls) {
    note('the template takes no text next to calls: the text becomes a message before them')
    const before: AssistantMessage = { role: 'assistant', content: contentOf(text, can) }
    return [before, ...callMessages(rendered, emptyContent(can), thought, can, note)]
  }
  const content = text === '' ? emptyContent(can) : { content: contentOf(text, can) }
  return callMessages(rendered, content, thought, can, note)
}

/** Reasoning as a part of the content, as Ministral 3 has it. */
function withThoughtPart(
  thinking: string,
  text: string,
  calls: readonly CallPart[],
  can: TemplateCapabilities,
  note: (text: string) => void,
): AssistantMessage[] {
  const said: AssistantContent[] = text === '' ? [] : [{ type: 'text', text }]
  const content = { content: [{ type: 'thinking' as const, thinking }, ...said] }
  if (calls.length === 0 || !can.calls) return [{ role: 'assistant', ...content }]
  const rendered = calls.map((call) => adaptCall(call, can, note))
  return callMessages(rendered, content, {}, can, note)
}

/** The calls in one message, or each in its own if the template takes no more. */
function callMessages(
  rendered: readonly TemplateCall[],
  content: Pick<AssistantMessage, 'content'>,
  thought: Partial<AssistantMessage>,
  can: TemplateCapabilities,
  note: (text: string) => void,
): AssistantMessage[] {
  if (can.parallelCalls || rendered.length === 1) {
    return [{ role: 'assistant', ...content, ...thought, tool_calls: rendered }]
  }
  note('the template takes one call in a message: each call becomes its own message')
  return rendered.map((call, at) => ({
    role: 'assistant',
    ...(at === 0 ? { ...content, ...thought } : emptyContent(can)),
    tool_calls: [call],
  }))
}

function contentOf(text: string, can: TemplateCapabilities): string | { type: 'text'; text: string }[] {
  return can.stringContent || !can.partsContent ? text : [{ type: 'text', text }]
}

function emptyContent({ emptyContent: content }: TemplateCapabilities): Pick<AssistantMessage, 'content'> {
  return content === undefined ? {} : { content }
}

function adaptCall(call: CallPart, can: TemplateCapabilities, note: (text: string) => void): TemplateCall {
  const id = can.anyIds ? call.id : shortId(call.id)
  return { id, type: 'function', function: { name: call.name, arguments: adaptArguments(call, can, note) } }
}

function adaptArguments(
  { name, arguments: json }: CallPart,
  can: TemplateCapabilities,
  note: (text: string) => void,
): string | Value {
  if (can.argumentsAs === 'string') return json
  try {
    const value = parseJson(json.trim() === '' ? '{}' : json)
    if (value instanceof Dict) return value
  } catch {
    // Said below.
  }
  note(`the arguments of a call of ${name} are not a JSON object: the template gets their text as one argument`)
  return Dict.from([['arguments', json]])
}
