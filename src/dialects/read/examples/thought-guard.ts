import { ExampleGuard } from './example-guard.ts'

/** Characters of which a line must contain one to open or close a fence or a block of HTML. */
const opening = /[`~<]/
/** A line is kept up to this length before it is followed. */
const longestKept = 1024

/**
 * Determines whether the next text in reasoning is in an example, as an ExampleGuard does for text. It is seldom asked,
 * and most text that models write is reasoning. So the current line is followed only when it is asked, and of the lines
 * before only those that matter; that takes at most half of the time of following all of them.
 */
export class ThoughtGuard {
  readonly #guard: ExampleGuard = new ExampleGuard()
  /** The line so far, as much of it as was not followed yet. */
  #kept = ''
  /** The guard has followed a part of the line. */
  #isInLine = false

  feed(text: string): void {
    this.#kept += text
    if (!text.includes('\n') && this.#kept.length < longestKept) return
    const end = this.#kept.lastIndexOf('\n') + 1
    if (this.#mayPassOver(this.#kept.slice(0, end))) this.#kept = this.#kept.slice(end)
    else this.#follow()
  }

  /** True for whole lines that change nothing, because nothing is open that they might close. */
  #mayPassOver(lines: string): boolean {
    return lines !== '' && !this.#isInLine && this.#guard.openFence === '' && !opening.test(lines)
  }

  /** True if the next text is an example; `onNewLine`: a line break comes before it. */
  inExample(onNewLine: boolean): boolean {
    return this.#follow().inExample(onNewLine)
  }

  /** The run that opened the fence which is open; empty outside. */
  get openFence(): string {
    return this.#follow().openFence
  }

  /** The open fence turned out not to be one: the reply ended in it. */
  leaveFence(): void {
    this.#follow().leaveFence()
  }

  /** Notes that a call was read at this place. */
  interrupt(): void {
    this.#follow().interrupt()
    this.#isInLine = true
  }

  #follow(): ExampleGuard {
    if (this.#kept !== '') {
      this.#guard.feed(this.#kept)
      this.#isInLine = !this.#kept.endsWith('\n')
      this.#kept = ''
    }
    return this.#guard
  }
}
