import { AnycallError, type Conversation, type JsonObject } from '../conversation/index.ts'
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
  for (const [index, tool] of tools.entries()) {
    if (isDeeperThan(tool.schema, limits.schemaDepth)) {
      throw new AnycallError(
        'invalid-request',
        `The schema of the tool "${tool.name}" nests deeper than ${limits.schemaDepth} levels (limits.schemaDepth).`,
        { param: `tools[${index}]` },
      )
    }
  }
}

function isDeeperThan(schema: JsonObject, limit: number): boolean {
  const open: [value: object, depth: number][] = [[schema, 1]]
  for (let next = open.pop(); next; next = open.pop()) {
    const [value, depth] = next
    if (depth > limit) return true
    for (const member of Object.values(value)) {
      if (typeof member === 'object' && member !== null) open.push([member, depth + 1])
    }
  }
  return false
}
