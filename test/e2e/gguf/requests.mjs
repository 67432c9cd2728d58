// @ts-check
// What is asked of each model: both protocols, whole and streamed, with calls demanded, named and free, one or several, and with reasoning; and replies
// in JSON of a schema, alone and beside tools.

/** @param {string} name @param {Record<string, unknown>} properties @param {string[]} required */
const tool = (name, properties, required) => ({
  name,
  description: `Tool ${name}.`,
  schema: { type: 'object', properties, required, additionalProperties: false },
})

/**
 * Small, so that random text reaches its end; lengths are given only for formats that write JSON, because text between
 * tags has none.
 */
export const tools = [
  tool(
    'get_weather',
    {
      city: { type: 'string' },
      days: { type: 'integer', minimum: 1, maximum: 7 },
      unit: { type: 'string', enum: ['c', 'f'] },
    },
    ['city', 'days'],
  ),
  tool(
    'set_light',
    {
      room: { type: 'string', enum: ['kitchen', 'hall way', 'attic'] },
      on: { type: 'boolean' },
      level: { type: 'number' },
    },
    ['room', 'on'],
  ),
  tool(
    'label',
    {
      tags: { type: 'array', maxItems: 3, items: { type: 'string', maxLength: 5 } },
      at: {
        type: 'object',
        properties: { x: { type: 'integer' }, note: { type: ['string', 'null'], maxLength: 6 } },
        required: ['x'],
        additionalProperties: false,
      },
    },
    ['tags'],
  ),
  tool('now', {}, []),
]

/**
 * @typedef {object} Ask
 * @property {'openai' | 'anthropic'} protocol
 * @property {boolean} stream
 * @property {'auto' | 'required' | 'none' | { name: string }} choice
 * @property {boolean} parallel
 * @property {boolean} reasoning
 * @property {Record<string, unknown>} [format] the schema of a reply without calls
 * @property {boolean} [isAlone] without tools
 */

/** @type {Ask[]} */
const callAsks = [
  { protocol: 'openai', stream: false, choice: 'required', parallel: true, reasoning: false },
  { protocol: 'anthropic', stream: true, choice: 'required', parallel: true, reasoning: true },
  { protocol: 'openai', stream: true, choice: { name: 'label' }, parallel: false, reasoning: true },
  { protocol: 'openai', stream: true, choice: 'auto', parallel: true, reasoning: false },
  { protocol: 'anthropic', stream: false, choice: { name: 'get_weather' }, parallel: true, reasoning: false },
  { protocol: 'anthropic', stream: false, choice: 'required', parallel: false, reasoning: true },
  { protocol: 'openai', stream: false, choice: 'required', parallel: true, reasoning: true },
  { protocol: 'anthropic', stream: true, choice: 'auto', parallel: true, reasoning: true },
  { protocol: 'openai', stream: true, choice: 'required', parallel: false, reasoning: false },
  { protocol: 'anthropic', stream: true, choice: 'none', parallel: true, reasoning: false },
]

/** Small, so that random text comes to an end. */
const person = {
  type: 'object',
  properties: {
    name: { type: 'string', maxLength: 8 },
    age: { type: 'integer', minimum: 0, maximum: 130 },
    born: { type: 'string', format: 'date' },
    tags: { type: 'array', items: { enum: ['a', 'b', 'c'] }, uniqueItems: true },
    at: {
      anyOf: [
        { type: 'null' },
        { type: 'object', properties: { x: { type: 'number' } }, required: ['x'], additionalProperties: false },
      ],
    },
  },
  required: ['name', 'age', 'tags'],
  additionalProperties: false,
}
const choice = {
  anyOf: [
    { type: 'array', items: { type: 'boolean' }, minItems: 1, maxItems: 4 },
    { const: { kind: 'none', why: ['a <b>'] } },
    { type: 'string', pattern: '^[a-z]{2,4}(-[0-9]{1,3})?$' },
  ],
}

/** Replies in JSON of a schema. @type {Ask[]} */
const formatAsks = [person, choice].flatMap((format) =>
  [true, false].flatMap((reasoning) => [
    { ...ask('openai', reasoning), stream: false, choice: 'none', isAlone: true, format },
    { ...ask('anthropic', reasoning), stream: true, choice: 'none', isAlone: true, format },
    { ...ask('openai', reasoning), stream: true, choice: 'auto', format },
    { ...ask('anthropic', reasoning), stream: false, choice: 'auto', format },
    { ...ask('openai', reasoning), stream: false, choice: 'none', format },
  ]),
)

/**
 * All requests of a kind, or of both; or some of them, of both kinds in turn.
 * @param {'calls' | 'formats'} [kind]
 * @param {{ first: number, count: number }} [some]
 * @returns {Ask[]}
 */
export function asksOf(kind, some) {
  const lists = [...(kind === 'formats' ? [] : [callAsks]), ...(kind === 'calls' ? [] : [formatAsks])]
  if (some === undefined) return lists.flat()
  return Array.from({ length: some.count }, (_, index) => {
    const list = lists[index % lists.length] ?? callAsks
    // No two requests of the same kind are the same until all were made: the step shares no factor with their number.
    return list[(some.first + Math.floor(index / lists.length) * 3) % list.length]
  }).flatMap((ask) => ask ?? [])
}

/** @param {'openai' | 'anthropic'} protocol @param {boolean} reasoning */
function ask(protocol, reasoning) {
  return { protocol, reasoning, parallel: false }
}

const maxTokens = 1200
const text = 'What is the weather in Paris?'

/** @param {string} model @param {Ask} ask */
export function requestOf(model, ask) {
  const [path, body] = ask.protocol === 'openai' ? openaiRequest(model, ask) : anthropicRequest(model, ask)
  return new Request(`http://gateway${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

/** @param {string} model @param {Ask} ask @returns {[string, object]} */
function openaiRequest(model, { stream, choice, parallel, reasoning, format, isAlone = false }) {
  const body = {
    model,
    stream,
    max_tokens: maxTokens,
    temperature: 1,
    top_p: 1,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: text },
    ],
    ...(!isAlone && {
      tools: tools.map(({ name, description, schema }) => ({
        type: 'function',
        function: { name, description, parameters: schema },
      })),
      tool_choice: typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } },
      parallel_tool_calls: parallel,
    }),
    ...(format && { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: format } } }),
    reasoning_effort: reasoning ? 'medium' : 'none',
  }
  return ['/v1/chat/completions', body]
}

/** @param {string} model @param {Ask} ask @returns {[string, object]} */
function anthropicRequest(model, { stream, choice, parallel, reasoning, format, isAlone = false }) {
  const type = choice === 'required' ? 'any' : choice
  const body = {
    model,
    stream,
    max_tokens: maxTokens,
    temperature: 1,
    top_k: 400,
    system: 'Be brief.',
    messages: [{ role: 'user', content: text }],
    ...(!isAlone && {
      tools: tools.map(({ name, description, schema }) => ({ name, description, input_schema: schema })),
      tool_choice: {
        ...(typeof type === 'string' ? { type } : { type: 'tool', name: type.name }),
        ...(choice !== 'none' && { disable_parallel_tool_use: !parallel }),
      },
    }),
    ...(format && { output_config: { format: { type: 'json_schema', schema: format } } }),
    thinking: reasoning ? { type: 'enabled', budget_tokens: 1024 } : { type: 'disabled' },
  }
  return ['/v1/messages', body]
}
