/**
 * Requests and replies that try to keep a gateway busy. `make(config)` gives a request: `body` (text or bytes), its `headers`, how many are sent at once
 * (`copies`); `path` is where it goes, if not to Chat Completions. `reply` is how the upstream answers: see upstream.mjs. A kind is served by each plan in `plans`.
 */
import { gzipSync } from 'node:zlib'

const million = 1_000_000

function chat(fields) {
  return JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }], ...fields })
}

function tool(parameters, name = 'f') {
  return { type: 'function', function: { name, description: '', parameters } }
}

function object(properties, more = {}) {
  return { type: 'object', properties, ...more }
}

function named(count, make) {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => make(index)))
}

/** A chain of definitions, each of which refers twice to the one before it: two to the power of `depth` ways. */
function chain(keyword, depth) {
  const link = (index) => ({ [keyword]: [{ $ref: `#/$defs/d${index - 1}` }, { $ref: `#/$defs/d${index - 1}` }] })
  const definitions = named(depth + 1, (index) => [`d${index}`, index === 0 ? { type: 'string' } : link(index)])
  return object({ a: { $ref: `#/$defs/d${depth}` } }, { $defs: definitions })
}

function union(depth) {
  return depth === 0 ? { type: 'string' } : { anyOf: [union(depth - 1), union(depth - 1)] }
}

const text = { type: 'string' }
const open = { additionalProperties: true }

/** Schemas that are large, in one way each. */
export const schemas = {
  'one name of 4 kB': () => object({ ['k'.repeat(4000)]: text }, open),
  'one name of 64 kB': () => object({ ['k'.repeat(64_000)]: text }, open),
  'one name of 1 MB': () => object({ ['k'.repeat(million)]: text }, open),
  '4000 names of up to 300': () =>
    object(
      named(4000, (at) => ['p'.repeat((at % 300) + 1) + at, text]),
      open,
    ),
  '10 000 properties': () => object(named(10_000, (at) => [`p${at}`, { ...text, description: 'd' }])),
  '10 000 properties, half required': () =>
    object(
      named(10_000, (at) => [`p${at}`, text]),
      { required: Array.from({ length: 5000 }, (_, at) => `p${2 * at}`) },
    ),
  'a required name of 1 MB': () =>
    object({ ['k'.repeat(million)]: text }, { required: ['k'.repeat(million)], ...open }),
  '20 000 properties with names of 60': () => object(named(20_000, (at) => [`p${at}`.padEnd(60, '_'), text])),
  'enum of 100 000': () => object({ a: { enum: Array.from({ length: 100_000 }, (_, at) => `value-${at}`) } }),
  'enum of 20 000 objects': () => object({ a: { enum: Array.from({ length: 20_000 }, (_, at) => ({ k: [at] })) } }),
  'anyOf of 2000 objects': () =>
    object({ a: { anyOf: Array.from({ length: 2000 }, (_, at) => object({ k: { const: at }, [`v${at}`]: text })) } }),
  'anyOf of 200 objects of 50': () =>
    object({ a: { anyOf: Array.from({ length: 200 }, (_, i) => object(named(50, (j) => [`p${i}_${j}`, text]))) } }),
  'anyOf nested 14 deep': () => object({ a: union(14) }),
  'allOf of 30 anyOfs': () => ({
    type: 'object',
    allOf: Array.from({ length: 30 }, (_, at) => ({
      anyOf: [object({ [`p${at}`]: text }, { required: [`p${at}`] }), object({ [`q${at}`]: { type: 'integer' } })],
    })),
  }),
  'a description of 3 MB of markers': () => object({ a: { ...text, description: '<tool_call>'.repeat(270_000) } }),
}

/** A reply that looks like an element named as a tool, for which all patterns of elements are compiled. */
const plain = { type: 'text', text: 'Hello <f><p1>.\nf(p1=1)' }
const everyPlan = ['native', 'prompted', 'templated', 'tagged']

function ofSchema([name, schema]) {
  return {
    name: `schema: ${name}`,
    plans: everyPlan,
    reply: plain,
    make: () => ({ body: { tools: [tool(schema())] } }),
  }
}

function ofFormat([name, schema]) {
  const json_schema = () => ({ name: 'answer', strict: true, schema: schema() })
  return {
    name: `format: ${name}`,
    plans: everyPlan,
    reply: { type: 'text', text: '{"a":"x"}' },
    make: () => ({ body: { response_format: { type: 'json_schema', json_schema: json_schema() } } }),
  }
}

