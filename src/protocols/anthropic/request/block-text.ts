import { isJsonObject, type JsonValue } from '../../../conversation/index.ts'

/** Members that have text, or blocks with text, in the order in which they are read. Data and encrypted members are not among them. */
const textMembers = [
  'title',
  'url',
  'tool_name',
  'text',
  'content',
  'source',
  'stdout',
  'stderr',
  'tool_references',
  'lines',
  'error_code',
  'error_message',
] as const

/** Blocks nest less deeply than this: a result, its page, the page's source, its blocks. */
const deepest = 8

/**
 * Returns the text of content of any type: the texts of its known members, with a blank line between blocks. It finds the text of blocks
 * that are newer than this program as well.
 *
 * @example
 * textWithin([{ type: 'web_search_result', title: 'Paris', url: 'https://paris.example' }]) // 'Paris\nhttps://paris.example'
 */
export function textWithin(content: JsonValue | undefined, depth = 0): string {
  if (typeof content === 'string') return content
  if (depth > deepest || content === undefined || content === null) return ''
  if (Array.isArray(content)) {
    const between = content.every((inner) => typeof inner === 'string') ? '\n' : '\n\n'
    return joined(
      content.map((inner) => textWithin(inner, depth + 1)),
      between,
    )
  }
  if (!isJsonObject(content)) return ''
  const texts = textMembers.map((member) => textWithin(content[member], depth + 1))
  // The data of a document is its text only if the document says so.
  if (content.type === 'text' && typeof content.data === 'string') texts.push(content.data)
  return joined(texts, '\n')
}

function joined(texts: readonly string[], between: string): string {
  return texts.filter((text) => text !== '').join(between)
}
