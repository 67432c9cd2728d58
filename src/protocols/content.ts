import type { Turn } from '../conversation/index.ts'

/** What the model reads in place of an attachment that cannot be passed on: one that is not told would make it up. */
export function notAvailable(what: string): string {
  return `[Attached here: ${what}. Its content is not available.]`
}

/** True where no turn has anything to read: no model can be asked with that. */
export function areEmpty(turns: readonly Turn[]): boolean {
  return turns.every((turn) => turn.role !== 'system' && turn.parts.length === 0)
}

/** Why such messages are refused. */
export const emptyMessages = 'none of them has any content that a model can read; send a text or an image'
