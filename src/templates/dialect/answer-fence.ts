import type { ReplyEvent } from '../../conversation/index.ts'

/** White space around a fence is not kept beyond this: models that repeat themselves write it for ever. */
const longestBlank = 256
/** A line that opens a fence around JSON, and text that may become one. */
const opening = new RegExp(`^\\s{0,${longestBlank}}\`\`\`[a-z]{0,32}[^\\S\\n]{0,64}\\n`)
const begun = new RegExp(`^\\s{0,${longestBlank}}(?:\`{0,2}|\`\`\`[a-z]{0,32}[^\\S\\n]{0,64})$`)

/**
 * Takes the fence off an answer that is to be JSON, and leaves the JSON as the model wrote it. The JsonAnswer of the dialects also finds it
 * among words, repairs and types it, and writes it anew.
 */
export class AnswerFence {
  #held = ''
  #state: 'before' | 'fenced' | 'plain' = 'before'

  read(events: readonly ReplyEvent[]): ReplyEvent[] {
    return events.flatMap((event) => {
      if (event.type === 'text') return textEvents(this.#read(event.text))
      if (event.type !== 'finish') return [event]
      return [...textEvents(this.#end()), event]
    })
  }

  #read(piece: string): string {
    if (this.#state === 'plain') return piece
    const text = this.#held + piece
    if (this.#state === 'before') {
      const fence = opening.exec(text)?.[0]
      if (fence === undefined && begun.test(text)) {
        this.#held = text
        return ''
      }
      this.#state = fence === undefined ? 'plain' : 'fenced'
      this.#held = ''
      return fence === undefined ? text : this.#read(text.slice(fence.length))
    }
    const { body, fence } = ending(text)
    this.#held = fence
    return body
  }

  #end(): string {
    const held = this.#held
    this.#held = ''
    return this.#state === 'fenced' && held.trim() === '```' ? '' : held
  }
}

/** A text, and the possible end of the fence at its end: white space, up to three backticks, and white space. */
function ending(text: string): { body: string; fence: string } {
  const end = text.trimEnd().length
  let run = end
  while (run > 0 && end - run < 3 && text[run - 1] === '`') run--
  const after = text.length - end
  const start = run === end ? end : text.slice(0, run).trimEnd().length
  // White space that is too long is emitted, except its end, together with the text before it.
  const blank = run === end ? after : run - start
  const isOver = run < end && after > longestBlank
  const cut = isOver ? text.length - longestBlank : start + Math.max(0, blank - longestBlank)
  return { body: text.slice(0, cut), fence: text.slice(cut) }
}

function textEvents(text: string): ReplyEvent[] {
  return text === '' ? [] : [{ type: 'text', text }]
}
