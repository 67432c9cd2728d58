import type { ReplyEvent } from '../conversation/index.ts'

/** A line that opens a fence around JSON, and what may become one. */
const opening = /^\s*```[a-z]*[^\S\n]*\n/
const begun = /^\s*(?:`{0,3}|```[a-z]*[^\S\n]*)$/
/** What closes it at the end of a text, or may. */
const closing = /\s*`{0,3}\s*$/

/** Takes the fence off an answer that was to be JSON and nothing else: models put one around it all the same. */
export class JsonAnswer {
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
    const tail = closing.exec(text)?.[0] ?? ''
    this.#held = tail
    return text.slice(0, text.length - tail.length)
  }

  #end(): string {
    const held = this.#held
    this.#held = ''
    return this.#state === 'fenced' ? held.replace(/\s*```\s*$/, '') : held
  }
}

function textEvents(text: string): ReplyEvent[] {
  return text === '' ? [] : [{ type: 'text', text }]
}
