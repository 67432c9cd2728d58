import type { InputGrammar, JsonObject, Notice, Tool } from '../../conversation/index.ts'
import { readObject, readOptionalString, readString } from '../fields.ts'

/** The only argument of a custom tool. */
const argument = 'input'
/** The schema of a custom tool: one argument, a text of any form. */
const inputSchema: JsonObject = {
  type: 'object',
  properties: { [argument]: { type: 'string', description: 'The whole input of the tool' } },
  required: [argument],
  additionalProperties: false,
}

/**
 * Decodes a tool of type `custom`, which takes a text, as a tool that takes an object with that text. A grammar for the
 * text is described to the model, and belongs to the tool if its syntax is known. It is not read here, so that a program
 * that only converts messages does not bundle readers of grammars.
 */
export function decodeCustomTool(entry: JsonObject, name: string, path: string, notices: Notice[]): Tool {
  const description = readOptionalString(entry.description, `${path}.description`)
  const format = readObject(entry.format ?? {}, `${path}.format`)
  const written = format.type === 'grammar' ? readGrammar(format, `${path}.format`) : undefined
  const texts = [description, written && described(written)]
  const inputGrammar = written && ofKnownSyntax(written, `${path}.format`, notices)
  return {
    name,
    description: texts.filter((text) => text !== undefined && text !== '').join('\n\n'),
    schema: inputSchema,
    ...(inputGrammar && { inputGrammar }),
  }
}

interface WrittenGrammar {
  syntax: string
  definition: string
}

/** Reads a grammar. The Responses API has its fields without the object around them. */
function readGrammar(format: JsonObject, formatPath: string): WrittenGrammar {
  const [grammar, path] =
    format.grammar === undefined
      ? [format, formatPath]
      : [readObject(format.grammar, `${formatPath}.grammar`), `${formatPath}.grammar`]
  return {
    syntax: readString(grammar.syntax, `${path}.syntax`),
    definition: readString(grammar.definition, `${path}.definition`),
  }
}

function described({ syntax, definition }: WrittenGrammar): string {
  const kind = syntax === 'regex' ? 'match this regular expression' : `follow this grammar, written for ${syntax}`
  return `The input must ${kind}:\n${definition}`
}

/** The grammar if its syntax is known; else a notice says why the input is not held to it. */
function ofKnownSyntax(
  { syntax, definition }: WrittenGrammar,
  path: string,
  notices: Notice[],
): InputGrammar | undefined {
  if (syntax === 'lark' || syntax === 'regex') return { argument, syntax, definition }
  notices.push({
    code: 'grammar-not-enforced',
    message: `${path}: the input is not held to the grammar, which is only described to the model: its syntax, ${JSON.stringify(syntax)}, is neither "lark" nor "regex".`,
  })
  return undefined
}
