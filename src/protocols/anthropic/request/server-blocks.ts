import { isJsonObject, type JsonValue, type TextPart } from '../../../conversation/index.ts'
import { readOptionalBoolean, readString } from '../../fields.ts'
import type { NoticeList } from '../../notices.ts'
import { readArguments } from './arguments.ts'
import { textWithin } from './block-text.ts'
import { type Block, paragraphs } from './blocks.ts'

/** The types of blocks with a call that Anthropic's servers ran. */
const uses: ReadonlySet<string> = new Set(['server_tool_use', 'mcp_tool_use'])

/** The types of blocks with the result of such a call, all of which name it in `tool_use_id`. */
const resultType = /^(?:[a-z_]+_tool_result|mcp_tool_result)$/

/**
 * The calls in a history that Anthropic's servers ran, or MCP servers for them: searches, fetched pages, code. They do
 * not run here, so they are neither calls nor results; their content is part of the conversation, as text.
 */
export class ServerBlocks {
  readonly #notices: NoticeList
  /** The names of the tools, by the ids of the calls. */
  readonly #names = new Map<string, string>()

  constructor(notices: NoticeList) {
    this.#notices = notices
  }

  /** Returns a block as text; undefined for a block of another kind. */
  read(block: Block): TextPart[] | undefined {
    if (uses.has(block.type)) return [{ type: 'text', text: this.#use(block) }]
    if (resultType.test(block.type)) return [{ type: 'text', text: this.#result(block) }]
    return undefined
  }

  #use({ fields, path }: Block): string {
    const name = readString(fields.name, `${path}.name`)
    this.#names.set(readString(fields.id, `${path}.id`), name)
    const input = readArguments(fields.input ?? {}, `${path}.input`, this.#notices)
    return `\n[The tool ${name} was called with ${input}]\n`
  }

  #result({ type, fields, path }: Block): string {
    const name =
      this.#names.get(readString(fields.tool_use_id, `${path}.tool_use_id`)) ?? type.replace(/_tool_result$/, '')
    const isFailed = (readOptionalBoolean(fields.is_error, `${path}.is_error`) ?? false) || isErrorOf(fields.content)
    const text = paragraphs([`[The tool ${name} ${isFailed ? 'failed' : 'returned'}:]`, textWithin(fields.content)])
    return `\n${text}\n[The end of what ${name} returned]\n`
  }
}

function isErrorOf(content: JsonValue | undefined): boolean {
  return isJsonObject(content) && typeof content.error_code === 'string'
}
