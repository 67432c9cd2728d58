/** Words by which a text looks like a call: the list of the parsing contract. */
const syntax = /tool_calls|<tool_call|<function_call|<invoke|function\.name:/i
/** Those of them that people do not write in prose either: each holds one of the words above. */
const markup = /"tool_calls"|<tool_call|<function_call|<invoke|function\.name:/i
const longest = '<function_call'.length

/** True if one of the characters is there that each of the words holds. Most text has none: it is read in a third less time if only they are searched for. */
function mayHoldWord(text: string): boolean {
  return text.includes('_') || text.includes('<') || text.includes(':')
}

/** Watches text for the words of calls, for the report; it comes in pieces of lines, and some lines are in examples. */
export class SyntaxWatch {
  #saw = false
  /** True if the line so far contains a word that may be in an example. */
  #sawInLine = false
  /** The offset in the whole text of the first markup of a call. */
  #markupAt: number | undefined
  /** The same in the line so far. */
  #markupInLine: number | undefined
  /** The end of the text so far, in which a word may begin. */
  #tail = ''

  /** True if syntax of calls was seen. `isExample`: the line so far is in an example. */
  saw(isExample: boolean): boolean {
    return this.#saw || (this.#sawInLine && !isExample)
  }

  /** The place of the first markup of a call; undefined without any. */
  markupAt(isExample: boolean): number | undefined {
    return this.#markupAt ?? (isExample ? undefined : this.#markupInLine)
  }

  /** Takes a piece of a line, which begins at `offset` in all of the text. */
  feed(text: string, offset: number): void {
    if (this.#markupAt !== undefined || this.#markupInLine !== undefined || text === '') return
    if (mayHoldWord(text) || mayHoldWord(this.#tail)) this.#search(text, offset)
    this.#tail = (text.length >= longest ? text : this.#tail + text).slice(1 - longest)
  }

  #search(text: string, offset: number): void {
    // A piece is searched once; only its border with the text before it is searched twice.
    const seam = this.#tail === '' ? '' : this.#tail + text.slice(0, longest)
    if (!syntax.test(text) && !syntax.test(seam)) return
    this.#sawInLine = true
    const [atSeam, at] = [seam.search(markup), text.search(markup)]
    if (atSeam >= 0) this.#markupInLine = offset - this.#tail.length + atSeam
    else if (at >= 0) this.#markupInLine = offset + at
  }

  /** The line is complete: only now is it known if it is in an example. */
  endLine(isExample: boolean): void {
    this.#saw = this.saw(isExample)
    this.#markupAt = this.markupAt(isExample)
    this.#sawInLine = false
    this.#markupInLine = undefined
    this.#tail = ''
  }

  /** Ends the text so far: no word continues after this place. */
  interrupt(): void {
    this.#tail = ''
  }
}
