import { areMarkedAt, type ReadableBlock } from '../format/readable-block.ts'
import { BlockInProgress } from './block-in-progress.ts'
import type { ReplyState } from './state.ts'

/** After as many broken calls at the end of a reply that was cut, the rest belongs to the last of them. */
const mostBrokenBeforeCut = 8

/** Begins a block of calls at `at`, which the text in hand allows to be one of `blocks`; false if there are none. */
export function beginBlock(state: ReplyState, blocks: readonly ReadableBlock[], at: number): boolean {
  const [first, ...others] = blocks
  if (!first) return false
  const { reasoning, headReasoning, text } = state
  const role = reasoning || headReasoning ? 'reasoning' : 'text'
  const hasSeam = !reasoning && text.opensSeam
  if (!reasoning) text.endLineBefore(at)
  const isMarked = areMarkedAt(blocks, state.source.text, at)
  const isAtHead = headReasoning !== undefined
  const startsText = !reasoning && !text.hasText
  const context = { role, isAtHead, isMarked, hasSeam, startsText, ...state.blockContext } as const
  state.block = new BlockInProgress(context, [first, ...others], at)
  return true
}

/** Reads a block of calls to its end. False if more text is needed. */
export function readBlock(state: ReplyState, block: BlockInProgress): boolean {
  const { source, out, text, around } = state
  const outcome = block.read()
  if (outcome === 'more') return false
  state.block = undefined
  settleSeam(state, block)
  if (outcome === 'none' || outcome === 'refused-at-head') state.reasoning ??= state.headReasoning
  state.headReasoning = undefined
  if (outcome === 'refused-at-head') {
    if (state.reasoning) state.reasoning.isHeadRead = true
    return true
  }
  if (outcome === 'none') {
    state.isAtMention = true
    return passOverMention(state)
  }
  const isCall = outcome === 'call' || (outcome === 'incomplete' && !out.isWhole)
  if (isCall && state.isCutInCall && !(outcome === 'incomplete' && restHoldsCall(state)))
    source.take(source.text.length, 'marker')
  state.sawBlock = true
  state.lastCalls = outcome === 'call' && !block.endsInText ? block.text : undefined
  state.isUnclosed = block.isUnclosed
  text.interrupt()
  state.reasoning?.interrupt()
  if (state.reasoning?.isLeftOpen && outcome !== 'mention' && outcome !== 'unreadable') state.endReasoning()
  if (!state.reasoning) block.leaveOpen()
  if (outcome !== 'mention') around.gotCall()
  text.gap = outcome === 'mention' ? undefined : 'call'
  if (outcome === 'incomplete' || outcome === 'unreadable') text.beginBrokenCall(block.program?.closers ?? [])
  else text.endBrokenCall()
  return true
}

/**
 * The white space before calls is the text's no longer, unless text follows them. A call in reasoning that is refused or
 * broken is text, too, which comes after the white space before the reasoning.
 */
function settleSeam({ text }: ReplyState, block: BlockInProgress): void {
  if (block.isSeamKept && block.seam !== undefined) text.openSeam(block.seam)
  if (block.gaveText) text.tookBlockForText()
}

/** True if a whole call can be read in the rest of a reply that was cut. Each time reads all of it: it is done a few times at most. */
function restHoldsCall(state: ReplyState): boolean {
  const { text, place } = state.source
  return state.brokenBeforeCut++ < mostBrokenBeforeCut && state.holdsCall(text.slice(place))
}

/**
 * Takes text that begins like a call but is not one. A notice reports it, unless it may equally be something else, or a
 * call's marker begins within its own, as in `<<tool_call>`: that one is read next. False if more text is needed.
 */
export function passOverMention(state: ReplyState): boolean {
  const { format, markers, sections, reasoning } = state
  const { offset, place, text, isFinal } = state.source
  const marker = reasoning ? undefined : markers.lengthAt(place)
  const length = marker === undefined ? format.callMarkerLength(text, place) : 0
  const inner = format.beginsMarkerWithin(text, place + 1, place + length, isFinal)
  if (inner === 'begun') return false
  state.isAtMention = false
  if (marker !== undefined) return state.text.takeMarker(place, place + marker)
  if (length > 0) sections.leave(format.closersAt(text, place, sections.isEmpty), 'text')
  if (length > 0 && !inner) {
    state.reportedBroken = true
    const message = 'The text begins like a call but is not one, so it stays text.'
    state.out.notice('broken-call', message, offset, offset + 1)
  }
  if (reasoning) reasoning.passOver(place)
  else state.text.passOver(place + 1)
  return true
}
