import type { Turn } from '../../../conversation/index.ts'
import { formats } from '../../../dialects/formats/index.ts'
import { tokensOf } from '../../../grammar/index.ts'
import { nonces } from './nonces.ts'
import { type ProbeRenderer, userTurn } from './probe-renderer.ts'

/** Calls that a template asks for in words, as Granite 3.3's does: `respond only with <|tool_call|> followed by a JSON list of tools used`. */
export interface AskedCalls {
  /** The name of the built-in format. */
  format: string
  /** The prompts that ask: without a system message, and with one. */
  alone: boolean
  besideSystem: boolean
}

/**
 * The built-in format whose markers a template writes if tools are offered, and does not write without them. Of several
 * formats the one with the most markers is chosen: a prompt that has `<tool_call>` and `<function=` does not ask for
 * JSON. Only for templates that list tools and render no calls.
 */
export function findAskedCalls(renderer: ProbeRenderer): AskedCalls | undefined {
  if (renderer.can.calls || !renderer.can.tools) return undefined
  const alone = askingText(renderer, [])
  const besideSystem = askingText(renderer, [{ role: 'system', text: nonces.text }])
  const [best] = formats
    .map(({ name, written, blocks: [first] }) => {
      const tree = (written ?? first)?.tree
      return { name, markers: tree ? tokensOf(tree) : [] }
    })
    .filter(({ markers }) => markers.length > 0 && [alone, besideSystem].some((asks) => asks(markers)))
    .sort((one, other) => other.markers.length - one.markers.length)
  return best && { format: best.name, alone: alone(best.markers), besideSystem: besideSystem(best.markers) }
}

/** Returns a function that is true if a prompt with this beginning has all of some markers because of its tools. */
function askingText(renderer: ProbeRenderer, before: readonly Turn[]): (markers: readonly string[]) => boolean {
  const turns = [...before, userTurn(nonces.user)]
  const withTools = renderer.render(turns, {}) ?? ''
  const without = renderer.render(turns, { tools: [] }) ?? ''
  return (markers) => markers.every((marker) => withTools.includes(marker) && !without.includes(marker))
}
