/** Tools like those of agents: each kind with a schema of a different shape. */
const kinds = [
  {
    name: 'read_file',
    properties: { path: text('Path of the file.'), offset: integer(0), limit: integer(1, 10_000) },
    required: ['path'],
  },
  {
    name: 'edit_file',
    properties: {
      path: text('Path of the file.'),
      edits: list({
        type: 'object',
        properties: {
          old_text: text('What is there.'),
          new_text: text('What is to be there.'),
          all: { type: 'boolean' },
        },
        required: ['old_text', 'new_text'],
        additionalProperties: false,
      }),
    },
    required: ['path', 'edits'],
  },
  {
    name: 'search',
    properties: {
      pattern: text('A regular expression.'),
      glob: text('Which files.'),
      mode: { type: 'string', enum: ['content', 'files', 'count'] },
      context: integer(0, 20),
      ignore_case: { type: 'boolean', default: false },
    },
    required: ['pattern'],
  },
  {
    name: 'run_command',
    properties: {
      command: text('A shell command.'),
      timeout: { type: 'number', description: 'Seconds.' },
      environment: { type: 'object', additionalProperties: { type: 'string' } },
    },
    required: ['command'],
  },
  {
    name: 'create_event',
    properties: {
      title: text('What it is called.'),
      start: { type: 'string', format: 'date-time' },
      end: { type: 'string', format: 'date-time' },
      guests: list({ type: 'string', format: 'email' }),
      repeat: { anyOf: [{ type: 'null' }, { type: 'string', enum: ['daily', 'weekly', 'monthly'] }] },
    },
    required: ['title', 'start', 'end'],
  },
  {
    name: 'book_flight',
    properties: {
      from: { type: 'string', pattern: '^[A-Z]{3}$' },
      to: { type: 'string', pattern: '^[A-Z]{3}$' },
      date: { type: 'string', format: 'date' },
      passengers: list({
        type: 'object',
        properties: { name: text('As in the passport.'), age: integer(0, 120), seat: text('Wish.') },
        required: ['name', 'age'],
      }),
      class: { type: 'string', enum: ['economy', 'premium', 'business', 'first'] },
    },
    required: ['from', 'to', 'date', 'passengers'],
  },
  {
    name: 'query',
    properties: {
      table: text('Its name.'),
      where: { $ref: '#/$defs/condition' },
      limit: integer(1, 1000),
    },
    required: ['table'],
    $defs: {
      condition: {
        anyOf: [
          {
            type: 'object',
            properties: { column: { type: 'string' }, equals: { type: ['string', 'number', 'boolean', 'null'] } },
            required: ['column', 'equals'],
          },
          {
            type: 'object',
            properties: { and: list({ $ref: '#/$defs/condition' }) },
            required: ['and'],
          },
        ],
      },
    },
  },
  { name: 'list_directory', properties: {}, required: [] },
]

function text(description) {
  return { type: 'string', description }
}

function integer(minimum, maximum) {
  return { type: 'integer', minimum, ...(maximum !== undefined && { maximum }) }
}

function list(items) {
  return { type: 'array', items }
}

/** So many tools, with other names, descriptions and keys for each client, so that nothing of one client serves another. */
export function toolsOf(count, client) {
  return Array.from({ length: count }, (_, index) => {
    const { name, properties, ...schema } = structuredClone(kinds[index % kinds.length])
    const own = `${client}_${index}`
    return {
      name: `${name}_${own}`,
      description: `Tool ${own}: what it does, when it is to be used and what it gives back, in a sentence or two.`,
      schema: { type: 'object', properties: { ...properties, [`note_${own}`]: text('Why it is called.') }, ...schema },
    }
  })
}

/** A conversation as agents have them: a system text, two questions, a call with its result, 24 tools. */
export function conversation() {
  const tools = toolsOf(24, 'render')
  const [tool] = tools
  const say = (role, ...parts) => ({ role, parts })
  const text = (content) => ({ type: 'text', text: content })
  return {
    model: '',
    system: 'You are an agent that works on the files of a project. Say what you do before you do it.',
    turns: [
      say('user', text('What does the project do?')),
      say('assistant', {
        type: 'call',
        id: 'call_1',
        name: tool.name,
        arguments: '{"path":"README.md","limit":200}',
      }),
      say('user', {
        type: 'result',
        callId: 'call_1',
        name: tool.name,
        content: [text('# A project\n\nIt reads what models write.\n'.repeat(20))],
        isError: false,
      }),
      say('assistant', text('It reads what models write.')),
      say('user', text('And how fast is it?')),
    ],
    tools,
    toolChoice: { type: 'auto' },
    parallelCalls: true,
    stopSequences: [],
    sampling: {},
  }
}
