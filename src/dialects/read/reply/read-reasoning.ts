import type { ModelText } from '../../../grammar/index.ts'
import type { ReasoningForm } from '../../format/reasoning-forms.ts'
import { BufferedFence } from '../examples/buffered-fence.ts'
import { BufferedReasoning } from '../examples/buffered-reasoning.ts'
import { beginBlock } from './read-block.ts'
import type { ReasoningInProgress } from './reasoning-in-progress.ts'
import type { ReplyState } from './state.ts'

/** White space that may come before a marker at the head of reasoning. */
const blanks = /\s{0,65}/y

/** Reads reasoning up to its end, or to a call in it. False if more text is needed. */
export function readReasoning(state: ReplyState, reasoning: ReasoningInProgress): boolean {
  const { source } = state
  if (reasoning.isEmpty && reasoning.form === undefined && !reasoning.isHeadRead) {
    const head = headOfReasoning(state)
    if (head === 'more') return false
    if (head === 'call') {
      state.headReasoning = reasoning
      return state.endReasoning()
    }
    if (head) return state.openReasoning(head)
  }
  if (reasoning.isEmpty && reasoning.form) {
    const again = takeReopening(source, reasoning.form.open)
    if (again) return again !== 'more'
  }
  const outcome = reasoning.read()
  if (outcome === 'more') return false
  return outcome === 'closed' ? state.endReasoning() : onCall(state, reasoning, outcome.call)
}

/**
 * Reads the beginning of reasoning that the prompt has opened: the model may skip it and call at once, or open it once
 * more, in which case the second marker is removed.
 */
function headOfReasoning({ source, format, around }: ReplyState): 'call' | 'more' | ReasoningForm | undefined {
  const start = source.place + source.length(blanks)
  if (start === source.text.length && !source.isFinal) return 'more'
  const found = around.scanner.find(source.text, start, source.isFinal)
  if (found?.index !== start) return undefined
  if (found.type === 'held') return 'more'
  const opened = format.reasoning.formAt(source.text, start)
  // Words may be those of the reasoning: Apriel 1.6 begins it with a heading.
  const form = opened?.kind === 'words' ? undefined : opened
  if (form) source.take(start + form.open.length, 'marker')
  const isCall = around.acceptsCalls && format.blocksAt(source.text, start).some(({ place }) => place === 'anywhere')
  return form ?? (isCall ? 'call' : undefined)
}

/** Takes an opening marker that repeats the prompt's: models write it, and it is removed. True if it was there. */
function takeReopening(source: ModelText, open: string): boolean | 'more' {
  const start = source.place + source.length(blanks)
  const there = source.text.slice(start, start + open.length).toLowerCase()
  const marker = open.toLowerCase()
  if (there === marker) {
    source.take(start + open.length, 'marker')
    return true
  }
  return !source.isFinal && marker.startsWith(there) ? 'more' : false
}

/** Handles a call in reasoning: it counts if the caller allows it. Some models leave their reasoning open and call. */
function onCall(state: ReplyState, reasoning: ReasoningInProgress, at: number): true {
  const { source, format, around } = state
  const blocks = format.blocksAt(source.text, at)
  const isLine = reasoning.beginsLine(at)
  const wanted = blocks.filter(({ place }) => place !== 'line' || isLine)
  const mayCall = state.callsInReasoning || reasoning.isLeftOpen
  const isShown = mayCall && !around.isAfterTrigger && reasoning.isExampleAt(at)
  if (isShown && isLine && reasoning.isLeftOpen && reasoning.openFence !== '') {
    return state.hold(new BufferedFence(reasoning.openFence, 0))
  }
  if (isShown) {
    reasoning.passOver(at)
    return true
  }
  if (around.acceptsCalls && mayCall && beginBlock(state, wanted, at)) return true
  if (!around.acceptsCalls || reasoning.isLeftOpen || !blocks.some(({ endsReasoning }) => endsReasoning)) {
    reasoning.passOver(at)
    return true
  }
  return state.hold(new BufferedReasoning(reasoning.closers))
}
