import {
  type ImagePart,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ResultPart,
  type TextPart,
  type UserTurn,
} from '../conversation/index.ts'
import { nestsDeeper } from '../json/index.ts'

// Helpers shared by the APIs with their own tool calling, for writing a conversation.

/** The schema of an object. */
export type ObjectSchema = { type: 'object'; properties: JsonValue } & JsonObject

/** The schema of a tool's arguments as an object's with properties: without them OpenAI and LM Studio refuse the request. */
export function parametersOf({ type: _, properties = {}, ...schema }: JsonObject): ObjectSchema {
  return { type: 'object', properties, ...schema }
}

/**
 * System text between the turns as a text of the user: few models take a system message there. The tag is the one
 * that Claude Code itself uses.
 */
export function systemReminder(text: string): string {
  return `<system-reminder>\n${text}\n</system-reminder>`
}

/**
 * Splits a user's turn for an API in which each result is a separate message. Results come first, since they must
 * follow the calls. Images in results go to the user's own message, since results cannot contain them there.
 */
export function splitUserTurn({ parts }: UserTurn): { results: ResultPart[]; rest: (TextPart | ImagePart)[] } {
  const results: ResultPart[] = []
  const rest: (TextPart | ImagePart)[] = []
  for (const part of parts) {
    if (part.type !== 'result') {
      rest.push(part)
      continue
    }
    results.push(part)
    rest.push(...part.content.filter(({ type }) => type === 'image'))
  }
  return { results, rest }
}

/** The text of a result, of an API that has no mark for a failed one. */
export function resultText({ content, isError }: ResultPart): string {
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  return isError ? `Error: ${text}` : text
}

/**
 * Returns a call's arguments as an object. Text that is not an object becomes its only argument, so that the model
 * still sees what it wrote.
 */
export function argumentsOf(json: string): JsonObject {
  return objectIn(json) ?? { arguments: json }
}

/**
 * Returns a call's arguments as the text of an object: llama-server and Ollama refuse every turn after a call with
 * broken arguments. The text of an object is returned unchanged, with its big integers.
 */
export function argumentsTextOf(json: string): string {
  return json.trim() !== '' && objectIn(json) !== undefined ? json : JSON.stringify(argumentsOf(json))
}

const deepestArguments = 200

function objectIn(json: string): JsonObject | undefined {
  if (json.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(json)
    // A value nested too deeply could not be written again.
    return isJsonObject(value) && !nestsDeeper(value, deepestArguments) ? value : undefined
  } catch {
    // A call that broke off: its text is all there is.
    return undefined
  }
}

/** Returns the media type and data of a base64 `data:` URL. Undefined for any other URL. */
export function dataOf(url: string): { mediaType: string; data: string } | undefined {
  const match = /^data:([\w.+/-]+)(?:;[\w=.-]+)*;base64,/i.exec(url)
  if (match?.[1] === undefined) return undefined
  return { mediaType: match[1].toLowerCase(), data: url.slice(match[0].length) }
}
