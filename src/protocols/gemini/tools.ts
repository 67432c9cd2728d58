import { freezeList, type JsonObject, ListMemo, type Tool, type ToolChoice } from '../../conversation/index.ts'
import { invalid, kindOf, readArray, readObject, readOptionalString, readString } from '../fields.ts'
import { NoticeList } from '../notices.ts'
import { readFields, readOptionalFields } from './fields.ts'
import { toJsonSchema } from './schema.ts'

export interface DecodedTools {
  tools: readonly Tool[]
  toolChoice: ToolChoice
}

interface Declared {
  tools: Tool[]
  /** True if the request has a tool, even one that was dropped. */
  any: boolean
}

/** The results for frozen lists of tools. */
const known = new ListMemo<{ declared: Declared; notices: NoticeList }>()

/** Decodes `tools` and `toolConfig`. Tools that run at Google are dropped with a notice. */
export function decodeTools(tools: unknown, toolConfig: unknown, notices: NoticeList): DecodedTools {
  const entries = tools === undefined || tools === null ? [] : readArray(tools, 'tools')
  const { declared, notices: raised } = known.of(entries, () => {
    const own = new NoticeList()
    const read = readEntries(entries, own)
    if (Object.isFrozen(entries)) freezeList(read.tools)
    return { declared: read, notices: own }
  })
  notices.addAll(raised)
  return decodeChoice(toolConfig, declared, notices)
}

function readEntries(entries: readonly unknown[], notices: NoticeList): Declared {
  const tools: Tool[] = []
  let any = false
  for (const [i, value] of entries.entries()) {
    for (const [kind, entry] of Object.entries(readFields(value, `tools[${i}]`))) {
      if (entry === undefined || entry === null) continue
      any = true
      if (kind !== 'functionDeclarations') {
        const why = `tools[${i}]: a tool ${JSON.stringify(kind.slice(0, 60))} runs at Google and was dropped; only functions are offered.`
        notices.add('tool-type-unsupported', kind, why)
        continue
      }
      const path = `tools[${i}].functionDeclarations`
      for (const [j, declaration] of readArray(entry, path).entries()) {
        tools.push(decodeDeclaration(readFields(declaration, `${path}[${j}]`), `${path}[${j}]`))
      }
    }
  }
  return { tools, any }
}

function decodeDeclaration(declaration: JsonObject, path: string): Tool {
  const name = readString(declaration.name, `${path}.name`)
  if (name === '') throw invalid(`${path}.name`, 'is empty; a function needs a name')
  return {
    name,
    description: readOptionalString(declaration.description, `${path}.description`) ?? '',
    schema: decodeParameters(declaration, path),
  }
}

function decodeParameters({ parameters, parametersJsonSchema }: JsonObject, path: string): JsonObject {
  if (isPresent(parametersJsonSchema)) return readObject(parametersJsonSchema, `${path}.parametersJsonSchema`)
  return isPresent(parameters) ? toJsonSchema(readObject(parameters, `${path}.parameters`)) : {}
}

function decodeChoice(toolConfig: unknown, declared: Declared, notices: NoticeList): DecodedTools {
  const path = 'toolConfig.functionCallingConfig'
  const { functionCallingConfig } = readOptionalFields(toolConfig, 'toolConfig')
  const config = readOptionalFields(functionCallingConfig, path)
  const mode = (readOptionalString(config.mode, `${path}.mode`) ?? 'AUTO').toUpperCase()
  switch (mode) {
    case 'AUTO':
    case 'MODE_UNSPECIFIED':
      return { tools: declared.tools, toolChoice: { type: 'auto' } }
    case 'NONE':
      return { tools: declared.tools, toolChoice: { type: 'none' } }
    // Calls or text, with calls that fit their schemas: all calls here do.
    case 'VALIDATED':
      return { tools: allowedTools(config, declared, path), toolChoice: { type: 'auto' } }
    case 'ANY':
      return requireCall(allowedTools(config, declared, path), declared, path, notices)
    default:
      throw invalid(`${path}.mode`, `expected AUTO, ANY, NONE or VALIDATED, got ${kindOf(config.mode)}`)
  }
}

/** Returns the tools that may be called. */
function allowedTools({ allowedFunctionNames }: JsonObject, { tools }: Declared, path: string): readonly Tool[] {
  if (!isPresent(allowedFunctionNames)) return tools
  const entries = readArray(allowedFunctionNames, `${path}.allowedFunctionNames`)
  if (entries.length === 0) return tools
  const names = new Set<string>()
  for (const [i, entry] of entries.entries()) {
    const entryPath = `${path}.allowedFunctionNames[${i}]`
    const name = readString(entry, entryPath)
    if (!tools.some((tool) => tool.name === name)) {
      throw invalid(entryPath, `no function of the request has the name ${JSON.stringify(name)}; declare it in tools`)
    }
    names.add(name)
  }
  return tools.filter((tool) => names.has(tool.name))
}

function requireCall(
  tools: readonly Tool[],
  { tools: declared, any }: Declared,
  path: string,
  notices: NoticeList,
): DecodedTools {
  const [first, second] = tools
  // All tools stay in the prompt, which is the same as that of the other requests then.
  if (first && !second) return { tools: declared, toolChoice: { type: 'named', name: first.name } }
  if (first) return { tools, toolChoice: { type: 'required' } }
  if (!any) throw invalid(`${path}.mode`, 'ANY requires a call, but no function is declared; declare one or say AUTO')
  const why = `${path}.mode: taken as AUTO, because all tools were dropped, and so no call can be required.`
  notices.add('tool-choice-unsupported', path, why)
  return { tools, toolChoice: { type: 'auto' } }
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null
}