/** Calls whose judgement by their schema is long. */
const judged = {
  'anyOf chained 40 deep': [() => chain('anyOf', 40), () => 'x'],
  'allOf chained 40 deep': [() => chain('allOf', 40), () => 'x'],
  'oneOf chained 40 deep': [() => chain('oneOf', 40), () => 1],
  '30 alternatives for each of 5000 objects': [
    () => object({ a: { items: { oneOf: Array.from({ length: 30 }, (_, at) => object({ k: { const: at } })) } } }),
    () => Array.from({ length: 5000 }, () => ({ k: 29, v: 'x' })),
  ],
  'a comparison of 5000 objects': [
    () => object({ a: { uniqueItems: true } }),
    () => Array.from({ length: 5000 }, (_, k) => ({ k })),
  ],
  'a pattern that takes for ever': [
    () => object({ a: { ...text, pattern: '^(a+)+$' } }, { patternProperties: { '^(a+)+$': text } }),
    () => `${'a'.repeat(40)}!`,
  ],
}

function ofCheck([name, [schema, a]]) {
  return {
    name: `a call judged by ${name}`,
    plans: ['native'],
    reply: { type: 'call', name: 'f', arguments: JSON.stringify({ a: a() }) },
    make: () => ({ body: { tools: [tool(schema())] } }),
  }
}

function ofText(name, reply) {
  return {
    name: `text: ${name}`,
    plans: ['native', 'prompted'],
    reply: { type: 'text', text: reply, pieces: 1 },
    make: () => ({ body: { tools: [tool(object({ a: text }), 'edit')] } }),
  }
}

/** Messages of 12 characters, so many times over, each. */
function ofMessages(count, times) {
  return {
    name: `legal: ${count} messages of ${12 * times} characters`,
    plans: ['native', 'prompted', 'templated'],
    reply: plain,
    make: () => ({
      body: {
        messages: Array.from({ length: count }, (_, at) => ({
          role: at % 2 === 0 ? 'user' : 'assistant',
          content: `${at} ${'lorem ipsum '.repeat(times)}`,
        })),
      },
    }),
  }
}

function ofReply(name, reply) {
  return { name: `upstream: ${name}`, plans: ['native'], reply, make: () => ({ body: {} }) }
}

/** `fill` times so often that the body stays below 31 MB. */
function filled(before, fill, after) {
  return before + fill.repeat(Math.floor((30 * million - before.length) / fill.length)) + after
}

const start = '{"messages":[{"role":"user","content":"Hello"}]'
const bodies = {
  'ten million empty objects in metadata': (rest) => filled(`${start},${rest},"metadata":[`, '{},', '{}]}'),
  'ten million empty objects in an enum': (rest) =>
    filled(
      `${start},${rest},"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{"a":{"enum":[`,
      '{},',
      '{}]}}}}}]}',
    ),
  'a million messages': (rest) =>
    filled(`{${rest},"messages":[`, '{"role":"user","content":"a"},', '{"role":"user","content":"a"}]}'),
  '300 000 tools': (rest) => {
    const one = '{"type":"function","function":{"name":"f","description":"","parameters":{"type":"object"}}}'
    return filled(`${start},${rest},"tools":[`, `${one},`, `${one}]}`)
  },
  'a million stop sequences': (rest) => filled(`${start},${rest},"stop":[`, '"a",', '"b"]}'),
  '15 million levels': (rest) => `${start},${rest},"metadata":${'['.repeat(15 * million)}${']'.repeat(15 * million)}}`,
}

function ofBody([name, make]) {
  return {
    name: `body: ${name}, packed`,
    plans: ['native', 'prompted'],
    reply: plain,
    make: (model) => ({
      body: gzipSync(make(`"model":${JSON.stringify(model)}`), { level: 9 }),
      headers: { 'content-encoding': 'gzip' },
    }),
  }
}

