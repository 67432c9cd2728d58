import type { Notice } from '../../conversation/index.ts'

/**
 * The notices of one request, each subject once: a client sends its whole history with every request, so one odd
 * block type would otherwise be reported hundreds of times.
 */
export class NoticeList {
  readonly #notices = new Map<string, Notice>()

  get list(): Notice[] {
    return [...this.#notices.values()]
  }

  /** `subject` is what the notice is about; a second notice of the same code and subject is left out. */
  add(code: string, subject: string, message: string): void {
    const key = `${code}\n${subject}`
    if (!this.#notices.has(key)) this.#notices.set(key, { code, message })
  }

  /** The notices of another list, each subject still once. */
  addAll(others: NoticeList): void {
    for (const [key, notice] of others.#notices) if (!this.#notices.has(key)) this.#notices.set(key, notice)
  }
}
