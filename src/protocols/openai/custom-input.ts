import { unescapeJson } from '../../json/index.ts'

const opening = '{"input":"'

/**
 * Extracts the text from the arguments of a call to a custom tool, `{"input": "…"}`, piece by piece. Arguments of another form
 * are returned unchanged, because output is never retracted.
 */
export class CustomInput {
  #place: 'before' | 'inside' | 'after' | 'elsewhere' = 'before'
  /** Text that cannot be decoded yet: the beginning, or an incomplete escape. */
  #held = ''
  /** The first half of a surrogate pair that was escaped in two parts: clients must receive whole characters. */
  #half = ''

  /** Takes a piece of the arguments and returns the new part of the text. */
  push(json: string): string {
    const text = this.#held + json
    this.#held = ''
    switch (this.#place) {
      case 'before':
        return this.#begin(text)
      case 'inside':
        return this.#read(text)
      case 'elsewhere':
        return text
      case 'after':
        return ''
    }
  }

  #begin(text: string): string {
    const [found] = /^\s*\{\s*"input"\s*:\s*"/.exec(text) ?? []
    if (found !== undefined) {
      this.#place = 'inside'
      return this.#read(text.slice(found.length))
    }
    const begun = text.replace(/\s+/g, '')
    if (begun !== opening && opening.startsWith(begun)) {
      this.#held = text
      return ''
    }
    this.#place = 'elsewhere'
    return text
  }

  #read(text: string): string {
    const end = endOfContent(text)
    if (text[end] === '"') this.#place = 'after'
    else this.#held = text.slice(end)
    const content = this.#half + unescapeJson(text.slice(0, end))
    this.#half = this.#place === 'inside' ? (/[\ud800-\udbff]$/.exec(content)?.[0] ?? '') : ''
    return content.slice(0, content.length - this.#half.length)
  }
}

/** Returns the offset up to which a JSON string can be decoded: its closing quote, or an incomplete escape. */
function endOfContent(text: string): number {
  const sign = /["\\]/g
  for (let found = sign.exec(text); found; found = sign.exec(text)) {
    const end = found.index + (text[found.index + 1] === 'u' ? 6 : 2)
    if (found[0] === '"' || end > text.length) return found.index
    sign.lastIndex = end
  }
  return text.length
}
