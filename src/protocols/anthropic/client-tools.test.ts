import type Anthropic from '@anthropic-ai/sdk'
import { expect, it } from 'vitest'
import { isJsonObject } from '../../conversation/index.ts'
import { clientTools } from './client-tools.ts'

type MemoryCommand = Anthropic.Beta.BetaMemoryTool20250818Command

/** One call of each command, as the SDK's types have them. */
const memory: Record<MemoryCommand['command'], MemoryCommand> = {
  view: { command: 'view', path: '/memories', view_range: [1, -1] },
  create: { command: 'create', path: '/memories/a', file_text: '' },
  str_replace: { command: 'str_replace', path: '/memories/a', old_str: 'a', new_str: 'b' },
  insert: { command: 'insert', path: '/memories/a', insert_line: 0, insert_text: 'a' },
  delete: { command: 'delete', path: '/memories/a' },
  rename: { command: 'rename', old_path: '/memories/a', new_path: '/memories/b' },
}

/** The commands, and their arguments, in the order of the documentation. */
const editor = ['command', 'path', 'view_range', 'file_text', 'old_str', 'new_str', 'insert_line']

function schemaOf(type: string): { commands: unknown; names: string[] } {
  const properties = clientTools.get(type)?.schema.properties
  if (!isJsonObject(properties) || !isJsonObject(properties.command)) throw new Error(`no schema for ${type}`)
  return { commands: properties.command.enum, names: Object.keys(properties) }
}

it('memory takes what the SDK knows of it', () => {
  const { commands, names } = schemaOf('memory_20250818')
  expect(commands).toEqual(Object.keys(memory))
  const known = new Set(Object.values(memory).flatMap((command) => Object.keys(command)))
  expect(names.sort()).toEqual([...known].sort())
})

it.each([
  ['text_editor_20250124', ['view', 'create', 'str_replace', 'insert', 'undo_edit'], editor],
  ['text_editor_20250429', ['view', 'create', 'str_replace', 'insert'], [...editor, 'insert_text']],
  ['text_editor_20250728', ['view', 'create', 'str_replace', 'insert'], [...editor, 'insert_text']],
  ['bash_20250124', undefined, ['command', 'restart']],
])('%s', (type, commands, names) => {
  expect(schemaOf(type)).toEqual({ commands, names })
})
