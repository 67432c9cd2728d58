import {
  closeTag,
  jsonCall,
  jsonMessage,
  oneOrMore,
  pattern,
  sequence,
  token,
  tolerated,
} from '../../../grammar/index.ts'
import type { Block } from '../../format/format.ts'
import { aroundCallsStart, bareCallStart, embeddedCallStart, messageStart } from '../parts/bare-call-start.ts'
import { blank, turnEnd } from '../parts/json-parts.ts'

/** Calls as JSON without any marker, which any model may write. */

/** Qwen2.5-Coder puts its calls between the tags of the list of tools, `<tools>`; they are still bare JSON. */
const toolsTag = pattern.tolerated(pattern.sequence('<tools>', pattern.space()))
/** Models end bare calls with closing tags that were not opened. */
const strayClose = tolerated(blank, closeTag(['tool_call', 'tools']))

/** An object around calls: `{"tool_calls": […]}`. */
export const aroundCallsBlock: Block = {
  tree: sequence(
    token(pattern.ahead(aroundCallsStart)),
    jsonCall(undefined, { isBare: true, isAround: true }),
    strayClose,
    turnEnd,
  ),
  place: 'phrase',
  isWhole: true,
}

const nextCall = pattern.sequence(
  pattern.space(),
  pattern.choice(';', ',', ''),
  pattern.space(' '),
  pattern.ahead(bareCallStart),
)

/** A message of a transcript with calls in it: it is text, whole. */
export const messageBlock: Block = {
  tree: sequence(token(pattern.ahead(messageStart)), jsonMessage()),
  place: 'anywhere',
}

/** One call as an object, several objects, or a list of objects; writers use `keys`. */
export function bareCalls(keys?: Parameters<typeof jsonCall>[0]): Block {
  const one = jsonCall(keys, { isBare: true })
  return {
    tree: sequence(token(toolsTag, pattern.ahead(bareCallStart)), oneOrMore(one, nextCall), strayClose, turnEnd),
    place: 'line',
  }
}

export const bareCallsBlock: Block = bareCalls()

/** One call, several with a comma or a semicolon between them, or a list, after other words in the line. */
export const embeddedCallBlock: Block = {
  tree: sequence(
    token(toolsTag, pattern.ahead(embeddedCallStart)),
    oneOrMore(
      jsonCall(undefined, { isBare: true }),
      pattern.sequence(pattern.space(), pattern.choice(';', ','), pattern.space(' '), pattern.ahead(embeddedCallStart)),
    ),
    strayClose,
    turnEnd,
  ),
  place: 'phrase',
  isWhole: true,
}

/** All forms of bare JSON, in the order in which they are tried. */
export const bareJson: readonly Block[] = [messageBlock, aroundCallsBlock, bareCallsBlock, embeddedCallBlock]
