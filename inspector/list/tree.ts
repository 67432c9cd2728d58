import type { ExchangeSummary } from '../../src/records/api/types.ts'

/**
 * Returns how far each exchange of a session is set in: one that goes on where the one before it ended is not; a second continuation of
 * the same exchange is a branch, and one deeper than its parent.
 */
export function depthsOf(exchanges: readonly Pick<ExchangeSummary, 'id' | 'session'>[]): Map<string, number> {
  const depths = new Map<string, number>()
  const continued = new Set<string>()
  for (const { id, session } of exchanges) {
    const parent = session.parent
    const depth = parent === undefined ? 0 : (depths.get(parent) ?? 0)
    depths.set(id, parent !== undefined && continued.has(parent) ? depth + 1 : depth)
    if (parent !== undefined) continued.add(parent)
  }
  return depths
}
