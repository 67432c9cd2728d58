/** The checks of `anycall doctor`, in order. */
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

/** The result of one check. */
export interface Check {
  check: CheckName
  /** `not known`: the upstream was not asked, or its answer is inconclusive. */
  outcome: 'ok' | 'no' | 'not known'
  /** The observation, as a sentence. */
  seen: string
  /** The steps that solve it. */
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

/** The result of a check whose reply was cut by the token limit. */
export function cut(check: CheckName, tokens: number): Check {
  return notKnown(
    check,
    `the limit of ${tokens} tokens cut the reply before a call was complete`,
    'Run it again: a model that reasons at length may need more tokens, and clients allow more.',
  )
}

/** Formats the time since `start`, a value of `performance.now()`. */
export function since(start: number): string {
  const ms = performance.now() - start
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}
