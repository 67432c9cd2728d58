import { AnycallError, type Conversation, type JsonObject, OncePerList } from '../conversation/index.ts'
import type { Limits } from './config.ts'

/** Refuses tools that are more, or nested deeper, than the limits say. Works without recursion: depth is the attack. */
export function checkTools(conversation: Conversation, limits: Pick<Limits, 'toolCount' | 'schemaDepth'>): void {
  const { tools } = conversation
  if (tools.length > limits.toolCount) {
    throw new AnycallError(
      'invalid-request',
      `The request has ${tools.length} tools; at most ${limits.toolCount} are allowed (limits.toolCount).`,
      { param: 'tools' },
    )
  }
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
}

/** How deep the schemas of a list of tools are. */
const depths = new OncePerList<number[]>()

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