const others = [
  {
    name: 'names: 512 tools with names of 200',
    plans: everyPlan,
    reply: plain,
    make: () => ({
      body: {
        tools: Array.from({ length: 512 }, (_, at) =>
          tool(object({ a: text }, { required: ['a'] }), `f${at}`.padEnd(200, '_')),
        ),
      },
    }),
  },
  {
    name: 'body: 40 packed bombs of 400 MB at once',
    plans: ['native'],
    reply: plain,
    make: () => ({
      body: gzipSync(Buffer.alloc(400 * million, 32)),
      headers: { 'content-encoding': 'gzip' },
      copies: 40,
    }),
  },
  {
    name: 'legal: one text of 30 MB',
    plans: ['native', 'prompted', 'templated'],
    reply: plain,
    make: () => ({ body: { messages: [{ role: 'user', content: 'lorem ipsum '.repeat(2.5 * million) }] } }),
  },
  {
    name: 'legal: one text of 15 MB of line breaks and quotes',
    plans: ['native', 'prompted', 'templated'],
    reply: plain,
    make: () => ({ body: { messages: [{ role: 'user', content: '"\n'.repeat(7.5 * million) }] } }),
  },
  ofMessages(10_000, 80),
  ofMessages(60_000, 20),
  {
    name: 'legal: a call with arguments of 15 MB in the history',
    plans: ['native', 'prompted', 'templated'],
    reply: plain,
    make: () => ({
      body: {
        messages: [
          { role: 'user', content: 'Hello' },
          {
            role: 'assistant',
            tool_calls: [
              {
                id: 'call_1',
                type: 'function',
                function: { name: 'f', arguments: JSON.stringify({ a: 'lorem <ipsum>\n'.repeat(million) }) },
              },
            ],
          },
          { role: 'tool', tool_call_id: 'call_1', content: 'done' },
        ],
        tools: [tool(object({ a: text }))],
      },
    }),
  },
  {
    name: 'names: a tool whose name has 1 MB',
    plans: everyPlan,
    reply: plain,
    make: () => ({ body: { tools: [tool(object({ a: text }), 'n'.repeat(million))] } }),
  },
]

const large = {
  '12 MB of text in one event, 15 MB as JSON': { type: 'text', text: 'lorem "ipsum"\n'.repeat(0.9 * million) },
  'a call with 15 MB of arguments in one event': {
    type: 'call',
    name: 'f',
    arguments: JSON.stringify({ a: 'lorem ipsum\n'.repeat(1.1 * million) }),
  },
  '20 MB of text in events of 64 kB': { type: 'text', text: 'lorem "ipsum"\n'.repeat(4600), times: 310 },
}

/** A large reply, sent on in each protocol, whole and streamed. */
function ofLargeReply([name, reply]) {
  return ['/v1/chat/completions', '/v1/messages'].flatMap((path) =>
    [false, true].map((stream) => ({
      name: `reply: ${name}, ${path}, ${stream ? 'streamed' : 'whole'}`,
      plans: ['native', 'prompted'],
      reply,
      path,
      make: () => ({ body: { stream, max_tokens: 100, tools: toolsFor(path) } }),
    })),
  )
}

function toolsFor(path) {
  const schema = object({ a: text })
  return path === '/v1/messages' ? [{ name: 'f', description: '', input_schema: schema }] : [tool(schema)]
}

export const kinds = [
  ofText('<arg_key> and 850 blanks', `<tool_call>edit\n<arg_key>${' '.repeat(850)}`),
  ofText('<arg_key> and 850 line breaks', `<tool_call>edit\n<arg_key>${'\r\n'.repeat(425)}`),
  ...Object.entries(judged).map(ofCheck),
  ...Object.entries(schemas).map(ofSchema),
  ...Object.entries(schemas).map(ofFormat),
  ofReply('HTTP 500 of 60 kB of <', { type: 'status', status: 500, body: '<'.repeat(60_000) }),
  ofReply('HTTP 500 of <style> 8000 times', { type: 'status', status: 500, body: '<style>'.repeat(8000) }),
  ofReply('error event of 1 MB of <', {
    type: 'error-event',
    data: JSON.stringify({ error: { message: '<'.repeat(million) } }),
  }),
  ofReply('HTTP 500 of 30 000 levels', { type: 'status', status: 500, body: '['.repeat(30_000) + ']'.repeat(30_000) }),
  ofReply('error event of 100 000 levels', { type: 'error-event', data: '['.repeat(100_000) + ']'.repeat(100_000) }),
  ofReply('an event of five million objects', { type: 'event', data: `{"x":[${'{},'.repeat(5 * million)}{}]}` }),
  ...Object.entries(bodies).map(ofBody),
  ...others,
  ...Object.entries(large).flatMap(ofLargeReply),
]

/** The request of a kind for a model, as bytes. */
export function requestOf(kind, model) {
  const { body, headers = {}, copies = 1 } = kind.make(model)
  const isBytes = Buffer.isBuffer(body)
  return { bytes: isBytes ? body : Buffer.from(chat({ ...body, model })), headers, copies }
}
