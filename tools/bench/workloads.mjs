/**
 * The request and the reply, the same for all three paths: the same conversation with the same tools, and the same text
 * from the model in the same pieces.
 */

/** The form of anycall's trigger (12 hexadecimal digits): this one is used if a prompt has none. */
export const noTrigger = '<<CALL_000000000000>>'

const words =
  'the gateway reads each piece of text as it comes and sends on what it has understood so that nobody waits for it '
    .trim()
    .split(' ')

/** `count` pieces of about a token each. */
function pieces(count) {
  return Array.from({ length: count }, (_, index) => `${words[index % words.length]} `)
}

function call(name, parameter, value) {
  return [
    `${noTrigger}\n`,
    '<invoke',
    ' name="',
    name,
    '">\n',
    '<parameter',
    ' name="',
    parameter,
    '">',
    ...value,
    '</',
    'parameter>',
    '\n</',
    'invoke>',
  ]
}

/** The same call as the model of the template in `templated-gateway.mjs` writes it, in as many pieces. */
function templatedCall(name, parameter, value) {
  return [
    '⟦call⟧',
    '\n{',
    '"fn"',
    ': "',
    name,
    '", ',
    '"kwargs"',
    ': {"',
    `${parameter}": "`,
    ...value,
    '"}',
    '}',
    '\n',
    '⟦/call⟧',
  ]
}

const text = { stream: true, pieces: pieces(200), expects: '"type":"text_delta"' }
const argument = {
  stream: true,
  pieces: [...pieces(5), '\n', ...call('write_file', 'content', pieces(181))],
  templatedPieces: [...pieces(5), '\n', ...templatedCall('write_file', 'content', pieces(181))],
  expects: '"type":"input_json_delta"',
}

/**
 * `burst`: the model server writes all pieces in one turn of its event loop, so that Node sends them as few packets;
 * otherwise each piece is a packet of its own, sent at the next turn.
 */
export const workloads = {
  json: {
    title: 'JSON reply',
    stream: false,
    burst: true,
    pieces: [...pieces(5), '\n', ...call('read_file', 'path', pieces(9))],
    templatedPieces: [...pieces(5), '\n', ...templatedCall('read_file', 'path', pieces(9))],
    expects: '"type":"tool_use"',
  },
  text: { title: '200 pieces of text in packets', ...text },
  call: { title: '200 pieces with a call in packets', ...argument },
  textBurst: { title: '200 pieces of text in a burst', burst: true, ...text },
  callBurst: { title: '200 pieces with a call in a burst', burst: true, ...argument },
}

/** The name of the model for a workload with a template's prompt: that model writes calls as the template does. */
export function templatedName(name) {
  return `${name}Templated`
}

/** All that the model server can be asked for, by the model's name. */
export const served = {
  ...workloads,
  ...Object.fromEntries(
    Object.entries(workloads).map(([name, { templatedPieces, ...workload }]) => [
      templatedName(name),
      { ...workload, pieces: templatedPieces ?? workload.pieces },
    ]),
  ),
}

/** The placeholder that a request's number replaces. */
const noNumber = 'no. 00000000'

const system = `You are a careful programmer. ${'Read before you write, change as little as you can, and say what you did. '.repeat(20)}`
const turns = [
  { role: 'user', content: `The build ${noNumber} fails since yesterday. Find out why, please.` },
  { role: 'assistant', content: 'The type of one export is missing; I shall add it and run the build again.' },
  { role: 'user', content: 'Good. Go on, and write the file.' },
]

const tools = ['read_file', 'write_file', 'list_files', 'search', 'run', 'fetch_page', 'ask_user', 'finish'].map(
  (name) => ({
    name,
    description: `${name.replace('_', ' ')}: ${'does what its name says and gives back what came of it, or why nothing did. '.repeat(4)}`,
    schema: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'The file or folder, from the root of the project.' },
        content: { type: 'string', description: 'The text, whole.' },
        limit: { type: 'integer', description: 'The most results.', minimum: 1, maximum: 1000 },
        mode: { type: 'string', enum: ['plain', 'recursive', 'follow'], description: 'How to go about it.' },
        filters: { type: 'array', items: { type: 'string' }, description: 'Only what matches one of these.' },
      },
      required: ['path'],
      additionalProperties: false,
    },
  }),
)

