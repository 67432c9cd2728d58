import { AnycallError, type Conversation } from '../conversation/index.ts'
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

function isDeeperThan(value: unknown, limit: number): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []))
  }
  return false
}
