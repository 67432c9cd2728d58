import type { Turn } from '../conversation/index.ts'

/** The text that replaces an attachment that cannot be passed on. Without it, a model makes the content up. */
export function notAvailable(what: string): string {
  return `[Attached here: ${what}. Its content is not available.]`
}

/** True if no turn has content that a model can read. */
export function areEmpty(turns: readonly Turn[]): boolean {
  return turns.every((turn) => turn.role !== 'system' && turn.parts.length === 0)
}

/** The reason why such messages are refused. */
export const emptyMessages = 'none of them has any content that a model can read; send a text or an image'
