import type { Tool } from '../../conversation/index.ts'
import type { GrammarRequest } from '../gbnf/calls/grammar.ts'
import { GrammarTooLarge } from '../gbnf/rules.ts'
import type { ReplyRequest } from '../reply/shape.ts'
import { boundedSchema, boundedTools, widenedTools } from './bounded-tools.ts'

/** What every grammar says of itself. */
interface Held {
  /** What it admits beyond the tools' schemas, for people. */
  widened: string[]
  /** The tools that take any arguments in it, as their schemas are too large. */
  tooLarge?: readonly string[]
}

/**
 * The grammar that `print` makes of a request, in bounded work: schemas that are too large are taken for any object before, and all of them are if the grammar
 * outgrows its bounds all the same. Undefined if it does even then.
 */
export function printBounded<Made extends Held>(
  given: ReplyRequest | GrammarRequest,
  print: (request: ReplyRequest) => Made | undefined,
): Made | undefined {
  const { tools, widened } = boundedTools(given.tools)
  const { responseSchema } = given as ReplyRequest
  const response = typeof responseSchema === 'object' ? boundedSchema(responseSchema) : responseSchema
  const request = { ...given, tools, ...(response !== undefined && { responseSchema: response }) }
  const made = whole(print, request, widened)
  const found =
    made === 'too-large'
      ? whole(print, { ...request, tools: widenedTools(tools), ...anyResponse(response) }, namesOf(given.tools))
      : made
  if (found === 'too-large' || found === undefined) return undefined
  const isWide = response !== responseSchema || made === 'too-large'
  return isWide && response !== undefined
    ? {
        ...found,
        widened: ['the response: the schema is too large for a grammar, so any object will do', ...found.widened],
      }
    : found
}

function whole<Made extends Held>(
  print: (request: ReplyRequest) => Made | undefined,
  request: ReplyRequest,
  tooLarge: readonly string[],
): Made | 'too-large' | undefined {
  try {
    const made = print(request)
    if (made === undefined || tooLarge.length === 0) return made
    const told = tooLarge.map(
      (name) => `${name.slice(0, 200)}: the schema is too large for a grammar, so any arguments will do`,
    )
    return { ...made, tooLarge, widened: [...told, ...made.widened] }
  } catch (error) {
    if (error instanceof GrammarTooLarge) return 'too-large'
    throw error
  }
}

function namesOf(tools: readonly Tool[]): string[] {
  return tools.map(({ name }) => name)
}

function anyResponse(schema: ReplyRequest['responseSchema']): Pick<ReplyRequest, 'responseSchema'> {
  return schema === undefined ? {} : { responseSchema: true }
}
