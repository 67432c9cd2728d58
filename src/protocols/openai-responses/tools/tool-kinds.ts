import { isJsonObject, type JsonObject, type Tool } from '../../../conversation/index.ts'

// Tools of which a request gives only the type, as OpenAI's models were trained on them; the client runs them. The
// items of their calls are in the types of OpenAI's package: `ResponseFunctionShellToolCall`, `LocalShellCall`,
// `ResponseApplyPatchToolCall`.

/** The types of tools that are offered to a model. */
export type ToolKind = 'function' | 'custom' | BuiltInKind | 'tool_search'

/** A tool that the API defines and the client runs. */
export type BuiltInKind = 'shell' | 'local_shell' | 'apply_patch'

const text = (description: string): JsonObject => ({ type: 'string', description })
const count = (description: string): JsonObject => ({ type: 'integer', description })

/** The tools by their types. Their names are those that OpenAI's guides use. */
export const builtInTools: Readonly<Record<BuiltInKind, Tool>> = {
  shell: {
    name: 'shell',
    description:
      'Runs commands in a shell on the machine of the user and returns what they print, with their exit codes.',
    schema: {
      type: 'object',
      properties: {
        commands: {
          type: 'array',
          items: { type: 'string' },
          description: 'The commands, each a line for the shell. They may run at the same time',
        },
        timeout_ms: count('The time after which a command is stopped, in milliseconds'),
        max_output_length: count('The most characters of output to return'),
      },
      required: ['commands'],
      additionalProperties: false,
    },
  },
  local_shell: {
    name: 'local_shell',
    description: 'Runs a program on the machine of the user and returns what it prints.',
    schema: {
      type: 'object',
      properties: {
        command: {
          type: 'array',
          items: { type: 'string' },
          description: 'The program and its arguments: ["bash", "-lc", "ls | wc -l"] for a line of a shell',
        },
        working_directory: text('The directory in which it runs'),
        timeout_ms: count('The time after which it is stopped, in milliseconds'),
        env: { type: 'object', additionalProperties: { type: 'string' }, description: 'Variables of its environment' },
      },
      required: ['command'],
      additionalProperties: false,
    },
  },
  apply_patch: {
    name: 'apply_patch',
    description:
      'Creates, changes or deletes one file. The diff of create_file is the content of the file with a + before each line. That of update_file is a V4A diff: sections that begin with a line of @@ and the line of code above the change (a class or function), then lines of the file with a space before those that stay, a - before those that go and a + before new ones.',
    schema: {
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['create_file', 'update_file', 'delete_file'], description: 'What to do' },
        path: text('The file'),
        diff: text('The diff. Empty if the file is deleted'),
      },
      // Several APIs refuse a schema with conditions at its top, so the diff is required for all types.
      required: ['type', 'path', 'diff'],
      additionalProperties: false,
    },
  },
}

export function isBuiltIn(type: string): type is BuiltInKind {
  return Object.hasOwn(builtInTools, type)
}

/** The default schema of a tool of type `tool_search`. */
export const searchSchema: JsonObject = {
  type: 'object',
  properties: { query: text('What the tool should do, in a few words') },
  required: ['query'],
  additionalProperties: false,
}

/** Parses the arguments of a call; undefined if they are not an object. */
export function parseArguments(json: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(json === '' ? '{}' : json)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
