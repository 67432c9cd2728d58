import type { FormatData } from '../../../dialects/index.ts'
import type { Steps } from '../../../json/index.ts'
import { parseResponseTemplate } from '../../response-template/response-template.ts'
import { formatOf } from '../calls/format-of.ts'
import type { CallHypothesis } from '../calls/hypothesis.ts'
import { exampleOf } from '../turn/example.ts'
import type { RenderedTurns } from '../turn/surroundings.ts'
import type { ProbeResult } from './read-back.ts'
import type { RoundTrip } from './round-trip.ts'

/** A format with the proof of how well it reads the template's output. */
export interface Proven {
  format: FormatData
  hypothesis: CallHypothesis | undefined
  results: readonly ProbeResult[]
}

/** The number of probes that a format reads back. */
export function passes({ results }: Proven): number {
  return results.filter(({ passed }) => passed).length
}

/** The first hypothesis that reads all probes back; if there is none, the one that reads the most. */
export function* proveInferred(
  { renderer, surroundings }: RenderedTurns,
  hypotheses: readonly CallHypothesis[],
  roundTrip: RoundTrip,
): Steps<Proven> {
  const example = exampleOf(renderer, surroundings.frame)
  const prove = (hypothesis: CallHypothesis | undefined): Proven => {
    const format = formatOf(renderer.template, surroundings, hypothesis, example)
    return { format, hypothesis, results: roundTrip.results(format, surroundings) }
  }
  const [first, ...others] = hypotheses
  let best = prove(first)
  for (const hypothesis of others) {
    if (passes(best) === best.results.length) break
    yield
    const proven = prove(hypothesis)
    if (passes(proven) > passes(best)) best = proven
  }
  return best
}

/** The format that the tokenizer config publishes, if it has one that reads calls; the rest of it is as inferred. */
export function provePublished(
  { renderer, surroundings }: RenderedTurns,
  inferred: FormatData,
  roundTrip: RoundTrip,
): Proven | undefined {
  const spec = renderer.template.responseTemplate
  const found = spec && parseResponseTemplate(spec)
  if (found?.type !== 'format' || found.blocks.length === 0) return undefined
  const { blocks, reasoning } = found
  const markers = [...new Set([...(inferred.markers ?? []), ...found.markers])]
  const format = { ...inferred, blocks, reasoning, markers }
  return { format, hypothesis: undefined, results: roundTrip.results(format, surroundings) }
}
