import type { LanguageModelV3FilePart, LanguageModelV3ToolResultPart } from '@ai-sdk/provider'
import type { ResultPart } from '../../conversation/index.ts'

/** The treatment of images and files in tool results: a note in their place, or sent in the user message. */
export type ResultMedia = 'note' | 'send'

export interface ReadResult {
  result: ResultPart
  /** Files to send after the result. */
  files: LanguageModelV3FilePart[]
  /** Sentences about parts that could not be sent to the model. */
  leftOut: string[]
}

type Output = LanguageModelV3ToolResultPart['output']

/** A file in a result of models of specification v4: `data` names its kind. */
interface TaggedFile {
  type: 'file'
  data: { type: 'data' | 'url' | 'reference' } | { type: 'text'; text: string }
  mediaType: string
  filename?: string
}

type ContentItem = Extract<Output, { type: 'content' }>['value'][number] | TaggedFile

/** A tool's result as text, with the parts that cannot be text beside it. */
export function readResult(part: LanguageModelV3ToolResultPart, media: ResultMedia): ReadResult {
  const read: ReadResult = {
    result: {
      type: 'result',
      callId: part.toolCallId,
      name: part.toolName,
      content: [],
      isError: isError(part.output),
    },
    files: [],
    leftOut: [],
  }
  if (part.output.type === 'content') for (const item of part.output.value) addItem(read, item, media)
  else addText(read, textOf(part.output))
  return read
}

function isError({ type }: Output): boolean {
  return type === 'error-text' || type === 'error-json' || type === 'execution-denied'
}

function textOf(output: Exclude<Output, { type: 'content' }>): string {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value
    case 'json':
    case 'error-json':
      return JSON.stringify(output.value)
    case 'execution-denied':
      return output.reason ? `The tool was not run: ${output.reason}` : 'The tool was not run: the user denied it.'
  }
}

function addText(read: ReadResult, text: string): void {
  read.result.content.push({ type: 'text', text })
}

function addItem(read: ReadResult, item: ContentItem, media: ResultMedia): void {
  if (item.type === 'text') {
    addText(read, item.text)
    return
  }
  if (item.type === 'file' && item.data.type === 'text') {
    addText(read, item.data.text)
    return
  }
  const file = media === 'send' ? fileOf(item) : undefined
  const label = labelOf(item)
  addText(read, file ? `[${label}: attached]` : `[${label}: left out]`)
  if (file) read.files.push(file)
  else read.leftOut.push(`${label} in a result of ${read.result.name}`)
}

/** The item as a user message can hold it; ids of a provider's files cannot be. */
function fileOf(item: ContentItem): LanguageModelV3FilePart | undefined {
  switch (item.type) {
    case 'file':
      // Messages of v4 use the same form for files: it is passed unchanged to the model that it was converted for.
      return item as unknown as LanguageModelV3FilePart
    case 'image-data':
      return { type: 'file', data: item.data, mediaType: item.mediaType }
    case 'file-data': {
      const named = item.filename === undefined ? {} : { filename: item.filename }
      return { type: 'file', data: item.data, mediaType: item.mediaType, ...named }
    }
    case 'image-url':
    case 'file-url': {
      const mediaType = item.type === 'image-url' ? 'image/*' : (item.mediaType ?? 'application/octet-stream')
      return URL.canParse(item.url) ? { type: 'file', data: new URL(item.url), mediaType } : undefined
    }
    default:
      return undefined
  }
}

function labelOf(item: Exclude<ContentItem, { type: 'text' }>): string {
  switch (item.type) {
    case 'image-data':
      return `image (${item.mediaType})`
    case 'image-url':
    case 'image-file-id':
      return 'image'
    case 'file':
      if (/^image\b/.test(item.mediaType)) return `image (${item.mediaType})`
      return item.filename === undefined ? `file (${item.mediaType})` : `file ${item.filename} (${item.mediaType})`
    case 'file-data':
      return item.filename === undefined ? `file (${item.mediaType})` : `file ${item.filename} (${item.mediaType})`
    case 'file-url':
    case 'file-id':
      return 'file'
    case 'custom':
      return 'custom content'
  }
}
