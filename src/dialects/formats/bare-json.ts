import { ahead, closeTag, jsonCall, oneOf, seq, sequence, some, space, token, tolerated } from '../../grammar/index.ts'
import type { Block } from '../format.ts'
import { aroundCallsStart, bareCallStart, embeddedCallStart } from './bare-call-start.ts'
import { blank } from './json-parts.ts'

/** Calls as JSON without any marker, which any model may write. */

/** Models end bare calls with what would close them had they been opened. */
const strayClose = tolerated(blank, closeTag('tool_call'))

/** An object around calls: `{"tool_calls": […]}`. */
export const aroundCallsBlock: Block = {
  tree: seq(token(ahead(aroundCallsStart)), jsonCall(undefined, { isBare: true }), strayClose),
  place: 'phrase',
}

const nextCall = sequence(space(), oneOf(';', ',', ''), space(' '), ahead(bareCallStart))

/** One call as an object, several, or a list of them; `keys` are those that are written. */
export function bareCalls(keys?: Parameters<typeof jsonCall>[0]): Block {
  const one = jsonCall(keys, { isBare: true })
  return { tree: seq(token(ahead(bareCallStart)), some(one, nextCall), strayClose), place: 'line' }
}

export const bareCallsBlock: Block = bareCalls()

/** One call behind other words in its line. */
export const embeddedCallBlock: Block = {
  tree: seq(token(ahead(embeddedCallStart)), jsonCall(undefined, { isBare: true }), strayClose),
  place: 'phrase',
}
