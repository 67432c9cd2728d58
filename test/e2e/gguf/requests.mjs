// @ts-check
// What is asked of each model: both protocols, whole and streamed, with calls demanded, named and free, one or several, and with reasoning.

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
 */

/** @type {Ask[]} */
export const asks = [
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
function openaiRequest(model, { stream, choice, parallel, reasoning }) {
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
    tools: tools.map(({ name, description, schema }) => ({
      type: 'function',
      function: { name, description, parameters: schema },
    })),
    tool_choice: typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } },
    parallel_tool_calls: parallel,
    reasoning_effort: reasoning ? 'medium' : 'none',
  }
  return ['/v1/chat/completions', body]
}

/** @param {string} model @param {Ask} ask @returns {[string, object]} */
function anthropicRequest(model, { stream, choice, parallel, reasoning }) {
  const type = choice === 'required' ? 'any' : choice
  const body = {
    model,
    stream,
    max_tokens: maxTokens,
    temperature: 1,
    top_k: 400,
    system: 'Be brief.',
    messages: [{ role: 'user', content: text }],
    tools: tools.map(({ name, description, schema }) => ({ name, description, input_schema: schema })),
    tool_choice: {
      ...(typeof type === 'string' ? { type } : { type: 'tool', name: type.name }),
      ...(choice !== 'none' && { disable_parallel_tool_use: !parallel }),
    },
    thinking: reasoning ? { type: 'enabled', budget_tokens: 1024 } : { type: 'disabled' },
  }
  return ['/v1/messages', body]
}
