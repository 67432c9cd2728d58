import type { JsonObject, Tool } from '../conversation/index.ts'
import { Shape } from '../json/index.ts'
import type { GbnfRules } from './gbnf-rules.ts'
import { SchemaVariants } from './schema-variants.ts'

/** A tool as the grammar has it: one schema of an object for each variant of its arguments. */
export interface OfferedTool {
  name: string
  label: string
  schema: JsonObject
  readonly shape: Shape
  schemas: SchemaVariants
  objects: readonly JsonObject[]
}

/** Where calls can be written in several ways, each tool is looked at once for all of them. */
export function offered(tool: Tool, rules: GbnfRules): OfferedTool {
  const found = rules.offered.get(tool) ?? makeOffered(tool, rules)
  rules.offered.set(tool, found)
  return found
}

function makeOffered(tool: Tool, rules: GbnfRules): OfferedTool {
  const notice = (what: string) => rules.notice(`${tool.name}: ${what}`)
  const schemas = new SchemaVariants(tool.schema, notice)
  const objects = schemas
    .of(tool.schema)
    .flatMap((variant) => (variant.type === 'object' ? [variant.schema] : variant.type === 'any' ? [{}] : []))
  if (objects.length === 0) notice('the schema admits no object, so any arguments will do')
  let shape: Shape | undefined
  return {
    name: tool.name,
    label: tool.name,
    schema: tool.schema,
    // Few formats ask for it, and what is kept for an object outlives each collection of young garbage.
    get shape() {
      shape ??= Shape.once(tool.schema)
      return shape
    },
    schemas,
    objects: objects.length === 0 ? [{}] : objects,
  }
}
