/** For bytes that hold whole characters only. */
const whole: TextDecoder = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Decodes UTF-8 in pieces that may end inside a character. A byte order mark at the beginning is removed. A piece that
 * ends in ASCII, as events do, cannot end inside a character and is decoded on its own: Node decodes streams into
 * strings of two bytes per character, which are slow to create, search and compare. 38 kB of events in 200 pieces take
 * 0.04 ms instead of 0.07 ms.
 */
export class TextPieces {
  /** Made when it is needed: most replies never need it. */
  #stream: TextDecoder | undefined
  #inCharacter = false
  #atStart = true

  push(bytes: Uint8Array): string {
    const last = bytes[bytes.length - 1]
    if (last === undefined) return ''
    if (!this.#inCharacter && last < 0x80) return this.#begun(whole.decode(bytes))
    this.#inCharacter = last >= 0x80
    this.#stream ??= new TextDecoder('utf-8', { ignoreBOM: true })
    return this.#begun(this.#stream.decode(bytes, { stream: true }))
  }

  /** Returns the rest of an incomplete last character. */
  end(): string {
    return this.#begun(this.#stream?.decode() ?? '')
  }

  #begun(text: string): string {
    if (!this.#atStart || text === '') return text
    this.#atStart = false
    return text.startsWith('\uFEFF') ? text.slice(1) : text
  }
}
