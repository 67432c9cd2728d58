import {
  type AssistantTurn,
  isJsonObject,
  type JsonObject,
  type Notice,
  type Tool,
  type Turn,
  type UserPart,
  type UserTurn,
} from '../../conversation/index.ts'
import { invalid, kindOf, readArray, readObject, readOptionalString, readString } from '../fields.ts'
import { addedToolsText, foundToolsText } from '../found-tools.ts'
import { NoticeList } from '../notices.ts'
import { CallLedger } from '../openai/call-ledger.ts'
import { decodeContent, decodeTextContent } from '../openai/content.ts'
import { isCompaction, summaryOf, summaryTurn } from './compaction.ts'
import { type OpenedTexts, reasoningOf } from './sealed-items.ts'
import { pastCalls } from './tools/calls.ts'
import { pastResults } from './tools/results.ts'
import { type DecodedTools, definedType } from './tools/tools.ts'

export interface DecodedInput {
  system: string
  turns: Turn[]
  notices: Notice[]
}

const blankLine = '\n\n'

/** The reason why an envelope cannot be opened. */
const foreign = 'its encrypted content was not sealed by this gateway, or not with its secret'

/** Returns the items of a request; a string is the message of a user. */
export function inputItems(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return []
  if (typeof value === 'string') return value === '' ? [] : [{ role: 'user', content: value }]
  return readArray(value, 'input')
}

/** Decodes the items of a request as a system prompt and turns. */
export function decodeInput(
  items: readonly unknown[],
  instructions: string | undefined,
  tools: Pick<DecodedTools, 'table' | 'found'>,
  opened: OpenedTexts,
): DecodedInput {
  const reader = new InputReader(tools, opened)
  if (instructions) reader.system.push(instructions)
  for (const [i, item] of items.entries()) reader.read(readObject(item, `input[${i}]`), i)
  return { system: reader.system.join(blankLine), turns: reader.turns, notices: reader.notices }
}

class InputReader {
  readonly system: string[] = []
  readonly turns: Turn[] = []
  readonly #table: DecodedTools['table']
  readonly #found: DecodedTools['found']
  readonly #opened: OpenedTexts
  readonly #contentNotices: Notice[] = []
  readonly #notices = new NoticeList()
  readonly #calls = new CallLedger()
  /** The turn of results that the next result joins; undefined if another item came in between. */
  #results: UserTurn | undefined

  constructor({ table, found }: Pick<DecodedTools, 'table' | 'found'>, opened: OpenedTexts) {
    this.#table = table
    this.#found = found
    this.#opened = opened
  }

  get notices(): Notice[] {
    return [...this.#notices.list, ...this.#contentNotices]
  }

  read(item: JsonObject, index: number): void {
    const path = `input[${index}]`
    const type =
      readOptionalString(item.type, `${path}.type`) ?? (item.role === undefined ? 'item_reference' : 'message')
    if (pastResults.has(type) || type === 'tool_search_output') {
      this.#readResult(item, type, index)
      return
    }
    if (type === 'additional_tools') {
      this.#addTools(this.#found.get(index))
      return
    }
    const assistant = this.turns.at(-1)
    if (pastCalls.has(type)) this.#readCall(item, type, index)
    else if (type === 'message') this.#readMessage(item, path)
    else if (type === 'reasoning') this.#readReasoning(item, path)
    else if (isCompaction(item)) this.#readCompaction(item, path)
    else this.#readOther(item, type, path)
    if (this.turns.at(-1) !== assistant || assistant?.role === 'assistant') this.#results = undefined
  }

  #readMessage(item: JsonObject, path: string): void {
    const content = item.content ?? null
    switch (readString(item.role, `${path}.role`)) {
      case 'system':
      case 'developer':
        this.#addSystem(content, `${path}.content`)
        return
      case 'user':
        this.turns.push({ role: 'user', parts: decodeContent(content, `${path}.content`, this.#contentNotices) })
        return
      case 'assistant':
        this.#assistant().parts.push(...decodeTextContent(content, `${path}.content`, this.#contentNotices))
        return
      default:
        throw invalid(`${path}.role`, `expected system, developer, user or assistant, got ${kindOf(item.role)}`)
    }
  }

  #addSystem(content: unknown, path: string): void {
    const parts = decodeTextContent(content, path, this.#contentNotices)
    const text = parts.map((part) => part.text).join(blankLine)
    if (text === '') return
    if (this.turns.length === 0) this.system.push(text)
    else this.turns.push({ role: 'system', text })
  }

  /** Notes which tools the client added between the turns. */
  #addTools(tools: readonly Tool[] | undefined): void {
    if (tools === undefined) return
    this.turns.push({ role: 'system', text: addedToolsText(tools.map(({ name }) => name)), tools })
    this.#results = undefined
  }

  /** Items of one reply follow each other: its reasoning, its texts, its calls. They are one turn. */
  #assistant(): AssistantTurn {
    const last = this.turns.at(-1)
    if (last?.role === 'assistant') return last
    const turn: AssistantTurn = { role: 'assistant', parts: [] }
    this.turns.push(turn)
    return turn
  }

  #readReasoning(item: JsonObject, path: string): void {
    const parts = reasoningOf(item, this.#opened)
    if (parts.length > 0) this.#assistant().parts.push(...parts)
    else if (typeof item.encrypted_content === 'string') {
      this.#notices.add('reasoning-dropped', 'reasoning', `${path}: left out; ${foreign}.`)
    }
  }

  #readCompaction(item: JsonObject, path: string): void {
    const summary = summaryOf(item, this.#opened)
    if (summary === undefined) this.#notices.add('compaction-dropped', 'compaction', `${path}: left out; ${foreign}.`)
    else this.turns.push(summaryTurn(summary))
  }

  #readCall(item: JsonObject, type: string, index: number): void {
    const path = `input[${index}]`
    const read = pastCalls.get(type)
    if (!read) return
    const { declared, arguments: json } = read(item, path)
    const id =
      readOptionalString(item.call_id, `${path}.call_id`) ||
      readOptionalString(item.id, `${path}.id`) ||
      `call_${index}`
    const name = this.#table.nameOf(declared)
    const call = { type: 'call', id, name, arguments: json } as const
    this.#calls.add(call)
    this.#assistant().parts.push(call)
  }

