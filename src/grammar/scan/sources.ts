/** Sources of regular expressions for a whole match, and for a beginning of one at the end of a text. */
export interface Sources {
  readonly whole: string
  readonly begun: string
}

/**
 * Returns sources of which each is made when it is first asked for: of the sources of all formats, which take 0.1 s to
 * make, a reply needs one in ten.
 */
export function lazySources(make: { whole: () => string; begun: () => string }): Sources {
  let whole: string | undefined
  let begun: string | undefined
  return {
    get whole() {
      whole ??= make.whole()
      return whole
    },
    get begun() {
      begun ??= make.begun()
      return begun
    },
  }
}
