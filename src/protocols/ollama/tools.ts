import {
  freezeList,
  isJsonObject,
  type JsonObject,
  ListMemo,
  type Notice,
  type Tool,
  type ToolChoice,
} from '../../conversation/index.ts'
import { readArray, readObject } from '../fields.ts'
import { decodeFunctionTool, readDefinedName } from '../openai/function-tools.ts'
import { decodeChoice, readToolName } from '../openai/tool-choice.ts'

export interface DecodedTools {
  tools: readonly Tool[]
  toolChoice: ToolChoice
}

/** The results for frozen lists of tools. */
const known = new ListMemo<Tool[]>()

/**
 * Decodes `tools`. The API has no choice of a tool, but some clients send the one of Chat Completions, and so it counts.
 */
export function decodeTools(body: JsonObject, notices: Notice[]): DecodedTools {
  const entries = body.tools === undefined || body.tools === null ? [] : readArray(body.tools, 'tools')
  const tools = known.of(entries, () => {
    const read = entries.map((value, i) => decodeTool(readObject(value, `tools[${i}]`), `tools[${i}]`))
    return Object.isFrozen(entries) ? freezeList(read) : read
  })
  if (body.tool_choice === undefined || body.tool_choice === null) return { tools, toolChoice: { type: 'auto' } }
  return decodeChoice(body.tool_choice, { tools, any: tools.length > 0, nameOf: readToolName }, notices)
}

function decodeTool(entry: JsonObject, path: string): Tool {
  const [definition, definitionPath] = isJsonObject(entry.function)
    ? [entry.function, `${path}.function`]
    : [entry, path]
  readDefinedName(definition, definitionPath)
  return decodeFunctionTool(definition, definitionPath)
}
