import type { Tool } from '../../../conversation/index.ts'
import { SchemaTypes } from '../../../json/index.ts'
import { SchemaVariants } from '../../schema/variants.ts'
import type { OfferedTool } from '../made-once.ts'
import type { GbnfRules } from '../rules.ts'
import { schemaWithGrammar } from './string-grammar.ts'

/** Prepares a tool for the grammar. If calls can be written in several ways, this is done once for all of them. */
export function offered(tool: Tool, rules: GbnfRules): OfferedTool {
  const found = rules.offered.get(tool) ?? makeOffered(tool, rules)
  rules.offered.set(tool, found)
  return found
}

function makeOffered(tool: Tool, rules: GbnfRules): OfferedTool {
  const notice = (what: string) => rules.notice(`${tool.name}: ${what}`)
  const schema = schemaWithGrammar(tool)
  const schemas = new SchemaVariants(schema, notice)
  const objects = schemas
    .of(schema)
    .flatMap((variant) => (variant.type === 'object' ? [variant.schema] : variant.type === 'any' ? [{}] : []))
  if (objects.length === 0) notice('the schema admits no object, so any arguments are allowed')
  return {
    name: tool.name,
    label: tool.name,
    schema: tool.schema,
    hasGrammar: schema !== tool.schema,
    // Not kept for the schema, and not made by a getter: either holds on to all of it beyond each collection of young garbage.
    shape: SchemaTypes.once(tool.schema),
    schemas,
    objects: objects.length === 0 ? [{}] : objects,
  }
}
