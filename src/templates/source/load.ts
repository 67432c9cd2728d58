import { isJsonObject, type JsonObject, type JsonValue } from '../../conversation/index.ts'
import { buildTemplate, type Loaded, type LoadOptions, type TemplateParts } from './chat-template.ts'
import { LoadError } from './load-error.ts'

/**
 * Returns the chat template of a `.jinja` file's text, or of `tokenizer_config.json`, `chat_template.json` or the answer of llama-server's
 * `/props`, as text or parsed; or a LoadError. The kind of a source is detected from its content. GGUF files are read by `loadGgufTemplate`.
 *
 * @example
 * const loaded = safeLoadTemplate(source)
 * if (loaded.type === 'error') console.error(loaded.message)
 * else console.log(loaded.template.names)
 */
export function safeLoadTemplate(source: string | JsonObject, options: LoadOptions = {}): Loaded {
  if (typeof source !== 'string') return loadJson(source, options)
  const text = source.replace(/^\uFEFF/, '')
  if (text.trim() === '')
    return new LoadError('the source is empty; it must be a chat template or a JSON file that has one')
  const json = /^\s*\{\s*(?:"|\})/.test(text) ? parse(text) : undefined
  if (json instanceof SyntaxError) {
    return new LoadError(`the source begins like a JSON file, but is not one: ${json.message}`)
  }
  if (json !== undefined) return loadJson(json, options)
  return buildTemplate({ templates: [{ name: '', source: text }], specialTokens: {}, addedTokens: [] }, options)
}

function parse(text: string): JsonObject | SyntaxError {
  try {
    const json: unknown = JSON.parse(text)
    return isJsonObject(json) ? json : new SyntaxError('it is no object')
  } catch (error) {
    return error instanceof SyntaxError ? error : new SyntaxError(String(error))
  }
}

function loadJson(json: JsonObject, options: LoadOptions): Loaded {
  const templates = readTemplates(json)
  if (typeof templates === 'string') return new LoadError(templates)
  // Newer configs have the first, older ones the second.
  const responseTemplate = [json.response_template, json.response_schema].find(isJsonObject)
  const parts: TemplateParts = {
    templates,
    specialTokens: readSpecialTokens(json),
    addedTokens: readAddedTokens(json),
    ...(responseTemplate && { responseTemplate }),
  }
  return buildTemplate(parts, options)
}

/** One template, a list with names, or an object by name; or the error. */
function readTemplates(json: JsonObject): TemplateParts['templates'] | string {
  const { chat_template: value, chat_template_tool_use: forTools } = json
  if (value === undefined || value === null) {
    return 'the JSON file has no chat_template: the model may have it in chat_template.jinja or chat_template.json beside it'
  }
  if (typeof value === 'string') {
    // llama-server returns the second one if a model has two.
    if (typeof forTools !== 'string') return [{ name: '', source: value }]
    return [
      { name: 'default', source: value },
      { name: 'tool_use', source: forTools },
    ]
  }
  if (Array.isArray(value))
    return readNamed(value.map((entry) => (isJsonObject(entry) ? [entry.name, entry.template] : [])))
  if (isJsonObject(value)) return readNamed(Object.entries(value))
  return 'chat_template is neither text nor a list of templates with names'
}

function readNamed(entries: readonly (readonly (JsonValue | undefined)[])[]): TemplateParts['templates'] | string {
  const templates = entries.flatMap(([name, source]) =>
    typeof name === 'string' && typeof source === 'string' ? [{ name, source }] : [],
  )
  if (templates.length === entries.length && templates.length > 0) return templates
  return entries.length === 0
    ? 'chat_template is an empty list'
    : `chat_template[${templates.length}] is no {"name", "template"} with two texts`
}

/** A token is a text, or an object that has it as `content`. */
function readSpecialTokens(json: JsonObject): Record<string, string> {
  const tokens: Record<string, string> = {}
  for (const [key, value] of Object.entries(json)) {
    const token = isJsonObject(value) ? value.content : value
    if (/^\w+_token$/.test(key) && typeof token === 'string') tokens[key] = token
  }
  return tokens
}

function readAddedTokens({ added_tokens_decoder: byId, additional_special_tokens: more }: JsonObject): string[] {
  const entries = [...(isJsonObject(byId) ? Object.values(byId) : []), ...(Array.isArray(more) ? more : [])]
  const tokens = entries.map((entry) => (isJsonObject(entry) ? entry.content : entry))
  return [...new Set(tokens.filter((token) => typeof token === 'string'))]
}
