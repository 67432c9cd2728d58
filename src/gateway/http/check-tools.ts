import { AnycallError, type Conversation, type JsonObject, ListMemo } from '../../conversation/index.ts'
import type { Limits } from '../config/config.ts'

/**
 * Refuses more tools, and schemas that nest deeper, than the limits allow, and names that are too long. Does not
 * recurse, because the depth may be hostile.
 */
export function checkTools(conversation: Conversation, limits: Pick<Limits, 'toolCount' | 'schemaDepth'>): void {
  const { tools, model, responseFormat } = conversation
  // Names of models are keys of the findings about them.
  if (model.length > longestName) throw tooLong('model', model)
  if (tools.length > limits.toolCount) {
    throw new AnycallError(
      'invalid-request',
      `The request has ${tools.length} tools; at most ${limits.toolCount} are allowed (limits.toolCount).`,
      { param: 'tools' },
    )
  }
  const tooLongAt = longNames.of(tools, () => tools.findIndex(({ name }) => name.length > longestName))
  if (tooLongAt >= 0) throw tooLong(`tools[${tooLongAt}].name`, tools[tooLongAt]?.name ?? '')
  const tooDeep = depths
    .of(tools, () => tools.map(({ schema }) => depthOf(schema)))
    .findIndex((depth) => depth > limits.schemaDepth)
  if (tooDeep >= 0) {
    throw new AnycallError(
      'invalid-request',
      `The schema of the tool "${tools[tooDeep]?.name}" nests deeper than ${limits.schemaDepth} levels (limits.schemaDepth).`,
      { param: `tools[${tooDeep}]` },
    )
  }
  if (responseFormat?.type === 'json-schema' && depthOf(responseFormat.schema) > limits.schemaDepth) {
    throw new AnycallError(
      'invalid-request',
      `The schema of the response format nests deeper than ${limits.schemaDepth} levels (limits.schemaDepth).`,
    )
  }
}

/** APIs allow tools 64 or 128 characters; models have paths. */
const longestName = 1000

function tooLong(param: string, name: string): AnycallError {
  return new AnycallError(
    'invalid-request',
    `${param}: a name of ${name.length} characters, "${name.slice(0, 40)}…"; at most ${longestName} are allowed.`,
    { param },
  )
}

const longNames = new ListMemo<number>()

/** The depth of each tool's schema. */
const depths = new ListMemo<number[]>()

function depthOf(schema: JsonObject): number {
  const open: [value: object, depth: number][] = [[schema, 1]]
  let deepest = 1
  for (let next = open.pop(); next; next = open.pop()) {
    const [value, depth] = next
    deepest = Math.max(deepest, depth)
    for (const member of Object.values(value)) {
      if (typeof member === 'object' && member !== null) open.push([member, depth + 1])
    }
  }
  return deepest
}