  #readResult(item: JsonObject, type: string, index: number): void {
    const path = `input[${index}]`
    // The API names the call of a local shell by `id`.
    const [id, idPath] = item.call_id === undefined ? [item.id, `${path}.id`] : [item.call_id, `${path}.call_id`]
    // A search at OpenAI has no call that a model made here.
    if (type === 'tool_search_output' && (id === undefined || id === null)) return
    const call = this.#calls.answerById(id, idPath)
    const result =
      type === 'tool_search_output'
        ? { content: decodeContent(this.#foundText(item), path, this.#contentNotices), isError: false }
        : pastResults.get(type)?.(item, path, this.#contentNotices)
    if (!result) return
    const tools = this.#found.get(index)
    const part: UserPart = { type: 'result', callId: call.id, name: call.name, ...result, ...(tools && { tools }) }
    if (this.#results === undefined) {
      this.#results = { role: 'user', parts: [] }
      this.turns.push(this.#results)
    }
    this.#results.parts.push(part)
  }

  /** Names the tools that a search found, as the model reads them; the prompt describes them after this text. */
  #foundText({ tools }: JsonObject): string {
    const names = (Array.isArray(tools) ? tools : []).flatMap((tool) => this.#namesOf(tool))
    return foundToolsText(names)
  }

  #namesOf(tool: unknown): string[] {
    if (!isJsonObject(tool) || typeof tool.name !== 'string') return []
    if (tool.type !== 'namespace') return this.#nameOf(tool)
    const namespace = tool.name
    const inner = Array.isArray(tool.tools) ? tool.tools : []
    return inner.filter(isJsonObject).flatMap((one) => this.#nameOf(one, namespace))
  }

  /** Returns the name of a tool that is offered; none for a tool that was dropped. */
  #nameOf(tool: JsonObject, namespace?: string): string[] {
    const kind = definedType(tool)
    if (kind === undefined || typeof tool.name !== 'string') return []
    return [this.#table.nameOf({ kind, name: tool.name, ...(namespace !== undefined && { namespace }) })]
  }

  /** Keeps the text of an item of another type, and reports the rest. */
  #readOther(item: JsonObject, type: string, path: string): void {
    const text = textWithin(item)
    const kept = text === '' ? 'it was left out' : 'only its text was kept'
    this.#notices.add(
      'item-unsupported',
      type,
      `${path}: no use is known for an item of type ${JSON.stringify(type)}; ${kept}.`,
    )
    if (text === '') return
    if (type.endsWith('_output')) this.turns.push({ role: 'user', parts: [{ type: 'text', text }] })
    else this.#assistant().parts.push({ type: 'text', text })
  }
}

/** Returns the text of an item of another type: its `text`, `output` or `result`, or the texts of its `content`. */
function textWithin({ text, output, result, content }: JsonObject): string {
  for (const value of [text, output, result, content]) {
    if (typeof value === 'string') return value
    if (!Array.isArray(value)) continue
    const texts = value.map((part) => (isJsonObject(part) && typeof part.text === 'string' ? part.text : ''))
    return texts.filter((part) => part !== '').join(blankLine)
  }
  return ''
}
