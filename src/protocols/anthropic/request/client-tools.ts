import type { JsonObject, Tool } from '../../../conversation/index.ts'
import { computerTool } from './computer-tool.ts'

// Tools that a client runs and Anthropic defines: a request gives only their type, because Claude was trained on them. Their parameters
// are documented at https://platform.claude.com/docs/en/agents-and-tools/tool-use, on the pages bash-tool, text-editor-tool and memory-tool.

const text = (description: string): JsonObject => ({ type: 'string', description })
const line = (description: string): JsonObject => ({ type: 'integer', description })

/** Returns the schema of a tool with several commands; `command` selects one. */
const commands = (names: readonly string[], required: readonly string[], properties: JsonObject): JsonObject => ({
  type: 'object',
  properties: { command: { type: 'string', enum: [...names], description: 'What to do' }, ...properties },
  required: ['command', ...required],
})

const viewRange: JsonObject = {
  type: 'array',
  items: { type: 'integer' },
  description:
    'For view of a file: the first and the last line to show, counted from 1; -1 as the last is the end of the file',
}

const edits: JsonObject = {
  view_range: viewRange,
  file_text: text('For create: the whole content of the file'),
  old_str: text('For str_replace: the text to replace, exactly as the file has it, white space included'),
  new_str: text('For str_replace: the text that replaces it'),
  insert_line: line('For insert: the line after which the text is inserted; 0 is the beginning of the file'),
}

const insertText = text('For insert: the text to insert')

const editing =
  'Shows and edits text files. view shows a file with line numbers, or lists a directory; create writes a file; str_replace replaces a text that occurs exactly once in the file; insert inserts text after a line.'

const editorPath = text('The file, or for view a directory')

const editor: Tool = {
  name: 'str_replace_based_edit_tool',
  description: editing,
  schema: commands(['view', 'create', 'str_replace', 'insert'], ['path'], {
    path: editorPath,
    ...edits,
    insert_text: insertText,
  }),
}

/** The tools by type, each under Anthropic's name. */
const clientTools: ReadonlyMap<string, Tool> = new Map<string, Tool>([
  [
    'bash_20250124',
    {
      name: 'bash',
      description:
        'Runs a command in a bash session that goes on between calls: its directory, variables and files stay. Commands cannot ask for input.',
      schema: {
        type: 'object',
        properties: {
          command: text('The command to run. Required, unless the session is restarted'),
          restart: { type: 'boolean', description: 'true starts the session anew, in place of running a command' },
        },
      },
    },
  ],
  [
    'text_editor_20250124',
    {
      name: 'str_replace_editor',
      description: `${editing} undo_edit takes back the last edit of a file.`,
      schema: commands(['view', 'create', 'str_replace', 'insert', 'undo_edit'], ['path'], {
        path: editorPath,
        ...edits,
        // This version uses the same parameter for the text to insert.
        new_str: text('For str_replace: the text that replaces it. For insert: the text to insert'),
      }),
    },
  ],
  ['text_editor_20250429', editor],
  ['text_editor_20250728', editor],
  [
    'memory_20250818',
    {
      name: 'memory',
      description:
        'Files under /memories that last from one conversation to the next. View /memories before you begin a task, and write down what later conversations need to know. view shows a file or lists a directory; create writes a file; str_replace replaces a text in a file; insert puts text after a line; delete removes a file or directory; rename moves one.',
      schema: commands(['view', 'create', 'str_replace', 'insert', 'delete', 'rename'], [], {
        path: text('The file or directory, under /memories. For all commands but rename'),
        ...edits,
        insert_text: insertText,
        old_path: text('For rename: the file or directory to move'),
        new_path: text('For rename: where it goes'),
      }),
    },
  ],
])

/** The version at the end of a type. */
const versionedType = /^(bash|text_editor|memory|computer)_(\d{8})$/

/**
 * Returns the tool of a type that the client runs and Anthropic defines; undefined for another type. A version that is not known here is
 * taken for the newest before it, or else the oldest: its calls are those that the client is most likely to read.
 */
export function clientTool(type: string, fields: JsonObject, path: string): Tool | undefined {
  const [, kind, version] = versionedType.exec(type) ?? []
  if (kind === undefined || version === undefined) return undefined
  if (kind === 'computer') return computerTool(version, fields, path)
  const ofKind = [...clientTools.keys()].filter((known) => known.startsWith(`${kind}_`)).sort()
  const known = ofKind.filter((one) => one <= type).at(-1) ?? ofKind[0]
  return known === undefined ? undefined : clientTools.get(known)
}
