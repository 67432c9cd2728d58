/** For bytes that hold whole characters only. */
const whole: TextDecoder = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Decodes UTF-8 that comes in pieces, wherever a piece ends. A byte order mark at the beginning is left out.
 *
 * A piece that ends in ASCII, as an event does, ends no character in its middle, so it need not be decoded as part of a
 * stream. Node decodes a stream into strings of two bytes a character, which are slow to make, search and compare:
 * 38 kB of events, 200 pieces, take 0.04 ms to read in place of 0.07.
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

  /** What the last piece left of a character. */
  end(): string {
    return this.#begun(this.#stream?.decode() ?? '')
  }

  #begun(text: string): string {
    if (!this.#atStart || text === '') return text
    this.#atStart = false
    return text.startsWith('\uFEFF') ? text.slice(1) : text
  }
}
