import { createReader } from './create-reader.ts'
import type { Dialect } from './format/dialect.ts'
import { universal } from './formats/universal.ts'
import { readableBlockOf } from './read/format/readable-block.ts'
import { ReplyFormat } from './read/format/reply-format.ts'
import { prepareFor } from './read/reading-preparation.ts'
import { dialectOf } from './registry.ts'

/** Texts that begin like calls of all kinds: each first character has its own expressions. */
const beginnings = [
  '<think>a</think>\n<tool_call>edit\n<arg_key>a</arg_key>',
  '<invoke name="edit"><parameter name="a">',
  '{"name": "edit", "arguments": {',
  '\n[{"name": "edit"',
  '[edit(a=1)]',
  '```json\n{"a": 1}\n```',
  '<|channel|>commentary to=edit<|message|>{',
  'Action: edit\nAction Input: a',
]
const tools = [{ name: 'edit', description: '', schema: { type: 'object', properties: { a: { type: 'string' } } } }]

/**
 * Compiles the expressions of a dialect in pieces, with a `rest` after each, so that a process that serves others is not held up by its
 * first reply: that would compile them all at once, which takes half a second and more for the dialect `universal`. Resolves when that is
 * done, or once `signal` aborts.
 *
 * @example
 * const signal = AbortSignal.timeout(5000)
 * await warmUp('universal', { signal, rest: backgroundPause(signal) })
 */
export async function warmUp(
  dialect: string | Dialect,
  { signal, rest }: { signal: AbortSignal; rest: () => Promise<void> },
): Promise<void> {
  const { format: data, example } = dialectOf(dialect)
  if (data === undefined) return
  for (const block of data.blocks) {
    if (signal.aborted) return
    readableBlockOf(block)
    await rest()
  }
  const format = ReplyFormat.of(data)
  await prepareFor(format.unprepared, format, { signal, rest })
  const texts = data === universal ? beginnings : [example]
  // V8 compiles an expression again when it is used for the second time.
  for (const text of [...texts, ...texts]) {
    const reader = createReader({ dialect, tools, newCallId: () => '' })
    for (const char of text) {
      if (signal.aborted) return
      reader.push(char)
      await rest()
    }
    reader.end('length')
  }
}
