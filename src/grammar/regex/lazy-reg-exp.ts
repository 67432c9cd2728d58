/**
 * The length of source, in characters, that is compiled at once. V8 keeps the code of each RegExp for as long as that
 * lives, in a space that a whole process shares, and ends the process if it is full (128 MB on some machines). A
 * character of source makes some 30 bytes of code.
 */
const mostCompiled = 1_000_000

/** The expressions that are compiled; those that are not used for long are let go. */
export class CompiledPool {
  readonly #most: number
  /** In the order in which they were made or last found in use. */
  readonly #compiled = new Set<LazyRegExp>()
  #size = 0

  /** `most` is how much source may be compiled at once, in characters. */
  constructor(most: number) {
    this.#most = most
  }

  /** The number of compiled expressions. */
  get size(): number {
    return this.#size
  }

  /** One was compiled: others go until there is room. It stays itself, however large it is. */
  add(expression: LazyRegExp): void {
    this.#compiled.add(expression)
    this.#size += expression.source.length
    // Entries that stay are visited again after all others, and then removed.
    for (const oldest of this.#compiled) {
      if (this.#size <= this.#most) return
      if (oldest === expression) continue
      this.#compiled.delete(oldest)
      // An expression that was used since the last check stays for another round: tracking the order of all uses would
      // cost more than most matches do.
      if (oldest.isUsedAgain()) this.#compiled.add(oldest)
      else {
        this.#size -= oldest.source.length
        oldest.letGo()
      }
    }
  }
}

const shared = new CompiledPool(mostCompiled)

/**
 * A regular expression that is compiled when it is first used, and let go when many others were used since: formats, templates and lists of tools that a process
 * holds on to cost the code of those in use.
 *
 * @example
 * const tag = new LazyRegExp('<call>', 'iy')
 * tag.testAt('So: <CALL>', 4) // true
 */
export class LazyRegExp {
  readonly source: string
  readonly #flags: string
  readonly #pool: CompiledPool
  #made: RegExp | undefined
  #isUsed = false

  constructor(source: string, flags: string, pool: CompiledPool = shared) {
    this.source = source
    this.#flags = flags
    this.#pool = pool
  }

  /** For immediate use: storing it keeps its compiled code. */
  get compiled(): RegExp {
    if (this.#made) {
      this.#isUsed = true
      return this.#made
    }
    const made = new RegExp(this.source, this.#flags)
    this.#made = made
    this.#pool.add(this)
    return made
  }

  /** Returns the match: at the place if the expression is sticky, from there on if it is global. */
  execAt(text: string, at: number): RegExpExecArray | null {
    const { compiled } = this
    compiled.lastIndex = at
    return compiled.exec(text)
  }

  testAt(text: string, at: number): boolean {
    const { compiled } = this
    compiled.lastIndex = at
    return compiled.test(text)
  }

  /** True if it was used since it was compiled, or since the last call of this method. */
  isUsedAgain(): boolean {
    const isUsed = this.#isUsed
    this.#isUsed = false
    return isUsed
  }

  letGo(): void {
    this.#made = undefined
  }
}
