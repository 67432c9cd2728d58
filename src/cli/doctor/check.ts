/** What `anycall doctor` looks at, in the order in which it does. */
export type CheckName =
  | 'reachable'
  | 'models'
  | 'template'
  | 'dialect'
  | 'answer'
  | 'reasoning'
  | 'call'
  | 'streaming'
  | 'parallel'
  | 'forced'
  | 'structured'
  | 'plan'

/** One thing that was looked at. */
export interface Check {
  check: CheckName
  /** `not known`: it was not asked, or the answer does not tell. */
  outcome: 'ok' | 'no' | 'not known'
  /** What was seen, in words. */
  seen: string
  /** What to do about it. */
  advice?: string
}

export function ok(check: CheckName, seen: string): Check {
  return { check, outcome: 'ok', seen }
}

export function no(check: CheckName, seen: string, advice?: string): Check {
  return { check, outcome: 'no', seen, ...(advice !== undefined && { advice }) }
}

export function notKnown(check: CheckName, seen: string, advice?: string): Check {
  return { check, outcome: 'not known', seen, ...(advice !== undefined && { advice }) }
}

/** What the token limit did not let come to light. */
export function cut(check: CheckName, tokens: number): Check {
  return notKnown(
    check,
    `the limit of ${tokens} tokens cut the reply before a call was whole`,
    'Ask again: a model that thinks long may need more than this, which clients give it.',
  )
}

/** The milliseconds since a moment, for people. */
export function since(start: number): string {
  const ms = performance.now() - start
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}
