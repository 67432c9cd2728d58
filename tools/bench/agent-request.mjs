/** A request of the size that Claude Code's have: 24 tools and 76 kB at its first turn, some more with each that follows. */
const manual =
  'Say what you are about to do and why. Quote paths with blanks, keep to the folder that you are in, and read a file before you change it. '

const kinds = [
  {
    path: { type: 'string', description: 'Path of the file.' },
    offset: { type: 'integer', minimum: 0 },
    limit: { type: 'integer' },
  },
  {
    command: { type: 'string', description: 'The command.' },
    timeout: { type: 'number', exclusiveMinimum: 0, maximum: 600_000 },
    background: { type: 'boolean', default: false },
  },
  {
    questions: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        properties: {
          question: { type: 'string' },
          options: {
            type: 'array',
            items: { type: 'object', properties: { label: { type: 'string' } }, required: ['label'] },
          },
        },
        required: ['question', 'options'],
      },
    },
  },
  {
    pattern: { type: 'string', description: 'A regular expression.' },
    mode: { type: 'string', enum: ['content', 'files', 'count'] },
    context: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
  },
]

/** The tools of a client that no other has, so that nothing known of one serves another. */
function toolsOf(client) {
  return Array.from({ length: 24 }, (_, index) => ({
    name: `Tool${index}`,
    description: `Tool ${index} of client ${client}. ${manual.repeat(14)}`,
    input_schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: kinds[index % kinds.length],
      required: Object.keys(kinds[index % kinds.length]).slice(0, 1),
      additionalProperties: false,
    },
  }))
}

/** The request of a client at a turn, counted from 0: each turn before it has a call with its result. */
export function agentRequest(client, turn) {
  const past = Array.from({ length: turn }, (_, index) => [
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Let me look.' },
        { type: 'tool_use', id: `toolu_${client}_${index}`, name: 'Tool0', input: { path: `src/file-${index}.ts` } },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: `toolu_${client}_${index}`, content: 'A line of the file.\n'.repeat(60) },
      ],
    },
  ])
  return {
    model: 'agent',
    max_tokens: 32_000,
    system: [{ type: 'text', text: `You are agent ${client}. ${manual.repeat(140)}` }],
    messages: [{ role: 'user', content: `Mend the build, please. ${manual.repeat(8)}` }, ...past.flat()],
    tools: toolsOf(client),
  }
}
