import { type ImagePart, isJsonObject, type JsonObject, type TextPart } from '../../conversation/index.ts'
import { notAvailable } from '../content.ts'
import { invalid, readArray, readOptionalString, readString } from '../fields.ts'
import type { NoticeList } from '../notices.ts'
import { textOfFile } from '../openai/file-text.ts'
import { readFields } from './fields.ts'

/** A part of a content: its fields, and its path for error messages. */
export interface Part {
  fields: JsonObject
  path: string
}

/** Returns the parts of a content, which may also be a text or a single part, as the libraries of the API take them. */
export function readParts(value: unknown, path: string): Part[] {
  if (value === undefined || value === null) return []
  if (typeof value === 'string') return [{ fields: { text: value }, path }]
  return (isJsonObject(value) ? [value] : readArray(value, path)).map((part: unknown, i) => {
    const partPath = `${path}[${i}]`
    return { fields: typeof part === 'string' ? { text: part } : readFields(part, partPath), path: partPath }
  })
}

/** Returns the texts and images of a part; other content is replaced by a text, with a notice. */
export function readShown(part: Part, notices: NoticeList): (TextPart | ImagePart)[] {
  const { fields, path } = part
  if (typeof fields.text === 'string') return fields.text === '' ? [] : [{ type: 'text', text: fields.text }]
  if (fields.inlineData !== undefined && fields.inlineData !== null) return [readInline(part, notices)]
  if (fields.fileData !== undefined && fields.fileData !== null) return [readFile(part, notices)]
  return readOther(path, fields, notices)
}

function readInline({ fields, path }: Part, notices: NoticeList): TextPart | ImagePart {
  const dataPath = `${path}.inlineData`
  const { mimeType, data, displayName } = readFields(fields.inlineData, dataPath)
  const type = readString(mimeType, `${dataPath}.mimeType`)
  if (!/^[\w.+-]+\/[\w.+-]+(?:;|$)/.test(type)) {
    throw invalid(`${dataPath}.mimeType`, `expected a media type such as image/png, got ${JSON.stringify(type)}`)
  }
  // Some libraries write the URL-safe alphabet.
  const base64 = readString(data, `${dataPath}.data`).replaceAll('-', '+').replaceAll('_', '/')
  if (type.startsWith('image/')) return { type: 'image', url: `data:${type.split(';')[0]};base64,${base64}` }
  const text = textOfFile(`data:${type};base64,${base64}`, displayName)
  return text === undefined ? unavailable(type, path, notices) : { type: 'text', text }
}

/** Files that were uploaded to Google, which no other server can read. */
const uploaded = /^(?:gs:|https?:\/\/[\w.-]+\.googleapis\.com\/)/i

function readFile({ fields, path }: Part, notices: NoticeList): TextPart | ImagePart {
  const filePath = `${path}.fileData`
  const { fileUri, mimeType } = readFields(fields.fileData, filePath)
  const url = readString(fileUri, `${filePath}.fileUri`)
  const type = readOptionalString(mimeType, `${filePath}.mimeType`) ?? ''
  const isImage = type.startsWith('image/') || (type === '' && /\.(?:png|jpe?g|gif|webp)$/i.test(url))
  if (isImage && /^(?:https|data):/i.test(url) && !uploaded.test(url)) return { type: 'image', url }
  return unavailable(type || 'file', path, notices)
}

function unavailable(type: string, path: string, notices: NoticeList): TextPart {
  const kind = /^(?:image|audio|video)\//.exec(type)?.[0].slice(0, -1) ?? 'file'
  notices.add(
    'content-part-unsupported',
    kind,
    `${path}: data of type ${JSON.stringify(type.slice(0, 60))} cannot be passed on, and the model is told so instead; text and images are passed on.`,
  )
  return { type: 'text', text: notAvailable(kind) }
}

/** Members beside the data of a part. */
const beside: ReadonlySet<string> = new Set([
  'thought',
  'thoughtSignature',
  'partMetadata',
  'videoMetadata',
  'mediaResolution',
  'mediaProcessing',
  'speechMetadata',
])

/** The members that have the text of code that ran at Google. */
const texts: ReadonlyMap<string, string> = new Map([
  ['executableCode', 'code'],
  ['codeExecutionResult', 'output'],
])

/** Keeps the text of a part of another kind, and reports it. */
function readOther(path: string, fields: JsonObject, notices: NoticeList): TextPart[] {
  const kind = Object.keys(fields).find((name) => !beside.has(name) && fields[name] !== null)
  if (kind === undefined) return []
  const inner = fields[kind]
  const member = texts.get(kind)
  const text = member !== undefined && isJsonObject(inner) ? inner[member] : undefined
  const kept = typeof text === 'string' && text !== '' ? text : undefined
  const fate = kept === undefined ? 'was dropped' : 'is passed on as text'
  notices.add('content-part-unsupported', kind, `${path}: a part with ${JSON.stringify(kind.slice(0, 60))} ${fate}.`)
  return kept === undefined ? [] : [{ type: 'text', text: kept }]
}
