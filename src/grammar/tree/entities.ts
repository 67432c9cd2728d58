/** XML's five entities. */
const entities: ReadonlyMap<string, string> = new Map([
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&amp;', '&'],
  ['&quot;', '"'],
  ['&apos;', "'"],
])
const anyEntity = /&(?:lt|gt|amp|quot|apos);/g
/** Text that may become an entity with more text. */
const begunEntity = /&(?:l|lt|g|gt|a|am|amp|ap|apo|apos|q|qu|quo|quot)?$/

/** Decodes each XML entity in a text once. `quote` is the text for a quotation mark. */
export function decodeEntities(text: string, quote: string = '"'): string {
  if (!text.includes('&')) return text
  return text.replace(anyEntity, (entity) => (entity === '&quot;' ? quote : (entities.get(entity) ?? entity)))
}

/** Decodes the entities of a text that comes in pieces. */
export class EntityDecoder {
  readonly #quote: string
  #held = ''

  /** `quote` replaces a quotation mark: an escaped one, within a JSON string. */
  constructor(quote: string = '"') {
    this.#quote = quote
  }

  push(piece: string): string {
    const text = this.#held + piece
    this.#held = text.includes('&') ? (begunEntity.exec(text)?.[0] ?? '') : ''
    return decodeEntities(text.slice(0, text.length - this.#held.length), this.#quote)
  }

  end(): string {
    const held = this.#held
    this.#held = ''
    return held
  }
}
