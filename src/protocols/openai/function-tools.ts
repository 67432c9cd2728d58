import type { JsonObject, Tool } from '../../conversation/index.ts'
import { defined, invalid, readObject, readOptionalBoolean, readOptionalString, readString } from '../fields.ts'

/** Decodes the definition of a tool of type `function`. */
export function decodeFunctionTool(entry: JsonObject, path: string): Tool {
  const { parameters } = entry
  return defined<Tool>({
    name: readDefinedName(entry, path),
    description: readOptionalString(entry.description, `${path}.description`) ?? '',
    schema: parameters === undefined || parameters === null ? {} : readObject(parameters, `${path}.parameters`),
    strict: readOptionalBoolean(entry.strict, `${path}.strict`),
  })
}

/** Reads the name in a tool's definition. Throws `invalid-request` if it is empty. */
export function readDefinedName(definition: JsonObject, path: string): string {
  const name = readString(definition.name, `${path}.name`)
  if (name === '') throw invalid(`${path}.name`, 'is empty; a tool needs a name')
  return name
}
