import { nonces } from '../probes/nonces.ts'
import { slots } from '../probes/slots.ts'
import { withIndex } from './call-text.ts'
import { type CallLayout, layoutOf } from './layout.ts'

/** A call within a text: from its name to the end of its arguments. */
export interface Core {
  start: number
  end: number
}

/** Finds the core of the call whose name is at or after a place; undefined if there is none. */
export type FindCore = (text: string, from: number) => Core | undefined

/** The literals around and between the names and arguments of calls, with the number of a call as a slot. */
export interface CallParts {
  layout: CallLayout
  /** The core of a call, from its name to the end of its arguments. */
  core: string
}

/** T2 to T4: splits one call, and two, into the parts around their cores; `header` is the end of a prompt. */
export function partsOf(
  single: string,
  pair: string | undefined,
  findCore: FindCore,
  header: string,
): CallParts | undefined {
  const only = findCore(single, 0)
  if (!only) return undefined
  const first = pair === undefined ? undefined : findCore(pair, 0)
  const second = pair === undefined || !first ? undefined : findCore(pair, first.end)
  const core = single.slice(only.start, only.end)
  if (pair === undefined || !first || !second) {
    const layout = layoutOf({ before: single.slice(0, only.start), middle: undefined, after: single.slice(only.end) })
    return { layout, core }
  }
  const numbered = withIndex(
    withoutValues(pair.slice(first.start, first.end)),
    withoutValues(pair.slice(second.start, second.end)),
  )
  const counted = countedBefore(single.slice(0, only.start), pair.slice(0, first.start))
  const layout = layoutOf({
    before: masked(counted),
    middle: masked(pair.slice(first.end, second.start)),
    // The closing marker of a section may be missing unless the section has more than one call.
    after: longer(single.slice(only.end), pair.slice(second.end)),
    afterSingle: single.slice(only.end),
    header,
  })
  return { layout, core: numbered === undefined ? core : withNumberOf(core, numbered) }
}

/** A section whose opening may count its calls. */
export function countedBefore(one: string, two: string): string {
  return one === two ? one : (withIndex(one, two) ?? one)
}

function longer(one: string, other: string): string {
  return other.length > one.length ? other : one
}

/** A number right in front of a name is one that the template counts. */
function masked(literal: string): string {
  return literal.replace(/(?<!\d)\d+(?=[^\p{L}\d]*$)/u, slots.index)
}

/** The core of a second call with the values of the first, because values are not compared. */
function withoutValues(core: string): string {
  return nonces.values.reduce((text, value, index) => text.replaceAll(value, `v${'abc'[index]}`), core)
}

function withNumberOf(core: string, numbered: string): string {
  const at = numbered.indexOf(slots.index)
  if (at < 0) return core
  const before = numbered.slice(0, at)
  // The slot replaces digits at the same place: before it only the values differ, which come after markers.
  if (!core.startsWith(before)) return core
  return core.slice(0, at) + core.slice(at).replace(/^\d+/, slots.index)
}
