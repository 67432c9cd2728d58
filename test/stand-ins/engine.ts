/** A text as an engine writes it: in pieces, up to a stop, the limit, or the end of its turn. */
export interface EngineText {
  pieces: string[]
  stop: 'eos' | 'word' | 'limit'
  /** The stop that was met. */
  word: string
  /** With the token that ended it. */
  tokenCount: number
}

export interface EngineLimits {
  maxTokens: number
  stops: readonly string[]
  /** True if a special token is emitted as text. */
  shows: (special: string) => boolean
}

/** The tokenizer of an engine without a model: special tokens, words of up to six characters, white space. */
export class Engine {
  readonly specials: readonly string[]
  readonly #ids: Map<string, number> = new Map()
  readonly #pieces: string[] = []
  readonly #pattern: RegExp

  constructor(specials: readonly string[]) {
    this.specials = specials
    const escaped = specials.map((special) => special.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
    this.#pattern = new RegExp([...escaped, '\\s?[^\\s<>|]{1,6}', '[\\s\\S]'].join('|'), 'gu')
    for (const special of specials) this.#idOf(special)
  }

  split(text: string): string[] {
    return text.match(this.#pattern) ?? []
  }

  tokenize(text: string): number[] {
    return this.split(text).map((piece) => this.#idOf(piece))
  }

  /** Throws for a token that the vocabulary has not. */
  detokenize(ids: readonly unknown[]): string {
    return ids
      .map((id) => {
        const piece = typeof id === 'number' ? this.#pieces[id] : undefined
        if (piece === undefined) throw new Error(`no token ${JSON.stringify(id)}`)
        return piece
      })
      .join('')
  }

  /** Returns the engine's output when a model writes `reply` and then ends its turn. */
  write(reply: string, { maxTokens, stops, shows }: EngineLimits): EngineText {
    const pieces: string[] = []
    let text = ''
    let tokenCount = 0
    for (const token of this.split(reply)) {
      if (tokenCount === maxTokens) return { pieces, stop: 'limit', word: '', tokenCount }
      tokenCount++
      if (this.specials.includes(token) && !shows(token)) continue
      const found = stops.find(
        (stop) => stop !== '' && (text + token).includes(stop, Math.max(0, text.length - stop.length)),
      )
      if (found !== undefined) {
        const end = (text + token).indexOf(found)
        return { pieces: cutTo([...pieces, token], end), stop: 'word', word: found, tokenCount }
      }
      pieces.push(token)
      text += token
    }
    return { pieces, stop: 'eos', word: '', tokenCount: tokenCount + 1 }
  }

  #idOf(piece: string): number {
    const known = this.#ids.get(piece)
    if (known !== undefined) return known
    this.#ids.set(piece, this.#pieces.length)
    return this.#pieces.push(piece) - 1
  }
}

/** The pieces of a text's first `length` characters. */
function cutTo(pieces: readonly string[], length: number): string[] {
  const kept: string[] = []
  let left = length
  for (const piece of pieces) {
    if (left <= 0) break
    kept.push(piece.slice(0, left))
    left -= piece.length
  }
  return kept
}
