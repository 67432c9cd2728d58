import { invalid, readOptionalString } from '../fields.ts'

/** The request for a short or a long answer. `medium` is what models do unasked. */
const requests: ReadonlyMap<string, string> = new Map([
  ['low', 'Keep your answers short: say only what is needed.'],
  ['medium', ''],
  ['high', 'Answer at length: explain in detail, and leave nothing out.'],
])

/**
 * Returns a system prompt that asks for the wanted length of the answers. It is said in the prompt for every model, because few servers know
 * the field and most ignore it silently. `name`: the path of the field.
 */
export function withVerbosity(system: string, value: unknown, name: string): string {
  const verbosity = readOptionalString(value, name)
  if (verbosity === undefined) return system
  const request = requests.get(verbosity)
  if (request === undefined) throw invalid(name, 'expected low, medium or high')
  return [system, request].filter((text) => text !== '').join('\n\n')
}
