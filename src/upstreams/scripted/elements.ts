/** Elements as prompts write them: `<tag attribute="value">text</tag>`, loosely. Every search is forward only. */
export interface Element {
  attributes: ReadonlyMap<string, string>
  text: string
  /** Where the element stands, as [start, end). */
  start: number
  end: number
}

/**
 * The elements `<tag>` of `text` in order, not nested in each other. One that is never closed ends the search, unless
 * `open` is `keep`: then it reaches to the end of the text.
 */
export function findElements(text: string, tag: string, open: 'drop' | 'keep' = 'drop'): Element[] {
  const elements: Element[] = []
  const close = `</${tag}>`
  let at = 0
  for (;;) {
    const start = text.indexOf(`<${tag}`, at)
    if (start < 0) return elements
    const tagEnd = start + tag.length + 1
    if (!/[\s>]/.test(text.charAt(tagEnd))) {
      at = tagEnd
      continue
    }
    const bodyStart = text.indexOf('>', tagEnd) + 1
    if (bodyStart === 0) return elements
    const bodyEnd = text.indexOf(close, bodyStart)
    if (bodyEnd < 0 && open === 'drop') return elements
    const end = bodyEnd < 0 ? text.length : bodyEnd + close.length
    elements.push({
      attributes: readAttributes(text.slice(tagEnd, bodyStart - 1)),
      text: text.slice(bodyStart, bodyEnd < 0 ? text.length : bodyEnd),
      start,
      end,
    })
    at = end
  }
}

/** The text of the first element `<tag>`, without white space around it. */
export function findElementText(text: string, tag: string): string | undefined {
  const start = text.indexOf(`<${tag}>`)
  if (start < 0) return undefined
  const end = text.indexOf(`</${tag}>`, start)
  return end < 0 ? undefined : text.slice(start + tag.length + 2, end).trim()
}

/** `text` with its elements `<tag>` taken out. */
export function withoutElements(text: string, elements: readonly Element[]): string {
  let rest = ''
  let at = 0
  for (const element of elements) {
    rest += `${text.slice(at, element.start)}\n`
    at = element.end
  }
  return rest + text.slice(at)
}

function readAttributes(text: string): Map<string, string> {
  const attributes = new Map<string, string>()
  for (const [, key = '', value = ''] of text.matchAll(/(?<![\w-])([\w-]{1,64})="([^"]*)"/g)) {
    attributes.set(key, decodeEntities(value))
  }
  return attributes
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

export function decodeEntities(text: string): string {
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => entities[name] ?? '')
}
