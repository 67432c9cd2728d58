import { BufferedFence } from '../examples/buffered-fence.ts'
import { areMarkedAt } from '../format/readable-block.ts'
import { leftoverCloser } from './leftover-closers.ts'
import { beginBlock } from './read-block.ts'
import { repeatedCalls } from './repeated-calls.ts'
import type { ReplyState } from './state.ts'
import type { Match } from './text.ts'

/** Reads text up to the next part of the reply, and begins that part. False if more text is needed. */
export function readText(state: ReplyState): boolean {
  const { text, around } = state
  if (text.passOverExample()) return true
  if (text.gap === 'call' && state.lastCalls !== undefined && !state.sections.awaitsText) {
    const isRead = readLeftover(state, state.lastCalls)
    if (isRead !== undefined) return isRead
  }
  if (!around.closeCallFence()) return false
  const match = text.read(around.scanner)
  return match !== 'more' && onMatch(state, match)
}

/**
 * Takes a closing marker that is left over after calls, or the same calls once more. False if more text is needed;
 * undefined if there is neither.
 */
function readLeftover(state: ReplyState, lastCalls: string): boolean | undefined {
  const { source, format } = state
  const leftover = leftoverCloser(source, format, state.isUnclosed)
  if (leftover === 'more') return false
  if (leftover > 0) return passOverLeftover(state, leftover, 'The call was closed once more, by')
  const again = lastCalls === '' ? 0 : repeatedCalls(source, format, lastCalls)
  if (again === 'more') return false
  return again > 0 ? passOverLeftover(state, again, 'The calls were written once more:') : undefined
}

function passOverLeftover({ source, out }: ReplyState, length: number, saying: string): true {
  const { offset, place } = source
  const leftover = source.take(place + length, 'marker').trim()
  const shown = leftover.length > 100 ? `${leftover.slice(0, 100)}…` : leftover
  out.notice('repaired', `${saying} ${shown}.`, offset, offset + length)
  return true
}

/** Handles a match of the scanner: something that is no text may begin there. False if more text is needed. */
function onMatch(state: ReplyState, match: Match): boolean {
  const { source, format, text, around, markers, sections } = state
  const { at, atLine } = match
  if (passCloser(state, match)) return true
  if (text.isAfterBrokenCall && !atLine) sections.leave(format.closersAt(source.text, at, true), 'text')
  if (text.skipBrokenCall(match)) return true
  if (around.isTriggerAt(at)) return around.onTrigger(at)
  const fence = around.onFence(match)
  if (fence instanceof BufferedFence) return state.hold(fence)
  if (fence !== undefined) return fence !== 'more'
  const isExample = match.isExample && !around.isAfterTrigger
  const mayCall = around.acceptsCalls && !markers.inUserMessage
  const marker = isExample ? markers.last(at) : markers.find(match, mayCall)
  if (marker === 'more') return false
  if (isExample && !marker) text.quote()
  if (marker) {
    markers.passed(source.text.slice(at, marker.end))
    text.takeMarker(at, marker.end)
    return marker.form ? state.openReasoning(marker.form) : true
  }
  if (!mayCall) return text.passOver(at + 1)
  const blocks = format
    .blocksAt(source.text, at)
    .filter(
      ({ place }) =>
        place === 'anywhere' ||
        (place === 'head' ? text.isAtHead : atLine || (place === 'line' ? around.isAfterTrigger : text.maySayCall)),
    )
    .filter(({ isWhole }) => !isWhole || atLine || !text.isInJson)
  if (blocks.length > 0 && isExample) return onCallInExample(state, match)
  const isCode = !around.isAfterTrigger && !areMarkedAt(blocks, source.text, at) && text.isInCode(match)
  const read = blocks.filter(({ place }) => !isCode || place === 'anywhere')
  return beginBlock(state, read, at) || text.passOver(at + 1)
}

/** Takes the closer of a section that was opened before, if it comes: it is a marker or text, as the opener was. */
function passCloser({ source, text, sections }: ReplyState, { at, isExample }: Match): boolean {
  const closer = text.isAfterBrokenCall || !isExample ? sections.close(source.text, [at]) : undefined
  if (!closer) return false
  text.endBrokenCall()
  if (closer.kind === 'text') return text.passOver(closer.end)
  return closer.kind === 'marker' ? text.takeMarker(at, closer.end) : text.giveMarker(at, closer.end)
}

/**
 * Handles text in an example that looks like a call: it counts only if it begins its line in a fence that is still open
 * at the end of the reply. Such a fence hides no call. To find out, the rest is kept until the fence is closed.
 */
function onCallInExample(state: ReplyState, { at, atLine }: Match): true {
  const { text, around } = state
  const run = text.openFence
  if (run === '' || !atLine || around.hasTrigger) return text.passOver(at + 1)
  return state.hold(new BufferedFence(run, 0))
}
