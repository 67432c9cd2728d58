import type { AssistantPart, ResultPart, Tool, Turn, UserPart } from '../../../conversation/index.ts'
import { invalid, readArray, readObject, readOptionalBoolean, readString } from '../../fields.ts'
import type { NoticeList } from '../../notices.ts'
import { foreignReasoning } from '../../sealed-reasoning.ts'
import { isEnvelope } from '../../seals.ts'
import { readArguments } from './arguments.ts'
import { type Block, paragraphs, quote, readBlocks, readShown, readText, readUnknown } from './blocks.ts'
import { ServerBlocks } from './server-blocks.ts'
import type { ToolChanges } from './tool-changes.ts'

/** Reads `messages`, and checks that every result answers a call of an earlier assistant message. `changes` gets the tools that they change. */
export function readTurns(messages: unknown, changes: ToolChanges, notices: NoticeList): Turn[] {
  const reader = new TurnReader(changes, notices)
  return readArray(messages, 'messages').flatMap((message, index) => reader.read(message, `messages[${index}]`))
}

/** Reads a system prompt, or system text between turns: strings and text blocks, joined with blank lines. */
export function readSystemText(content: unknown, path: string, notices: NoticeList): string {
  return paragraphs(readBlocks(content, path).map((block) => systemText(block, notices)))
}

function systemText(block: Block, notices: NoticeList): string {
  const parts = block.type === 'text' ? readText(block) : readUnknown(block, notices)
  return paragraphs(parts.map((part) => part.text.replace(billingLine, '')))
}

/**
 * The first line of Claude Code's system blocks: its version and a hash that changes with each request. At the beginning of
 * the prompt it would defeat every prompt cache, and it is useless to a model.
 */
const billingLine = /^x-anthropic-billing-header:[^\n]*\n*/

class TurnReader {
  readonly #changes: ToolChanges
  readonly #notices: NoticeList
  readonly #server: ServerBlocks
  /** The tool names of all calls so far, by the calls' ids. */
  readonly #calls = new Map<string, string>()

  constructor(changes: ToolChanges, notices: NoticeList) {
    this.#changes = changes
    this.#notices = notices
    this.#server = new ServerBlocks(notices)
  }

  /** Returns the turn of a message; undefined for empty system text. */
  read(value: unknown, path: string): Turn[] {
    const message = readObject(value, path)
    const contentPath = `${path}.content`
    const role = readString(message.role, `${path}.role`)
    switch (role) {
      case 'user': {
        const blocks = readBlocks(message.content, contentPath)
        return [{ role, parts: blocks.flatMap((block) => this.#userParts(block)) }]
      }
      case 'assistant': {
        const blocks = readBlocks(message.content, contentPath)
        return [{ role, parts: blocks.flatMap((block) => this.#assistantParts(block)) }]
      }
      case 'system':
        return this.#systemTurn(readBlocks(message.content, contentPath))
      default:
        throw invalid(`${path}.role`, `expected user, assistant or system, got ${quote(role)}`)
    }
  }

  #systemTurn(blocks: readonly Block[]): Turn[] {
    const tools: Tool[] = []
    const texts = blocks.map((block) => {
      if (block.type !== 'tool_addition' && block.type !== 'tool_removal') return systemText(block, this.#notices)
      const change = this.#changes.change(block)
      tools.push(...(change?.tools ?? []))
      return change?.text
    })
    const text = paragraphs(texts)
    return text === '' ? [] : [{ role: 'system', text, ...(tools.length > 0 && { tools }) }]
  }

  #userParts(block: Block): UserPart[] {
    if (block.type === 'tool_result') return [this.#result(block)]
    return this.#server.read(block) ?? readShown(block, this.#notices)
  }

  #assistantParts(block: Block): AssistantPart[] {
    const { fields, path } = block
    switch (block.type) {
      case 'text':
        return readText(block)
      case 'thinking': {
        const text = readString(fields.thinking, `${path}.thinking`)
        if (isEnvelope(fields.signature)) return [{ type: 'reasoning', text, envelopes: [fields.signature] }]
        if (text !== '') return [{ type: 'reasoning', text }]
        if (fields.signature) this.#notices.add('reasoning-dropped', block.type, `${path}: ${foreignReasoning}`)
        return []
      }
      case 'redacted_thinking':
        this.#notices.add(
          'reasoning-dropped',
          block.type,
          `${path}: redacted_thinking is encrypted for Anthropic's own models; it was left out`,
        )
        return []
      case 'tool_use': {
        const id = readString(fields.id, `${path}.id`)
        const name = readString(fields.name, `${path}.name`)
        this.#calls.set(id, name)
        return [{ type: 'call', id, name, arguments: readArguments(fields.input, `${path}.input`, this.#notices) }]
      }
      default:
        return this.#server.read(block) ?? readUnknown(block, this.#notices)
    }
  }

  #result({ fields, path }: Block): ResultPart {
    const idPath = `${path}.tool_use_id`
    const callId = readString(fields.tool_use_id, idPath)
    const name = this.#calls.get(callId)
    if (name === undefined) {
      throw invalid(
        idPath,
        `no tool_use with the id ${quote(callId)} is in an earlier assistant message; send the message that made the call, or leave this result out`,
      )
    }
    const blocks = readBlocks(fields.content ?? [], `${path}.content`)
    const found = this.#changes.found(blocks.filter(({ type }) => type === 'tool_reference'))
    const shown = blocks.filter(({ type }) => type !== 'tool_reference')
    const content = shown.flatMap((block) => readShown(block, this.#notices))
    if (found.text !== '') content.push({ type: 'text', text: found.text })
    const isError = readOptionalBoolean(fields.is_error, `${path}.is_error`) ?? false
    return { type: 'result', callId, name, content, isError, ...(found.tools.length > 0 && { tools: found.tools }) }
  }
}
