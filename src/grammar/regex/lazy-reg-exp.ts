/**
 * The length of source, in characters, that is compiled at once. V8 keeps the code of each RegExp for as long as that
 * lives, in a space that a whole process shares, and ends the process if it is full (128 MB on some machines). A
 * character of source makes some 30 bytes of code.
 */
const mostCompiled = 1_000_000

/** An expression that was compiled: one for all with the same source and the same flags. */
interface Compiled {
  readonly key: string
  readonly size: number
  /** Undefined once it was let go. */
  expression: RegExp | undefined
  /** True if its code was made before its first use. */
  isPrepared: boolean
  /** True if it was used since it was compiled, or since the pool looked at it. */
  isUsed: boolean
}

/** One that was not let go. */
type Kept = Compiled & { expression: RegExp }

/**
 * The expressions that are compiled; those that are not used for long are let go. Equal ones are compiled once: half of the source in the
 * formats that the library knows, and most of what the formats of templates have, is in several of them.
 */
export class CompiledPool {
  readonly #most: number
  /** In the order in which they were made or last found in use. */
  readonly #compiled = new Map<string, Kept>()
  #size = 0
  #letGo = 0

  /** `most` is how much source may be compiled at once, in characters. */
  constructor(most: number) {
    this.#most = most
  }

  /** The source that is compiled, in characters. */
  get size(): number {
    return this.#size
  }

  /** The number of prepared expressions that were let go. */
  get letGo(): number {
    return this.#letGo
  }

  /** Compiles an expression, unless an equal one is compiled. Others go until there is room; it stays itself, however large it is. */
  compile(source: string, flags: string): Kept {
    const key = `${flags}/${source}`
    const known = this.#compiled.get(key)
    if (known) {
      known.isUsed = true
      return known
    }
    const made = { key, size: source.length, expression: new RegExp(source, flags), isPrepared: false, isUsed: false }
    this.#compiled.set(key, made)
    this.#size += made.size
    this.#makeRoom(made)
    return made
  }

  #makeRoom(made: Kept): void {
    // Entries that stay are visited again after all others, and then removed.
    for (const oldest of this.#compiled.values()) {
      if (this.#size <= this.#most) return
      if (oldest === made) continue
      this.#compiled.delete(oldest.key)
      // An expression that was used since the last check stays for another round: tracking the order of all uses would
      // cost more than most matches do.
      if (oldest.isUsed) {
        oldest.isUsed = false
        this.#compiled.set(oldest.key, oldest)
        continue
      }
      this.#size -= oldest.size
      if (oldest.isPrepared) this.#letGo++
      const gone: Compiled = oldest
      gone.expression = undefined
    }
  }
}

const shared = new CompiledPool(mostCompiled)

/** Shorter source is compiled in a millisecond or two: it need not be prepared. */
const shortestPrepared = 2000
/** V8 makes an expression's code when it is first used: slow code first, and fast code at once if the text is this long. */
const longText: string = ' '.repeat(1000)

/**
 * A regular expression that is compiled when it is first used, and let go when many others were used since: formats, templates and lists of tools that a process
 * holds on to cost the code of those in use.
 *
 * @example
 * const tag = new LazyRegExp('<call>', 'iy')
 * tag.testAt('So: <CALL>', 4) // true
 */
export class LazyRegExp {
  #source: string | (() => string)
  readonly #flags: string
  readonly #pool: CompiledPool
  #compiled: Compiled | undefined

  /** `source` may be a function that makes it: it is called at the first use. */
  constructor(source: string | (() => string), flags: string, pool: CompiledPool = shared) {
    this.#source = source
    this.#flags = flags
    this.#pool = pool
  }

  get source(): string {
    if (typeof this.#source === 'function') this.#source = this.#source()
    return this.#source
  }

  /** For immediate use: storing it keeps its compiled code. Equal expressions share it, and so its `lastIndex`. */
  get compiled(): RegExp {
    const known = this.#compiled
    if (known?.expression) {
      known.isUsed = true
      return known.expression
    }
    const made = this.#pool.compile(this.source, this.#flags)
    this.#compiled = made
    return made.expression
  }

  /** The number of prepared expressions that were let go in this process: any expression may have to be prepared again if it grew. */
  static get letGo(): number {
    return shared.letGo
  }

  /** True if the first use will take its time, because the expression is long. */
  get isUnprepared(): boolean {
    if (this.source.length < shortestPrepared) return false
    const known = this.#compiled
    return !known?.expression || !known.isPrepared
  }

  /** Makes the code, so that the first use takes no longer than others. */
  prepare(): void {
    const { compiled } = this
    if (this.#compiled) this.#compiled.isPrepared = true
    compiled.lastIndex = longText.length
    compiled.test(longText)
    compiled.lastIndex = 0
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
}
