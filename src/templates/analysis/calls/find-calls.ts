import { unreadableMarker } from '../../../grammar/index.ts'
import { type IdPattern, idPatterns } from '../probes/ids.ts'
import { type RenderedTurns, surroundingsOf } from '../turn/surroundings.ts'
import type { TurnMarkers } from '../turn/turn-markers.ts'
import { CallText } from './call-text.ts'
import type { CallHypothesis } from './hypothesis.ts'
import { inferJsonCalls } from './infer-json.ts'
import { inferNamedCalls } from './infer-named.ts'
import { inferPythonCalls } from './infer-python.ts'
import { inferTaggedCalls } from './infer-tagged.ts'

const inferences: readonly ((calls: CallText) => CallHypothesis | undefined)[] = [
  inferJsonCalls,
  inferNamedCalls,
  inferPythonCalls,
  inferTaggedCalls,
]

/** The hypotheses on how a template writes calls, and the replies that they were made from. */
export interface FoundCalls {
  hypotheses: readonly CallHypothesis[]
  /** The pattern of ids with which the template names the tool, by its name in `idPatterns`. */
  ids?: string
  /** Undefined if the template renders no calls. */
  text?: CallText
}

/** Finds the hypotheses on calls, and the turns without the part that turned out to be the beginning of a call. */
export function findCalls(turns: RenderedTurns): { calls: FoundCalls; turns: RenderedTurns } {
  const calls = callsIn(turns)
  const { frame } = turns.surroundings
  const opener = calls.hypotheses.map((hypothesis) => openerInHeader(frame, hypothesis)).find((text) => text !== '')
  if (opener === undefined) return { calls, turns }
  const shorter = { ...turns, surroundings: surroundingsOf(turns, withoutOpener(frame, opener)) }
  return { calls: callsIn(shorter), turns: shorter }
}

function callsIn({ renderer, surroundings }: RenderedTurns): FoundCalls {
  if (!renderer.can.calls) return { hypotheses: [] }
  const found = (idOf?: IdPattern): Required<Pick<FoundCalls, 'hypotheses' | 'text'>> => {
    const text = new CallText(renderer, surroundings, idOf)
    const hypotheses = inferences.flatMap((infer) => infer(text) ?? []).filter(isReadable)
    return { hypotheses, text }
  }
  const plain = found()
  if (plain.hypotheses.length > 0) return plain
  for (const [ids, idOf] of Object.entries(idPatterns)) {
    const calls = found(idOf)
    if (calls.hypotheses.length > 0) return { ...calls, ids }
  }
  return plain
}

/** True if every block can be read. A template may write anything, of any length: not every literal can be a marker. */
function isReadable({ blocks }: CallHypothesis): boolean {
  return blocks.every(({ tree }) => unreadableMarker(tree) === undefined)
}

/** The mark between two calls that the header ends with: it opens each call (`>>>` of Functionary). */
function openerInHeader({ header }: TurnMarkers, { layout, separator }: CallHypothesis): string {
  const mark = separator.trim()
  const isBare = (layout.section.open + layout.call.open).trim() === ''
  return isBare && mark !== '' && header.endsWith(mark) ? mark : ''
}

function withoutOpener(markers: TurnMarkers, opener: string): TurnMarkers {
  const { header, lead } = markers
  return { ...markers, header: header.slice(0, -opener.length), lead: lead.slice(0, -opener.length) }
}
