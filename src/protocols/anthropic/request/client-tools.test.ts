import type Anthropic from '@anthropic-ai/sdk'
import { expect, it } from 'vitest'
import { isJsonObject } from '../../../conversation/index.ts'
import { clientTool } from './client-tools.ts'

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
  const properties = clientTool(type, {}, 'tools[0]')?.schema.properties
  if (!isJsonObject(properties) || !isJsonObject(properties.command)) throw new Error(`no schema for ${type}`)
  return { commands: properties.command.enum, names: Object.keys(properties) }
}

const computer = { display_width_px: 1024, display_height_px: 768 }

it.each([
  ['computer_20241022', computer, ['action', 'coordinate', 'text'], false],
  [
    'computer_20250124',
    computer,
    ['action', 'coordinate', 'text', 'start_coordinate', 'scroll_direction', 'scroll_amount', 'duration'],
    false,
  ],
  ['computer_20251124', { ...computer, enable_zoom: true }, [], true],
  ['computer_20250124', { ...computer, enable_zoom: true }, [], false],
])('%s with %j', (type, fields, names, zooms) => {
  const tool = clientTool(type, fields, 'tools[0]')
  const properties = tool?.schema.properties
  if (!isJsonObject(properties) || !isJsonObject(properties.action)) throw new Error(`no schema for ${type}`)
  expect(tool?.description).toContain('1024 by 768')
  if (names.length > 0) expect(Object.keys(properties)).toEqual(names)
  expect('region' in properties).toBe(zooms)
  expect(JSON.stringify(properties.action.enum).includes('zoom')).toBe(zooms)
})

it.each(['web_search_20250305', 'computer', 'computer_toolset_20260801', 'custom'])('%s is none of them', (type) => {
  expect(clientTool(type, {}, 'tools[0]')).toBeUndefined()
})

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
  ['text_editor_20241022', ['view', 'create', 'str_replace', 'insert', 'undo_edit'], editor],
  ['text_editor_20990101', ['view', 'create', 'str_replace', 'insert'], [...editor, 'insert_text']],
  ['bash_20250124', undefined, ['command', 'restart']],
  ['bash_20241022', undefined, ['command', 'restart']],
])('%s', (type, commands, names) => {
  expect(schemaOf(type)).toEqual({ commands, names })
})
