import type { Notice } from '../../conversation/index.ts'

/**
 * The notices of one request, each subject once: a client sends its whole history with every request, so one odd
 * block type would otherwise be reported hundreds of times.
 */
export class NoticeList {
  readonly list: Notice[] = []
  readonly #seen = new Set<string>()

  /** `subject` is what the notice is about; a second notice of the same code and subject is left out. */
  add(code: string, subject: string, message: string): void {
    const key = `${code}\n${subject}`
    if (this.#seen.has(key)) return
    this.#seen.add(key)
    this.list.push({ code, message })
  }
}
