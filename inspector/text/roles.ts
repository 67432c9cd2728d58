import type { Span } from '../../src/records/api/types.ts'

type Role = Span['role']

/** The roles of spans, each with the letter at its beginning. */
export const roles: readonly { role: Role; letter: string; meaning: string }[] = [
  { role: 'text', letter: 'T', meaning: 'text for the client' },
  { role: 'reasoning', letter: 'R', meaning: 'reasoning' },
  { role: 'marker', letter: 'M', meaning: 'markers around calls and reasoning' },
  { role: 'name', letter: 'N', meaning: 'the name of a tool' },
  { role: 'argument', letter: 'A', meaning: 'arguments' },
  { role: 'repaired', letter: 'F', meaning: 'repaired' },
  { role: 'rejected', letter: 'X', meaning: 'not read' },
]

export function letterOf(role: Role): string {
  return roles.find((one) => one.role === role)?.letter ?? '?'
}
