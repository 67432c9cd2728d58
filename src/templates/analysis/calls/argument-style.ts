import type { JsonStyle } from '../../../json/index.ts'
import { nonces } from '../probes/nonces.ts'
import { stringCall } from '../probes/replies.ts'
import type { CallText } from './call-text.ts'
import { bracketEnd, signsIn } from './json-around.ts'

/** The form of the object of a call's two arguments. */
export function argumentStyle(calls: CallText): JsonStyle {
  const text = calls.of([stringCall(2)]) ?? ''
  const start = text.lastIndexOf('{', text.indexOf(nonces.keys[0]))
  const end = start < 0 ? undefined : bracketEnd(text, start)
  const signs = end === undefined ? undefined : signsIn(text.slice(start, end))
  return signs ? { signs } : {}
}
