/** An element of markup: the content between its tags, as text and as child elements. */
export interface Element {
  name: string
  /** The content between the tags, as it was written. */
  source: string
  /** The text outside of the elements in it, with its entities decoded. */
  text: string
  children: Element[]
}

const maxDepth = 50
const maxElements = 20_000
const tag = /<(\/?)([\p{L}_][\p{L}\p{N}_.:-]*)(?:\s[^<>]*?)?(\/?)>|<!\[CDATA\[/gu
/** Line breaks between elements that a page wrote as HTML, such as DeepSeek's. */
const htmlBreak = /(?<=^|>)\s{0,64}<br\s{0,4}\/?>\s{0,64}(?=<|$)/gi
const cdataEnd = ']]>'
const entity = /&(?:lt|gt|amp|quot|apos|#[0-9]{1,7}|#x[0-9a-fA-F]{1,6});/g
const entities: ReadonlyMap<string, string> = new Map([
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&amp;', '&'],
  ['&quot;', '"'],
  ['&apos;', "'"],
])

interface OpenElement {
  element: Element
  /** The place after the opening tag. */
  start: number
}

/**
 * Reads a text that consists of elements only, such as `<a>1</a><b>x</b>`. Attributes are ignored; CDATA sections are
 * plain text. The elements are the children of the result. Undefined if a tag has no partner, if there is text next to
 * the elements, or if there are too many or too deeply nested elements.
 */
export function readMarkup(source: string): Element | undefined {
  const text = source.includes('<br') ? source.replace(htmlBreak, '\n') : source
  const root: OpenElement = { element: { name: '', source: text, text: '', children: [] }, start: 0 }
  const stack = [root]
  let place = 0
  let count = 0
  let top = root
  tag.lastIndex = 0
  for (let found = tag.exec(text); found; found = tag.exec(text)) {
    const [whole, slash, name, empty] = found
    const end = found.index + whole.length
    top.element.text += decodeEntities(text.slice(place, found.index))
    place = end
    if (name === undefined) {
      const close = text.indexOf(cdataEnd, end)
      if (close < 0) return undefined
      top.element.text += text.slice(end, close)
      place = close + cdataEnd.length
      tag.lastIndex = place
    } else if (slash) {
      if (top.element.name !== name || stack.length === 1) return undefined
      top.element.source = text.slice(top.start, found.index)
      stack.pop()
      top = stack.at(-1) ?? root
    } else {
      if (++count > maxElements || stack.length > maxDepth) return undefined
      const element = { name, source: '', text: '', children: [] }
      top.element.children.push(element)
      if (!empty) {
        top = { element, start: end }
        stack.push(top)
      }
    }
  }
  const rest = root.element.text + text.slice(place)
  return stack.length > 1 || rest.trim() !== '' || count === 0 ? undefined : root.element
}

/** Text with the five named entities and the numeric ones decoded, once. */
function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(entity, (name) => entities.get(name) ?? numbered(name))
}

function numbered(name: string): string {
  const isHex = name[2] === 'x'
  const code = Number.parseInt(name.slice(isHex ? 3 : 2, -1), isHex ? 16 : 10)
  return code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? name : String.fromCodePoint(code)
}
