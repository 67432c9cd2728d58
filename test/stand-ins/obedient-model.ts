import { isJsonObject, type JsonObject, type JsonValue } from '../../src/conversation/index.ts'

/** The parts of a conversation that the model reads. */
export interface Seen {
  /** The last thing that the user said. */
  asked: string
  tools: { name: string; parameters: JsonObject }[]
  /** The results of tools since then. */
  results: string[]
  /** It has to call. */
  isForced: boolean
}

export interface ObedientReply {
  text: string
  calls: { name: string; arguments: JsonObject }[]
}

/**
 * A model that obeys simple instructions: `get_weather with {"city": "Paris"}` is a call, each time that the user's
 * text contains it. It repeats results; if a call is required without instructions, it calls the first tool. `call the
 * tool \`NAME\`` and `call at least one tool` require one as well: APIs without a tool choice can only ask for a call.
 */
export function obey({ asked, tools: offered, results, isForced: isHeld }: Seen): ObedientReply {
  if (results.length > 0) return { text: `It says: ${results.join('; ')}`, calls: [] }
  const demand = /\bcall (?:the tool `([^`]+)`|at least one tool)/.exec(asked)
  const isForced = isHeld || demand !== null
  const tools = demand?.[1] === undefined ? offered : offered.filter(({ name }) => name === demand[1])
  const calls: ObedientReply['calls'] = []
  for (const [, name = '', json = ''] of asked.matchAll(/(\w+) with (\{[^{}]*\})/g)) {
    const value = parse(json)
    if (tools.some((tool) => tool.name === name) && isJsonObject(value)) calls.push({ name, arguments: value })
  }
  const [first] = tools
  if (calls.length === 0 && isForced && first) calls.push({ name: first.name, arguments: least(first.parameters) })
  return calls.length > 0 ? { text: '', calls } : { text: `Hello! You said: ${asked}`, calls }
}

/** The arguments that the schema requires. */
function least({ properties, required }: JsonObject): JsonObject {
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
  const schemas = isJsonObject(properties) ? properties : {}
  return Object.fromEntries(
    names.map((name): [string, JsonValue] => {
      const schema = schemas[name]
      return [name, isJsonObject(schema) && schema.type === 'integer' ? 1 : 'Paris']
    }),
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The template of that model: the turns of ChatML, tools and calls as Hermes has them. */
export const obedientTemplate: string = [
  '{{ bos_token }}',
  "{%- if tools %}{{ '<|im_start|>system\\n' }}",
  "{%- if messages[0].role == 'system' %}{{ messages[0].content + '\\n\\n' }}{% endif %}",
  "{{- 'You may call tools:\\n<tools>' }}{% for tool in tools %}{{ '\\n' + (tool | tojson) }}{% endfor %}",
  '{{- \'\\n</tools>\\nCall them so:\\n<tool_call>\\n{"name": "NAME", "arguments": {}}\\n</tool_call><|im_end|>\\n\' }}',
  "{%- elif messages[0].role == 'system' %}{{ '<|im_start|>system\\n' + messages[0].content + '<|im_end|>\\n' }}{% endif %}",
  "{%- for message in messages %}{% if message.role == 'user' or (message.role == 'system' and not loop.first) %}",
  "{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}",
  "{%- elif message.role == 'assistant' %}{{ '<|im_start|>assistant' }}",
  "{%- if message.content %}{{ '\\n' + message.content }}{% endif %}",
  '{%- for call in message.tool_calls or [] %}',
  '{{- \'\\n<tool_call>\\n{"name": "\' + call.function.name + \'", "arguments": \' }}',
  "{{- call.function.arguments | tojson }}{{ '}\\n</tool_call>' }}{% endfor %}{{ '<|im_end|>\\n' }}",
  "{%- elif message.role == 'tool' %}{{ '<|im_start|>user\\n<tool_response>\\n' + message.content + '\\n</tool_response><|im_end|>\\n' }}",
  "{%- endif %}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}",
].join('\n')

export const obedientTokens: readonly string[] = ['<s>', '<|im_start|>', '<|im_end|>', '<tool_call>', '</tool_call>']

/** Reads a prompt of the model's template. */
export function readPrompt(prompt: string, isForced: boolean): Seen {
  const turns = [...prompt.matchAll(/<\|im_start\|>(\w+)\n([\s\S]*?)<\|im_end\|>/g)]
  const seen: Seen = { asked: '', tools: [], results: [], isForced }
  for (const [, role, content = ''] of turns) {
    if (role === 'system') seen.tools = readTools(content)
    if (role !== 'user') continue
    const result = /^<tool_response>\n([\s\S]*)\n<\/tool_response>$/.exec(content)?.[1]
    if (result === undefined) Object.assign(seen, { asked: content, results: [] })
    else seen.results.push(result)
  }
  return seen
}

function readTools(system: string): Seen['tools'] {
  const listed = /<tools>\n([\s\S]*?)\n<\/tools>/.exec(system)?.[1] ?? ''
  return listed.split('\n').flatMap((line) => toolOf(parse(line)))
}

/** A tool in OpenAI's form. */
export function toolOf(value: unknown): Seen['tools'] {
  const described = isJsonObject(value) ? value.function : undefined
  if (!isJsonObject(described) || typeof described.name !== 'string') return []
  return [{ name: described.name, parameters: isJsonObject(described.parameters) ? described.parameters : {} }]
}

/** Writes a reply as the model continues a prompt of its template. */
export function writePlain({ text, calls }: ObedientReply): string {
  const written = calls.map(
    ({ name, arguments: given }) => `<tool_call>\n{"name": "${name}", "arguments": ${spaced(given)}}\n</tool_call>`,
  )
  return [...(text === '' ? [] : [text]), ...written].join('\n')
}

/** JSON as models write it: a blank after each comma and colon. */
function spaced(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`
  if (!isJsonObject(value)) return JSON.stringify(value ?? null)
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${spaced(member)}`)
  return `{${members.join(', ')}}`
}
