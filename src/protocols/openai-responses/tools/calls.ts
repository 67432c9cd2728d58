import type { JsonObject } from '../../../conversation/index.ts'
import { readObject, readOptionalString, readString } from '../../fields.ts'
import { readArguments } from '../../openai/arguments.ts'
import { type BuiltInKind, builtInTools, parseArguments } from './tool-kinds.ts'
import type { DeclaredTool } from './tool-table.ts'

/** A call in a request's history. */
export interface PastCall {
  declared: DeclaredTool
  arguments: string
}

type ReadCall = (item: JsonObject, path: string) => PastCall

/** The items of calls by their types: the readers of a history, for each kind of tool. */
export const pastCalls: ReadonlyMap<string, ReadCall> = new Map<string, ReadCall>([
  [
    'function_call',
    (item, path) => ({
      declared: { kind: 'function', ...readFullName(item, path) },
      arguments: readArguments(item.arguments, `${path}.arguments`),
    }),
  ],
  [
    'custom_tool_call',
    (item, path) => ({
      declared: { kind: 'custom', ...readFullName(item, path) },
      arguments: JSON.stringify({ input: readString(item.input, `${path}.input`) }),
    }),
  ],
  [
    'tool_search_call',
    (item, path) => ({
      declared: { kind: 'tool_search', name: 'tool_search' },
      arguments: readArguments(item.arguments, `${path}.arguments`),
    }),
  ],
  ['shell_call', (item, path) => builtInCall('shell', item.action, `${path}.action`)],
  ['local_shell_call', (item, path) => builtInCall('local_shell', item.action, `${path}.action`)],
  ['apply_patch_call', (item, path) => builtInCall('apply_patch', item.operation, `${path}.operation`)],
])

function readFullName(item: JsonObject, path: string): Pick<DeclaredTool, 'name' | 'namespace'> {
  const name = readString(item.name, `${path}.name`)
  const namespace = readOptionalString(item.namespace, `${path}.namespace`)
  return namespace ? { name, namespace } : { name }
}

/** Returns the call whose arguments became an action: the parameters of the tool, without those that the model left out. */
function builtInCall(kind: BuiltInKind, value: unknown, path: string): PastCall {
  const given = readObject(value, path)
  // Operations that delete have no diff; the tool requires one.
  const action = kind === 'apply_patch' ? { ...given, diff: given.diff ?? '' } : given
  const { name, schema } = builtInTools[kind]
  const parameters = Object.keys(readObject(schema.properties, 'properties'))
  const entries = parameters.filter((key) => isGiven(action[key])).map((key) => [key, action[key]])
  return { declared: { kind, name }, arguments: readArguments(Object.fromEntries(entries), path) }
}

function isGiven(value: unknown): boolean {
  if (value === undefined || value === null) return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}

/**
 * Returns the fields of the item for a call of a tool that the API defines; undefined for arguments that do not fit, which a
 * client could not run.
 */
export function builtInFields(kind: BuiltInKind | 'tool_search', json: string): JsonObject | undefined {
  const given = parseArguments(json)
  if (given === undefined) return undefined
  switch (kind) {
    case 'tool_search':
      return { type: 'tool_search_call', execution: 'client', arguments: given }
    case 'shell': {
      const commands = textList(given.commands)
      if (commands === undefined) return undefined
      const action = {
        commands,
        timeout_ms: numberOrNull(given.timeout_ms),
        max_output_length: numberOrNull(given.max_output_length),
      }
      return { type: 'shell_call', action, environment: { type: 'local' } }
    }
    case 'local_shell': {
      const command = textList(given.command)
      if (command === undefined) return undefined
      const env = Object.fromEntries(
        Object.entries(typeof given.env === 'object' ? (given.env ?? {}) : {}).filter(isTextEntry),
      )
      const action = {
        type: 'exec',
        command,
        env,
        timeout_ms: numberOrNull(given.timeout_ms),
        working_directory: typeof given.working_directory === 'string' ? given.working_directory : null,
      }
      return { type: 'local_shell_call', action }
    }
    case 'apply_patch': {
      const operation = patchOperation(given)
      return operation && { type: 'apply_patch_call', operation }
    }
  }
}

function patchOperation({ type, path, diff }: JsonObject): JsonObject | undefined {
  if (typeof path !== 'string') return undefined
  if (type === 'delete_file') return { type, path }
  return (type === 'create_file' || type === 'update_file') && typeof diff === 'string'
    ? { type, path, diff }
    : undefined
}

function textList(value: unknown): string[] | undefined {
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : undefined
}

function isTextEntry(entry: [string, unknown]): entry is [string, string] {
  return typeof entry[1] === 'string'
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}
