import type { Conversation, JsonObject, ResponseFormat } from '../../conversation/index.ts'
import { demandsCall } from './instructions.ts'

const anyObject: JsonObject = { type: 'object' }

/** Returns the JSON schema of the values that a format allows. */
export function schemaOfFormat(format: ResponseFormat): JsonObject {
  return format.type === 'json' ? anyObject : format.schema
}

/** The parts of a conversation that determine the form of its reply. */
export type ReplyPolicy = Pick<Conversation, 'tools' | 'toolChoice' | 'responseFormat'>

/**
 * Returns the instructions for a model that must answer in JSON, for the end of its system prompt; empty if the text is
 * free, or if the reply must be calls. All prompts that describe a format contain this text.
 *
 * @example
 * describeResponseFormat({ tools: [], toolChoice: { type: 'auto' }, responseFormat: { type: 'json' } })
 */
export function describeResponseFormat({ tools, toolChoice, responseFormat: format }: ReplyPolicy): string {
  if (format === undefined || (tools.length > 0 && demandsCall({ toolChoice }))) return ''
  const mayCall = tools.length > 0 && toolChoice.type !== 'none'
  const subject = mayCall ? 'A reply without a tool call' : 'Your reply'
  const value =
    format.type === 'json' ? 'one JSON object' : 'one JSON value that is valid against the JSON schema below'
  const text = `# Response format

${subject} must be ${value}, and nothing else: no words before or after it, and no code fence around it.`
  return format.type === 'json' ? text : `${text}\n\n${describeSchema(format)}`
}

function describeSchema(format: Extract<ResponseFormat, { type: 'json-schema' }>): string {
  const { name, description, schema } = format
  const named = name === undefined ? '' : `Name: ${name}\n`
  const described = description === undefined || description === '' ? '' : `Description: ${description}\n`
  return `${named}${described}JSON schema:\n${JSON.stringify(schema)}`
}

/**
 * Returns a conversation whose system prompt has the instructions, for models that receive the format in no other way.
 * The format stays in the conversation, because the reply's reader needs it. A conversation with the instructions is returned unchanged.
 */
export function withFormatInstructions<Written extends ReplyPolicy & Pick<Conversation, 'system'>>(
  conversation: Written,
): Written {
  const instructions = describeResponseFormat(conversation)
  const { system } = conversation
  if (instructions === '' || system.endsWith(instructions)) return conversation
  return { ...conversation, system: system === '' ? instructions : `${system}\n\n${instructions}` }
}

/** Returns the request to a model whose reply did not have the format. `faults`: the errors in it, as sentences. */
export function formatRequest(policy: ReplyPolicy, faults: readonly string[]): string {
  return `Your last reply cannot be used. ${faults.join(' ')} Reply again.\n\n${describeResponseFormat(policy)}`
}
