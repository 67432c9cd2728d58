import type { ModelText, Scanner } from '../../../grammar/index.ts'
import type { ReasoningForm } from '../../format/reasoning-forms.ts'
import type { ReplyFormat } from './format.ts'

/** White space that may come before a marker at the head of reasoning. */
const blanks = /\s{0,65}/y

/**
 * Reads the beginning of reasoning that the prompt has opened: the model may skip it and call at once, or open it once
 * more, in which case the second marker is removed. `scanner` finds the parts of text; `calls`: calls count.
 */
export function headOfReasoning(
  source: ModelText,
  format: ReplyFormat,
  scanner: Scanner,
  calls: boolean,
): 'call' | 'more' | ReasoningForm | undefined {
  const start = source.place + source.length(blanks)
  if (start === source.text.length && !source.isFinal) return 'more'
  const found = scanner.find(source.text, start, source.isFinal)
  if (found?.index !== start) return undefined
  if (found.type === 'held') return 'more'
  const form = format.formAt(source.text, start)
  if (form) source.take(start + form.open.length, 'marker')
  const isCall = calls && format.blocksAt(source.text, start).some(({ place }) => place === 'anywhere')
  return form ?? (isCall ? 'call' : undefined)
}

/** Takes an opening marker that repeats the prompt's: models write it, and it is removed. True if it was there. */
export function takeReopening(source: ModelText, open: string): boolean | 'more' {
  const start = source.place + source.length(blanks)
  const there = source.text.slice(start, start + open.length).toLowerCase()
  const marker = open.toLowerCase()
  if (there === marker) {
    source.take(start + open.length, 'marker')
    return true
  }
  return !source.isFinal && marker.startsWith(there) ? 'more' : false
}
