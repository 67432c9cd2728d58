// @ts-check
/** @import { CaseOptions, ExpectedCall, ExpectedMessage, Report, TextCase } from '../library/types.ts' */
/** @import { Tool, ToolChoice } from '../../../src/index.ts' */

/** @type {Record<keyof NonNullable<CaseOptions['accept']>, (value: unknown) => unknown>} Cases have these beside the other options. */
const accepted = {
  naturalLanguage: asBoolean,
  looseCalls: asBoolean,
  callsInReasoning: asBoolean,
  fences: (value) => oneOf(value, ['strict', 'lenient']),
}

/** @type {Record<Exclude<keyof CaseOptions, 'accept'>, (value: unknown) => unknown>} What each option may be; undefined where it is not. */
const options = {
  parallelCalls: asBoolean,
  standalone: asBoolean,
  reasoning: (value) => oneOf(value, ['detect', 'open']),
  toolChoice: asToolChoice,
}

/**
 * Reads a case from JSON. Takes it as it comes: fields that it does not know are left out, parts that may be absent are.
 * @param {unknown} json
 * @returns {TextCase}
 * @throws {Error} where it cannot be a case: the message says why
 */
export function parseTextCase(json) {
  const fields = record(json, 'the case')
  /** @type {string[]} */
  const warnings = []
  const chunks = Array.isArray(fields.chunks) ? fields.chunks.map((chunk) => text(chunk, 'a chunk')) : undefined
  const output = typeof fields.output === 'string' || !chunks ? text(fields.output, 'output') : chunks.join('')
  const fits = chunks?.join('') === output
  if (chunks && !fits) warnings.push('its chunks do not join to its output, and are not read')
  const accepted = fields.accept === undefined || fields.accept === null ? [] : [fields.accept].flat()
  return {
    id: typeof fields.id === 'string' || typeof fields.id === 'number' ? String(fields.id) : '',
    source: typeof fields.source === 'string' ? fields.source : '',
    output,
    ...(chunks && fits && { chunks }),
    tools: parseTools(fields.tools),
    ...(typeof fields.trigger === 'string' && fields.trigger !== '' && { trigger: fields.trigger }),
    options: parseOptions(fields.options, fields.mode, warnings),
    truncated: Boolean(fields.truncated),
    unknownTool: Boolean(fields.unknown_tool),
    messages: [parseMessage(fields.expect, 'expect'), ...accepted.map((message) => parseMessage(message, 'accept'))],
    warnings,
  }
}

/**
 * @param {unknown} json names, or tools with a schema
 * @returns {Tool[]}
 */
function parseTools(json) {
  if (json === undefined || json === null) return []
  if (!Array.isArray(json)) throw new Error('tools is not an array')
  return json.map((item) => {
    if (typeof item === 'string') return { name: item, description: '', schema: {} }
    const outer = record(item, 'a tool')
    const tool = isRecord(outer.function) ? outer.function : outer
    const schema = tool.parameters ?? tool.input_schema ?? tool.schema
    return {
      name: text(tool.name, 'the name of a tool'),
      description: typeof tool.description === 'string' ? tool.description : '',
      schema: isRecord(schema) ? /** @type {Tool['schema']} */ (schema) : {},
    }
  })
}

/**
 * @param {unknown} json
 * @param {unknown} mode
 * @param {string[]} warnings
 * @returns {CaseOptions}
 */
function parseOptions(json, mode, warnings) {
  /** @type {Record<string, unknown>} */
  const read = {}
  /** @type {Record<string, unknown>} */
  const accept = {}
  for (const [name, value] of Object.entries(isRecord(json) ? json : {})) {
    const readers = { ...options, ...accepted }
    const known = isKeyOf(readers, name) ? readers[name](value) : undefined
    if (known === undefined) warnings.push(`its option ${name}: ${JSON.stringify(value)} is not known, and left out`)
    else if (isKeyOf(accepted, name)) accept[name] = known
    else read[name] = known
  }
  if (mode === 'standalone') read.standalone = true
  return Object.keys(accept).length > 0 ? { ...read, accept } : read
}

/**
 * A message that is expected. Without `tool_calls` it is one without calls: a call that nobody expected is the worst
 * that a reader can do. What is null is not compared.
 * @param {unknown} json
 * @param {string} what
 * @returns {ExpectedMessage}
 */
function parseMessage(json, what) {
  const fields = record(json, what)
  const calls = fields.tool_calls === undefined ? [] : fields.tool_calls
  if (calls !== null && !Array.isArray(calls)) throw new Error(`tool_calls of ${what} is not an array`)
  /** @type {Partial<Report>} */
  const report = {}
  if (typeof fields.sawToolCallSyntax === 'boolean') report.sawToolCallSyntax = fields.sawToolCallSyntax
  if (typeof fields.rejectedByPolicy === 'boolean') report.rejectedByPolicy = fields.rejectedByPolicy
  if (Array.isArray(fields.rejectedToolNames)) report.rejectedToolNames = fields.rejectedToolNames.map(String)
  return {
    ...(typeof fields.content === 'string' && { content: fields.content }),
    ...(typeof fields.reasoning_content === 'string' && { reasoning: fields.reasoning_content }),
    ...(calls && { calls: calls.map(parseCall) }),
    contains: texts(fields.content_contains),
    excludes: texts(fields.content_excludes),
    report,
  }
}

/**
 * @param {unknown} json a call, by itself or in OpenAI's wrapper
 * @returns {ExpectedCall}
 */
function parseCall(json) {
  const outer = record(json, 'an expected call')
  const call = isRecord(outer.function) ? outer.function : outer
  return {
    name: text(call.name, 'the name of an expected call'),
    ...(call.arguments !== undefined && { arguments: parseArguments(call.arguments) }),
    ...(typeof outer.id === 'string' && outer.id !== '' && { id: outer.id }),
  }
}

/**
 * Arguments are a JSON value; where they are the text of an object, as on OpenAI's wire, that object.
 * @param {unknown} value
 */
function parseArguments(value) {
  if (typeof value !== 'string') return value
  try {
    const parsed = JSON.parse(value)
    return isRecord(parsed) ? parsed : value
  } catch {
    return value
  }
}

/** @param {unknown} value */
function asBoolean(value) {
  return typeof value === 'boolean' ? value : undefined
}

/**
 * @param {unknown} value
 * @param {string[]} known
 */
function oneOf(value, known) {
  return known.find((name) => name === value)
}

/**
 * @param {unknown} value
 * @returns {ToolChoice | undefined}
 */
function asToolChoice(value) {
  const type = isRecord(value) ? value.type : value
  if (type === 'auto' || type === 'none' || type === 'required') return { type }
  return type === 'named' && isRecord(value) && typeof value.name === 'string' ? { type, name: value.name } : undefined
}

/**
 * @template {object} Members
 * @param {Members} members
 * @param {PropertyKey} key
 * @returns {key is keyof Members}
 */
function isKeyOf(members, key) {
  return Object.hasOwn(members, key)
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
function isRecord(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * @param {unknown} value
 * @param {string} what
 */
function record(value, what) {
  if (isRecord(value)) return value
  throw new Error(`${what} is ${value === undefined ? 'not there' : 'not an object'}`)
}

/**
 * @param {unknown} value
 * @param {string} what
 */
function text(value, what) {
  if (typeof value === 'string') return value
  throw new Error(`${what} is ${value === undefined ? 'not there' : 'not a text'}`)
}

/** @param {unknown} value a text or several */
function texts(value) {
  return [value].flat().filter((item) => typeof item === 'string')
}
