import { AnycallError, normalizeTools, type Tool } from '../../conversation/index.ts'
import { FlagError } from '../io/flags.ts'
import { readJsonFile } from '../io/json-file.ts'

export interface ToolFlags {
  /** A JSON file of tools. */
  tools?: string
  /** Names of tools without a schema. */
  tool?: string[]
}

/** Returns the tools of the flags: those of the file, then the names that it does not contain. Throws a FlagError. */
export function toolsOf({ tools: file, tool: names = [] }: ToolFlags): Tool[] {
  const tools = file === undefined ? [] : loadTools(file)
  const known = new Set(tools.map((tool) => tool.name))
  const bare = [...new Set(names)].filter((name) => !known.has(name))
  if (bare.some((name) => name.trim() === '')) throw new FlagError('--tool: the name is empty')
  const offered = [...tools, ...normalizeTools(bare)]
  if (offered.length > 0) return offered
  throw new FlagError(
    file === undefined
      ? 'no tools were given, and only a tool that is offered can be called; name a file with --tools FILE, or a tool with --tool NAME'
      : `${file}: there are no tools in it, and only a tool that is offered can be called`,
  )
}

function loadTools(file: string): Tool[] {
  const value = readJsonFile(file, 'a list of tools')
  try {
    return normalizeTools(value)
  } catch (error) {
    throw AnycallError.isInstance(error) ? new FlagError(`${file}: ${error.message}`) : error
  }
}
