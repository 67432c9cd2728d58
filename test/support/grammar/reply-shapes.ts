import type { FormatData } from '../../../src/dialects/format/format.ts'
import { thinkTags } from '../../../src/dialects/format/reasoning-forms.ts'
import { formats } from '../../../src/dialects/formats/index.ts'
import { readableBlockOf } from '../../../src/dialects/read/format/readable-block.ts'
import type { ReplyShape } from '../../../src/grammar/reply/shape.ts'

/** The layouts of replies in the formats, made from their readers' data: for tests only. */
export function shapeOf(name: string, more: Partial<ReplyShape> = {}): ReplyShape {
  const format = formats.find((one) => one.name === name)
  const [block, ...others] = format?.blocks ?? []
  const [form] = format?.reasoning ?? []
  const reasoning = form && { open: form.open, close: form.close[0] ?? '', isOpen: false, isOff: false }
  return {
    calls: block?.tree,
    separator: format?.separator,
    callsBeginLine: block !== undefined && block.place !== 'anywhere',
    reasoning,
    marks: [
      ...[...thinkTags, ...(format?.reasoning ?? [])].flatMap(({ open, close }) => [open, ...close]),
      ...others.flatMap((one) => readableBlockOf(one).prefixes.filter((prefix) => prefix.length > 3)),
    ],
    ...(name === 'harmony' && channels),
    ...more,
  }
}

/**
 * Each of harmony's messages begins with the role, but for the first, whose role is the prompt's. The token that ends the
 * last is no text.
 */
const channels: Partial<ReplyShape> = {
  reasoning: {
    open: '<|channel|>analysis<|message|>',
    close: '<|end|><|start|>assistant',
    isOpen: false,
    isOff: false,
  },
  content: { open: '<|channel|>final<|message|>', close: '' },
  contentBefore: { open: '<|channel|>commentary<|message|>', close: '<|end|><|start|>assistant' },
}

export function formatOf(name: string): FormatData {
  const format = formats.find((one) => one.name === name)
  if (!format) throw new Error(`There is no format ${name}.`)
  return format
}