/** The request as the model server and the bare proxy take it. */
export function chatRequest(name) {
  return JSON.stringify({
    model: name,
    stream: workloads[name].stream,
    ...(workloads[name].stream && { stream_options: { include_usage: true } }),
    max_tokens: 4096,
    messages: [{ role: 'system', content: system }, ...turns],
    tools: tools.map(({ schema, ...tool }) => ({ type: 'function', function: { ...tool, parameters: schema } })),
  })
}

/** The same request as anycall takes it. */
export function messagesRequest(name) {
  return JSON.stringify({
    model: name,
    stream: workloads[name].stream,
    max_tokens: 4096,
    system,
    messages: turns,
    tools: tools.map(({ schema, ...tool }) => ({ ...tool, input_schema: schema })),
  })
}

/** The same request as the Responses API takes it, from a client that keeps the conversation itself. */
export function responsesRequest(name) {
  return JSON.stringify({
    model: name,
    stream: workloads[name].stream,
    store: false,
    max_output_tokens: 4096,
    instructions: system,
    input: turns.map((turn) => ({ type: 'message', ...turn })),
    tools: tools.map(({ schema, ...tool }) => ({ type: 'function', ...tool, parameters: schema, strict: false })),
  })
}

/** The same request as the Gemini API takes it; its model and the form of its reply are in the path. */
export function geminiRequest() {
  return JSON.stringify({
    systemInstruction: { parts: [{ text: system }] },
    contents: turns.map(({ role, content }) => ({
      role: role === 'assistant' ? 'model' : role,
      parts: [{ text: content }],
    })),
    tools: [{ functionDeclarations: tools.map(({ schema, ...tool }) => ({ ...tool, parametersJsonSchema: schema })) }],
    generationConfig: { maxOutputTokens: 4096 },
  })
}

export function geminiPath(name) {
  return `/v1beta/models/${name}:${workloads[name].stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`
}

/** The same request as Ollama's API takes it. */
export function ollamaRequest(name) {
  return JSON.stringify({
    model: name,
    stream: workloads[name].stream,
    messages: [{ role: 'system', content: system }, ...turns],
    tools: tools.map(({ schema, ...tool }) => ({ type: 'function', function: { ...tool, parameters: schema } })),
    options: { num_predict: 4096 },
  })
}

/** Returns the part of a reply in this protocol that says the same as this part of one in the Messages API. */
export function expectedIn(protocol, expects) {
  const isText = expects.includes('text_delta')
  if (protocol === 'chat') return isText ? '"content":"the' : '"tool_calls":[{'
  if (protocol === 'responses') return isText ? '"type":"response.output_text.delta"' : '"type":"function_call"'
  if (protocol === 'gemini') return isText ? '"parts":[{"text":"the' : '"functionCall":{"id":"call_'
  if (protocol === 'ollama') return isText ? '"content":"the' : '"tool_calls":[{"id":"call_'
  return expects
}

/** The number of the last request, on all paths. */
let lastNumber = 0

/**
 * Gives each request a number of its own in its first message: every request is another conversation, so nothing that
 * anycall may remember of a conversation helps it here. All paths count together: one conversation in two protocols of a process is one
 * that it remembers, and costs the second protocol a comparison (17 us of a reply).
 */
export function createNumbering(text) {
  const body = Buffer.from(text)
  const at = body.indexOf(noNumber) + noNumber.length - 8
  return () => {
    const numbered = Buffer.from(body)
    numbered.write(String(++lastNumber).padStart(8, '0'), at, 'latin1')
    return numbered
  }
}

/** A text with the trigger that the prompt gives. `body` is a request as JSON text. */
export function withTrigger(text, body) {
  return text.replace(noTrigger, /<<CALL_[0-9a-f]{12}>>/.exec(body)?.[0] ?? noTrigger)
}

/** The workload that a request names as its model. */
export function workloadOf(body) {
  return /"model":"(\w+)"/.exec(body)?.[1] ?? 'text'
}
