import type { JsonObject, Notice, Tool } from '../../conversation/index.ts'
import { readObject, readOptionalString, readString } from '../fields.ts'

/** The schema of a custom tool: one argument, a text of any form. */
const inputSchema: JsonObject = {
  type: 'object',
  properties: { input: { type: 'string', description: 'The whole input of the tool' } },
  required: ['input'],
  additionalProperties: false,
}

/**
 * Decodes a tool of type `custom`, which takes a text, as a tool that takes an object with that text. A grammar for the text
 * is described to the model, but not enforced.
 */
export function decodeCustomTool(entry: JsonObject, name: string, path: string, notices: Notice[]): Tool {
  const description = readOptionalString(entry.description, `${path}.description`)
  const format = readObject(entry.format ?? {}, `${path}.format`)
  const grammar = format.type === 'grammar' ? readGrammar(format, `${path}.format`) : undefined
  if (grammar !== undefined) {
    notices.push({
      code: 'grammar-not-enforced',
      message: `${path}.format: the grammar was put into the description of the tool; what the model writes is not held to it.`,
    })
  }
  return {
    name,
    description: [description, grammar].filter((text) => text !== undefined && text !== '').join('\n\n'),
    schema: inputSchema,
  }
}

/** Describes a grammar in words. The Responses API has its fields without the object around them. */
function readGrammar(format: JsonObject, formatPath: string): string {
  const [grammar, path] =
    format.grammar === undefined
      ? [format, formatPath]
      : [readObject(format.grammar, `${formatPath}.grammar`), `${formatPath}.grammar`]
  const syntax = readString(grammar.syntax, `${path}.syntax`)
  const definition = readString(grammar.definition, `${path}.definition`)
  const kind = syntax === 'regex' ? 'match this regular expression' : `follow this grammar, written for ${syntax}`
  return `The input must ${kind}:\n${definition}`
}
