const string = { type: 'string' }
const strings = { type: 'array', items: string }
const boolean = { type: 'boolean' }

/** The tools that are offered, in the calls and beside the prose that only talks of calls. */
export const tools = [
  tool('get_weather', 'Tells the weather.', { city: string, days: { type: 'integer' }, units: string }, ['city']),
  tool('read_file', 'Reads a file.', { path: string, max_lines: { type: 'integer' } }, ['path']),
  tool('write_file', 'Writes a file.', { path: string, content: string }, ['path', 'content']),
  tool('run_command', 'Runs a command.', { command: string, timeout: { type: 'number' }, background: boolean }, [
    'command',
  ]),
  tool(
    'search_code',
    'Searches the code.',
    {
      query: string,
      options: {
        type: 'object',
        properties: { case_sensitive: boolean, include: strings, limit: { type: 'integer' }, before: {} },
      },
    },
    ['query'],
  ),
  tool(
    'apply_edits',
    'Edits a file.',
    {
      path: string,
      edits: {
        type: 'array',
        items: { type: 'object', properties: { old_text: string, new_text: string, all: boolean } },
      },
    },
    ['path', 'edits'],
  ),
  tool('set_label', 'Sets a label.', { id: { type: 'integer' }, label: string, remove_old: boolean }, ['id', 'label']),
  tool('list_tasks', 'Lists the tasks.', {}, []),
  tool('send_mail', 'Sends mail.', { to: strings, subject: string, body: string, urgent: boolean }, [
    'to',
    'subject',
    'body',
  ]),
]

function tool(name, description, properties, required) {
  return { name, description, schema: { type: 'object', properties, required } }
}
