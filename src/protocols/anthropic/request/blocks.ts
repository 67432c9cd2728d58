import type { ImagePart, JsonObject, TextPart } from '../../../conversation/index.ts'
import { notAvailable } from '../../content.ts'
import { invalid, kindOf, readObject, readOptionalString, readString } from '../../fields.ts'
import type { NoticeList } from '../../notices.ts'
import { textWithin } from './block-text.ts'

/** A content block: type, fields, and path for error messages. */
export interface Block {
  type: string
  fields: JsonObject
  path: string
}

/** Returns content as blocks; a string is one text block. */
export function readBlocks(content: unknown, path: string): Block[] {
  if (typeof content === 'string') return [{ type: 'text', fields: { text: content }, path }]
  if (!Array.isArray(content)) {
    throw invalid(path, `expected a string or an array of content blocks, got ${kindOf(content)}`)
  }
  return content.map((value: unknown, index) => {
    const blockPath = `${path}[${index}]`
    const fields = readObject(value, blockPath)
    return { type: readString(fields.type, `${blockPath}.type`), fields, path: blockPath }
  })
}

/** Returns the parts of a user message's or tool result's block that a model can be shown. */
export function readShown(block: Block, notices: NoticeList): (TextPart | ImagePart)[] {
  switch (block.type) {
    case 'text':
      return readText(block)
    case 'image':
      return readImage(block, notices)
    case 'document':
      return readDocument(block, notices)
    case 'search_result':
      return readSearchResult(block, notices)
    default:
      return readUnknown(block, notices)
  }
}

/** Returns the part of a text block; empty for an empty text. */
export function readText(block: Block): TextPart[] {
  return textParts(readString(block.fields.text, `${block.path}.text`))
}

/** Blocks that belong to one kind of message only. Elsewhere they are an error of the client, and not degraded. */
const homes: ReadonlyMap<string, string> = new Map([
  ['tool_use', 'an assistant message'],
  ['tool_result', 'a user message'],
])

/** Keeps the text of a block of an unknown type, and reports the rest. */
export function readUnknown(block: Block, notices: NoticeList): TextPart[] {
  const home = homes.get(block.type)
  if (home !== undefined) throw invalid(block.path, `a ${block.type} block may only be in the content of ${home}`)
  const parts = textParts(textWithin(block.fields))
  const kept = parts.length === 0 ? 'it was left out' : 'only its text was kept'
  notices.add('block-unsupported', block.type, `${block.path}: no use is known for ${quote(block.type)} here; ${kept}`)
  return parts
}

function readImage(block: Block, notices: NoticeList): (TextPart | ImagePart)[] {
  const path = `${block.path}.source`
  const source = readObject(block.fields.source, path)
  const type = readString(source.type, `${path}.type`)
  switch (type) {
    case 'base64':
      return [{ type: 'image', url: readDataUrl(source, path) }]
    case 'url':
      return [{ type: 'image', url: readImageUrl(source.url, `${path}.url`) }]
    default:
      return notShown(`image with source ${quote(type)}`, block, notices)
  }
}

function readDataUrl(source: JsonObject, path: string): string {
  const mediaType = readString(source.media_type, `${path}.media_type`)
  if (!/^image\/[\w.+-]+$/.test(mediaType)) {
    throw invalid(`${path}.media_type`, `expected an image type such as image/png, got ${quote(mediaType)}`)
  }
  return `data:${mediaType};base64,${readString(source.data, `${path}.data`)}`
}

function readImageUrl(value: unknown, path: string): string {
  const url = readString(value, path)
  // With any other scheme (`file:`, plain `http:` to an internal host) the model server would read resources that only
  // it can reach.
  if (!/^(https|data):/i.test(url)) throw invalid(path, `expected an https: or data: URL, got ${quote(url)}`)
  return url
}

function readDocument(block: Block, notices: NoticeList): (TextPart | ImagePart)[] {
  const { fields, path } = block
  const heading = [
    readOptionalString(fields.title, `${path}.title`),
    readOptionalString(fields.context, `${path}.context`),
  ]
  const source = readObject(fields.source, `${path}.source`)
  const type = readString(source.type, `${path}.source.type`)
  switch (type) {
    case 'text':
      return textParts(paragraphs([...heading, readString(source.data, `${path}.source.data`)]))
    case 'content': {
      const content = readBlocks(source.content, `${path}.source.content`)
      return [...textParts(paragraphs(heading)), ...content.flatMap((inner) => readInDocument(inner, notices))]
    }
    default:
      return [...textParts(paragraphs(heading)), ...notShown(`document with source ${quote(type)}`, block, notices)]
  }
}

/** Documents contain only text and images, so that they cannot nest. */
function readInDocument(block: Block, notices: NoticeList): (TextPart | ImagePart)[] {
  if (block.type === 'text') return readText(block)
  return block.type === 'image' ? readImage(block, notices) : readUnknown(block, notices)
}

function readSearchResult(block: Block, notices: NoticeList): TextPart[] {
  const { fields, path } = block
  const content = readBlocks(fields.content, `${path}.content`).flatMap((inner) =>
    inner.type === 'text' ? readText(inner) : readUnknown(inner, notices),
  )
  const title = readOptionalString(fields.title, `${path}.title`)
  const source = readOptionalString(fields.source, `${path}.source`)
  return textParts(paragraphs([title, source, ...content.map((part) => part.text)]))
}

/** Returns a text that replaces the block. */
function notShown(what: string, block: Block, notices: NoticeList): TextPart[] {
  notices.add('block-unsupported', what, `${block.path}: a ${what} cannot be passed on; the model is told so instead`)
  return textParts(notAvailable(what))
}

/** Joins texts with a blank line between them, without absent and empty ones. */
export function paragraphs(texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text !== '').join('\n\n')
}

function textParts(text: string): TextPart[] {
  return text === '' ? [] : [{ type: 'text', text }]
}

/** Quotes a client's text for a message, shortened if it is long. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}...` : text)
}
