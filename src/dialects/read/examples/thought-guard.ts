import { ExampleGuard } from './example-guard.ts'

/** What a line must hold to open or close anything that goes on behind it: a fence, or a block of HTML. */
const opening = /[`~<]/
/** A line is kept up to this length before it is followed. */
const longestKept = 1024

/**
 * Tells whether what comes next in reasoning stands in an example, as an ExampleGuard does in text. It is seldom asked, and most of
 * what models write is reasoning: so the line at hand is followed when it is asked, and of the lines before it only those that matter:
 * half of the time that following all of them takes, or less.
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

  /** Whole lines change nothing where nothing is open that they might close. */
  #mayPassOver(lines: string): boolean {
    return lines !== '' && !this.#isInLine && this.#guard.openFence === '' && !opening.test(lines)
  }

  /** True when what follows is an example; `onNewLine` says that a line break comes before it. */
  inExample(onNewLine: boolean): boolean {
    return this.#follow().inExample(onNewLine)
  }

  /** What opened the fence which is open; empty outside. */
  get openFence(): string {
    return this.#follow().openFence
  }

  /** The fence that is open turned out to be none: the reply ended in it. */
  leaveFence(): void {
    this.#follow().leaveFence()
  }

  /** A call stood here. */
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
