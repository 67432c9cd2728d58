import { readFileSync } from 'node:fs'
import { AnycallError, offeredTools, type Tool } from '../conversation/index.ts'
import { fileProblem } from './file-problem.ts'
import { jsonFault } from './json-fault.ts'
import { FlagError } from './settings.ts'
import { TextPlaces } from './text-places.ts'

export interface ToolFlags {
  /** A JSON file of tools. */
  tools?: string
  /** Names of tools without a schema. */
  tool?: string[]
}

/** The tools that the flags offer: those of the file, then the bare names that it does not have. Throws a FlagError. */
export function toolsOf({ tools: file, tool: names = [] }: ToolFlags): Tool[] {
  const tools = file === undefined ? [] : loadTools(file)
  const known = new Set(tools.map((tool) => tool.name))
  const bare = [...new Set(names)].filter((name) => !known.has(name))
  if (bare.some((name) => name.trim() === '')) throw new FlagError('--tool: the name is empty')
  const offered = [...tools, ...offeredTools(bare)]
  if (offered.length > 0) return offered
  throw new FlagError(
    file === undefined
      ? 'no tools were given, and only a tool that is offered can be called; name a file with --tools FILE, or a tool with --tool NAME'
      : `${file}: there are no tools in it, and only a tool that is offered can be called`,
  )
}

function loadTools(file: string): Tool[] {
  const text = readTools(file)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new FlagError(faultText(file, text))
  }
  try {
    return offeredTools(value)
  } catch (error) {
    throw error instanceof AnycallError ? new FlagError(`${file}: ${error.message}`) : error
  }
}

function readTools(file: string): string {
  try {
    // Editors on Windows begin a file with a mark that JSON does not know.
    return readFileSync(file, 'utf8').replace(/^\ufeff/, '')
  } catch (error) {
    throw fileProblem(file, error)
  }
}

function faultText(file: string, text: string): string {
  if (text.trim() === '') return `${file}: the file is empty; expected a list of tools, as JSON`
  const fault = jsonFault(text)
  if (!fault) return `${file}: the file is not JSON`
  const places = new TextPlaces()
  places.add(text)
  const { line, column } = places.placeOf(fault.offset)
  const rest = text.slice(fault.offset).split('\n', 1)[0]?.trim() ?? ''
  const got = fault.offset >= text.length ? 'the end of the file' : JSON.stringify(rest.slice(0, 20))
  return `${file}:${line}:${column}: this is not JSON: expected ${fault.expected}, got ${got}`
}
