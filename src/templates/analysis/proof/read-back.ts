import type { AssistantPart, JsonValue, ReplyEvent } from '../../../conversation/index.ts'
import type { FormatData } from '../../../dialects/index.ts'
import { createFormatReader, Marks } from '../../../dialects/index.ts'
import { parsed } from '../calls/json-around.ts'
import type { Probe } from '../probes/set.ts'
import { isInReasoning, type ReasoningFinding } from '../turn/reasoning.ts'

/** The result of reading a probe back. */
export interface ProbeResult {
  name: string
  passed: boolean
  /**
   * The difference between the text that was written and the result of reading it, or the reason why the probe could
   * not be written.
   */
  why?: string
}

interface Message {
  reasoning: string
  text: string
  calls: { name: string; arguments: JsonValue | undefined }[]
}

const noMarks = new Marks([])

/** Reads a text in a format, and describes the difference of the result from the probe; undefined if there is none. */
export function readBack(
  format: FormatData,
  written: string,
  probe: Probe,
  reasoning: ReasoningFinding,
  isInReasoning: boolean,
): string | undefined {
  const reader = createFormatReader(format, noMarks, {
    tools: probe.tools,
    toolChoice: { type: 'auto' },
    parallelCalls: true,
    newCallId: () => 'id',
    reasoning: isInReasoning ? 'open' : 'detect',
  })
  const events = [...reader.push(written), ...reader.end('stop')]
  return difference(shownOf(probe.parts, written, reasoning), messageOf(events))
}

/**
 * The parts of a probe that the template shows, and their places: parts that it leaves out cannot be read, and some
 * templates show a text as reasoning.
 */
function shownOf(parts: readonly AssistantPart[], written: string, reasoning: ReasoningFinding): Message {
  const message: Message = { reasoning: '', text: '', calls: [] }
  const names = new Map<string, number>()
  for (const part of parts) {
    if (part.type === 'call') {
      const seen = (names.get(part.name) ?? 0) + 1
      names.set(part.name, seen)
      if (written.split(part.name).length > seen) {
        message.calls.push({ name: part.name, arguments: shown(part.arguments, written) })
      }
    } else if (written.includes(part.text)) {
      const isThought =
        part.type === 'reasoning' || isInReasoning(written.slice(0, written.indexOf(part.text)), reasoning)
      message[isThought ? 'reasoning' : 'text'] += part.text
    }
  }
  return message
}

function shown(json: string, written: string): JsonValue | undefined {
  const value = parsed(json)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  // A template may leave out members that are null.
  return Object.fromEntries(Object.entries(value).filter(([key, member]) => member !== null || written.includes(key)))
}

export function messageOf(events: readonly ReplyEvent[]): Message {
  const message: Message = { reasoning: '', text: '', calls: [] }
  const json: string[] = []
  for (const event of events) {
    if (event.type === 'reasoning') message.reasoning += event.text
    else if (event.type === 'text') message.text += event.text
    else if (event.type === 'call-start') message.calls.push({ name: event.name, arguments: undefined })
    else if (event.type === 'call-arguments') json[event.index] = (json[event.index] ?? '') + event.json
  }
  for (const [index, call] of message.calls.entries()) call.arguments = parsed(json[index] ?? '')
  return message
}

function difference(wanted: Message, got: Message): string | undefined {
  if (got.reasoning.trim() !== wanted.reasoning.trim()) return `reasoning read as ${show(got.reasoning)}`
  if (got.text.trim() !== wanted.text.trim()) return `text read as ${show(got.text)}`
  if (got.calls.length !== wanted.calls.length) return `${got.calls.length} calls read, ${wanted.calls.length} written`
  for (const [index, call] of wanted.calls.entries()) {
    const found = got.calls[index]
    if (found?.name !== call.name) return `the name read as ${show(found?.name)}`
    if (ordered(found.arguments) !== ordered(call.arguments)) return `the arguments read as ${show(found.arguments)}`
  }
  return undefined
}

function show(value: JsonValue | undefined): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

/** A value as text that does not depend on the order of keys: templates sort them. */
function ordered(value: JsonValue | undefined): string {
  return (
    JSON.stringify(value, (_, part: JsonValue) =>
      typeof part === 'object' && part !== null && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
        : part,
    ) ?? 'undefined'
  )
}
