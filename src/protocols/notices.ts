import type { Notice } from '../conversation/index.ts'

/**
 * The notices of one request, one per code and subject. A client sends its whole history with every request, so one unknown
 * block type would otherwise be reported hundreds of times.
 */
export class NoticeList {
  readonly #notices = new Map<string, Notice>()

  get list(): Notice[] {
    return [...this.#notices.values()]
  }

  /** Adds a notice about `subject`, unless there is one with the same code and subject. */
  add(code: string, subject: string, message: string): void {
    const key = `${code}\n${subject}`
    if (!this.#notices.has(key)) this.#notices.set(key, { code, message })
  }

  /** Adds the notices of another list, without duplicates. */
  addAll(others: NoticeList): void {
    for (const [key, notice] of others.#notices) if (!this.#notices.has(key)) this.#notices.set(key, notice)
  }
}
