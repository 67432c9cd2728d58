import {
  type ImagePart,
  isJsonObject,
  type JsonObject,
  type Notice,
  type TextPart,
} from '../../../conversation/index.ts'
import { readArray } from '../../fields.ts'
import { readArguments } from '../../openai/arguments.ts'
import { decodeContent } from '../../openai/content.ts'

/** The result of a tool. */
export interface PastResult {
  content: (TextPart | ImagePart)[]
  isError: boolean
}

type ReadResult = (item: JsonObject, path: string, notices: Notice[]) => PastResult

/** The items of results by their types. */
export const pastResults: ReadonlyMap<string, ReadResult> = new Map<string, ReadResult>([
  ['function_call_output', readOutput],
  ['custom_tool_call_output', readOutput],
  ['local_shell_call_output', readOutput],
  ['mcp_tool_call_output', readOutput],
  [
    'apply_patch_call_output',
    (item, path, notices) => ({ ...readOutput(item, path, notices), isError: item.status === 'failed' }),
  ],
  ['shell_call_output', readShellOutput],
])

function readOutput({ output }: JsonObject, path: string, notices: Notice[]): PastResult {
  // Not as the API has it, but as some clients send it: any JSON that the tool returned.
  const content = isJsonObject(output) ? readArguments(output, `${path}.output`) : (output ?? null)
  return { content: decodeContent(content, `${path}.output`, notices), isError: false }
}

/** Reads the output of commands. One that failed makes the whole result an error. */
function readShellOutput(item: JsonObject, path: string, notices: Notice[]): PastResult {
  if (!Array.isArray(item.output)) return readOutput(item, path, notices)
  const outputs = readArray(item.output, `${path}.output`).filter(isJsonObject)
  const texts = outputs.map(({ stdout, stderr, outcome }) =>
    [textOf(stdout), labelled('stderr', textOf(stderr)), endOf(outcome)].filter((text) => text !== '').join('\n'),
  )
  return {
    content: decodeContent(texts.join('\n\n'), `${path}.output`, notices),
    isError: outputs.some(({ outcome }) => isJsonObject(outcome) && !(outcome.exit_code === 0)),
  }
}

function endOf(outcome: unknown): string {
  if (!isJsonObject(outcome)) return ''
  return outcome.type === 'timeout' ? 'timed out' : `exit code: ${outcome.exit_code}`
}

function labelled(label: string, text: string): string {
  return text === '' ? '' : `${label}:\n${text}`
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
