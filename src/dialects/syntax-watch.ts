/** Words by which a text looks as if it were to call something: the list of the parsing contract. */
const syntax = /tool_calls|<tool_call|<function_call|<invoke|function\.name:/i
const longest = '<function_call'.length

/** Watches text for the words of calls, for the report; it comes in pieces of lines, and some lines are in examples. */
export class SyntaxWatch {
  #saw = false
  /** A word stands in the line so far, of which it is not known yet whether it is in an example. */
  #sawInLine = false
  /** The end of the text so far, in which a word may begin. */
  #tail = ''

  /** `isExample` says whether the line so far is in an example. */
  saw(isExample: boolean): boolean {
    return this.#saw || (this.#sawInLine && !isExample)
  }

  /** A piece of a line. */
  feed(text: string): void {
    if (this.#saw || this.#sawInLine || text === '') return
    // A piece is searched once; only its seam with the text before it is looked at twice.
    this.#sawInLine = syntax.test(text) || (this.#tail !== '' && syntax.test(this.#tail + text.slice(0, longest)))
    this.#tail = (text.length >= longest ? text : this.#tail + text).slice(1 - longest)
  }

  /** The line is whole: only now is it known whether it is in an example. */
  endLine(isExample: boolean): void {
    this.#saw = this.saw(isExample)
    this.#sawInLine = false
    this.#tail = ''
  }

  /** What was said so far is over: no word runs on behind it. */
  interrupt(): void {
    this.#tail = ''
  }
}
