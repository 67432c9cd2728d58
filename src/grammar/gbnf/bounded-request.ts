import type { JsonObject, Tool } from '../../conversation/index.ts'
import { withLanguageSteps } from '../language/automaton.ts'
import { boundedSchema, boundedTools, widenedTools } from '../schema/bounded-tools.ts'
import { GrammarTooLarge } from './rules.ts'

/** Steps for the automata of all strings and names of a grammar: they take some 100 ms of CPU. */
const languageSteps = 600_000

/** The schemas of a request, which are bounded before a grammar is made. */
interface Schemas {
  tools: readonly Tool[]
  responseSchema?: JsonObject | true
}

/** The fields that every grammar has. */
interface Held {
  /** Texts that it admits beyond the tools' schemas, described for people. */
  widened: string[]
  /** The tools that take any arguments in it, as their schemas are too large. */
  tooLarge?: readonly string[]
}

/**
 * The grammar that `print` makes of a request, in bounded work. Schemas that are too large are first replaced by any
 * object; if the grammar still exceeds its bounds, all schemas are. Undefined if it exceeds them even then.
 */
export function printBounded<Request extends Schemas, Made extends Held>(
  given: Request,
  print: (request: Request) => Made | undefined,
): Made | undefined {
  const { tools, widened } = boundedTools(given.tools)
  const { responseSchema }: Schemas = given
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
        widened: ['the response: the schema is too large for a grammar, so any object is allowed', ...found.widened],
      }
    : found
}

function whole<Request extends Schemas, Made extends Held>(
  print: (request: Request) => Made | undefined,
  request: Request,
  tooLarge: readonly string[],
): Made | 'too-large' | undefined {
  try {
    const made = withLanguageSteps(languageSteps, () => print(request))
    if (made === undefined || tooLarge.length === 0) return made
    const emitted = tooLarge.map(
      (name) => `${name.slice(0, 200)}: the schema is too large for a grammar, so any arguments are allowed`,
    )
    return { ...made, tooLarge, widened: [...emitted, ...made.widened] }
  } catch (error) {
    if (error instanceof GrammarTooLarge) return 'too-large'
    throw error
  }
}

function namesOf(tools: readonly Tool[]): string[] {
  return tools.map(({ name }) => name)
}

function anyResponse(schema: Schemas['responseSchema']): Pick<Schemas, 'responseSchema'> {
  return schema === undefined ? {} : { responseSchema: true }
}
