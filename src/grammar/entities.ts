/** XML's five entities. */
const entities: ReadonlyMap<string, string> = new Map([
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&amp;', '&'],
  ['&quot;', '"'],
  ['&apos;', "'"],
])
const anyEntity = /&(?:lt|gt|amp|quot|apos);/g
/** What may become an entity with more text. */
const begunEntity = /&(?:l|lt|g|gt|a|am|amp|ap|apo|apos|q|qu|quo|quot)?$/

/** Text as the XML that stands for it says: each entity decoded once. */
export function decodeEntities(text: string): string {
  return text.includes('&') ? text.replace(anyEntity, (entity) => entities.get(entity) ?? entity) : text
}

/** Decodes the entities of a text that comes in pieces. */
export class EntityDecoder {
  #held = ''

  push(piece: string): string {
    const text = this.#held + piece
    this.#held = text.includes('&') ? (begunEntity.exec(text)?.[0] ?? '') : ''
    return decodeEntities(text.slice(0, text.length - this.#held.length))
  }

  end(): string {
    const held = this.#held
    this.#held = ''
    return held
  }
}
