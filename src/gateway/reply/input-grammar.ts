import {
  type InputGrammar,
  isJsonObject,
  type JsonObject,
  type Notice,
  type ReplyEvent,
  type Tool,
} from '../../conversation/index.ts'
import { matchText, readTextGrammar } from '../../grammar/index.ts'
import type { BatchStep } from './reply-streams.ts'

/** Returns a notice for each tool whose grammar cannot be read, so that its input is not held to it. */
export function unreadableInputs(tools: readonly Tool[]): readonly Notice[] {
  return tools.flatMap(({ name, inputGrammar }) => {
    const read = inputGrammar && readTextGrammar(inputGrammar)
    if (read?.type !== 'unreadable') return []
    const message = `The input of the tool "${name}" is not held to its grammar, which is only described to the model: ${read.why}.`
    return [{ code: 'grammar-not-enforced', message }]
  })
}

/** Characters of the input that a fault shows. */
const mostShown = 40

/**
 * Returns the fault of a call whose input is not one of its tool's grammar, in words for the model; undefined for one
 * that fits, or that takes too many steps to tell.
 */
export function faultOfInput({ argument, syntax, definition }: InputGrammar, values: JsonObject): string | undefined {
  const text = values[argument]
  const read = readTextGrammar({ syntax, definition })
  if (typeof text !== 'string' || read.type !== 'grammar') return undefined
  const verdict = matchText(read.grammar, text)
  if (verdict.type !== 'mismatch') return undefined
  const { at } = verdict
  const place =
    at === text.length
      ? 'it ends too early'
      : `${JSON.stringify(text.slice(at, at + mostShown))} at offset ${at} does not fit`
  return `${argument}: does not follow the tool's grammar, ${place}.`
}

interface OpenCall {
  tool: Tool
  json: string
}

/**
 * Returns the step that adds a notice to each call whose input does not follow its tool's grammar; undefined if no tool
 * has one.
 */
export function checkingInputs(tools: readonly Tool[]): BatchStep | undefined {
  const checked = new Map(tools.flatMap((tool) => (tool.inputGrammar ? [[tool.name, tool] as const] : [])))
  if (checked.size === 0) return undefined
  const open = new Map<number, OpenCall>()
  return (events) => events.flatMap((event) => [event, ...inputNotice(event, checked, open)])
}

function inputNotice(
  event: ReplyEvent,
  checked: ReadonlyMap<string, Tool>,
  open: Map<number, OpenCall>,
): readonly ReplyEvent[] {
  if (event.type === 'call-start') {
    const tool = checked.get(event.name)
    if (tool) open.set(event.index, { tool, json: '' })
  } else if (event.type === 'call-arguments') {
    const call = open.get(event.index)
    if (call) call.json += event.json
  } else if (event.type === 'call-end') {
    const call = open.get(event.index)
    open.delete(event.index)
    const fault = call && event.complete ? faultOfCall(call) : undefined
    if (call && fault !== undefined) {
      return [{ type: 'notice', notice: { code: 'input-invalid', message: `A call of "${call.tool.name}": ${fault}` } }]
    }
  }
  return []
}

function faultOfCall({ tool: { inputGrammar }, json }: OpenCall): string | undefined {
  const values = parsed(json)
  return inputGrammar && isJsonObject(values) ? faultOfInput(inputGrammar, values) : undefined
}

/** The arguments of a complete call, unless they are cumulative or broken: others report that. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
