import { type ImagePart, isJsonObject, type JsonObject, type Notice, type TextPart } from '../../conversation/index.ts'
import { notAvailable } from '../content.ts'
import { invalid, kindOf, readArray, readObject, readOptionalString, readString } from '../fields.ts'
import { textOfFile } from './file-text.ts'

/**
 * Decodes a message's content: a string, null, or an array of parts. Empty texts are left out. An attachment that a
 * conversation cannot hold is replaced by a text, other unknown parts are dropped, both with a notice.
 */
export function decodeContent(value: unknown, path: string, notices: Notice[]): (TextPart | ImagePart)[] {
  if (value === null || value === '') return []
  if (typeof value === 'string') return [{ type: 'text', text: value }]
  if (!Array.isArray(value)) throw invalid(path, `expected a string or an array of parts, got ${kindOf(value)}`)
  const parts: (TextPart | ImagePart)[] = []
  for (const [i, item] of readArray(value, path).entries()) {
    const part = decodePart(item, `${path}[${i}]`, notices)
    if (part !== undefined && !(part.type === 'text' && part.text === '')) parts.push(part)
  }
  return parts
}

/** Decodes content that may only be text; images are dropped with a notice. */
export function decodeTextContent(value: unknown, path: string, notices: Notice[]): TextPart[] {
  return decodeContent(value, path, notices).filter((part): part is TextPart => {
    if (part.type === 'text') return true
    notices.push({ code: 'content-part-unsupported', message: `${path}: an image was dropped; only text can be here.` })
    return false
  })
}

function decodePart(value: unknown, path: string, notices: Notice[]): TextPart | ImagePart | undefined {
  if (typeof value === 'string') return { type: 'text', text: value }
  const part = readObject(value, path)
  const type = readString(part.type, `${path}.type`)
  switch (type) {
    case 'text':
    // The Responses API's names, which some clients use here as well.
    case 'input_text':
    case 'output_text':
      return { type: 'text', text: readString(part.text, `${path}.text`) }
    case 'refusal':
      return { type: 'text', text: readString(part.refusal, `${path}.refusal`) }
    case 'image_url':
    case 'input_image':
      // An image that was uploaded before, under an id.
      if (part.image_url === undefined || part.image_url === null) return decodeOther('file_id', path, notices)
      return decodeImage(part.image_url, part.detail, `${path}.image_url`)
    case 'file':
    case 'input_file':
      return decodeFile(part, path) ?? decodeOther(type, path, notices)
    default:
      return decodeOther(type, path, notices)
  }
}

/** The attachment of each type of part. The last two are not OpenAI's, but of servers with the same API. */
const attachments: ReadonlyMap<string, string> = new Map([
  ['file', 'file'],
  ['file_id', 'image'],
  ['input_file', 'file'],
  ['input_audio', 'audio'],
  ['audio_url', 'audio'],
  ['video_url', 'video'],
])

function decodeOther(type: string, path: string, notices: Notice[]): TextPart | undefined {
  const attached = attachments.get(type)
  const fate = attached === undefined ? 'was dropped' : 'cannot be passed on, and the model is told so instead'
  notices.push({
    code: 'content-part-unsupported',
    message: `${path}: a part of type ${JSON.stringify(type)} ${fate}; text and images are passed on.`,
  })
  return attached === undefined ? undefined : { type: 'text', text: notAvailable(attached) }
}

/** Returns the text of a file whose bytes are in the request, if they are text; Chat Completions have its fields in `file`. */
function decodeFile(part: JsonObject, path: string): TextPart | undefined {
  const file = part.type === 'file' && part.file !== undefined ? readObject(part.file, `${path}.file`) : part
  const text = typeof file.file_data === 'string' ? textOfFile(file.file_data, file.filename) : undefined
  if (text === undefined) return undefined
  const name = typeof file.filename === 'string' && file.filename !== '' ? `${file.filename}:\n` : ''
  return { type: 'text', text: name + text }
}

function decodeImage(value: unknown, outerDetail: unknown, path: string): ImagePart {
  const [image, imagePath] = isJsonObject(value)
    ? [{ url: value.url, detail: value.detail ?? outerDetail }, `${path}.url`]
    : [{ url: value, detail: outerDetail }, path]
  const url = readString(image.url, imagePath)
  if (!/^(?:https?|data):/i.test(url)) {
    throw invalid(imagePath, 'expected an https: or data: URL; put image bytes as data:image/png;base64,...')
  }
  const detail = readOptionalString(image.detail, `${path}.detail`)
  return detail === undefined ? { type: 'image', url } : { type: 'image', url, detail }
}
