import {
  AnycallError,
  type Conversation,
  isJsonObject,
  type JsonObject,
  type Notice,
} from '../../conversation/index.ts'
import { anthropicMessages } from '../../protocols/anthropic/index.ts'
import { openaiChat } from '../../protocols/openai-chat/index.ts'
import type { TemplateDialect } from '../../templates/index.ts'
import { FlagError } from '../io/flags.ts'
import type { Io } from '../io/io.ts'
import { readJsonFile } from '../io/json-file.ts'
import { type Screen, shown } from '../io/terminal.ts'

/**
 * Prints the prompt of a request; changes to the request are reported on stderr. Throws a FlagError for a file that is not a
 * request, and an AnycallError if the template refuses it.
 */
export function renderRequest(
  file: string,
  dialect: TemplateDialect,
  { json, screen }: { json: boolean; screen: Screen },
  io: Pick<Io, 'stdout' | 'stderr'>,
): number {
  const { conversation, notices, variables } = readRequest(file)
  const continueReply = continuedBy(conversation)
  const prompt = dialect.safeRenderPrompt(conversation, { variables, ...(continueReply && { continueReply }) })
  if (prompt.type === 'error') {
    const place = prompt.line === undefined ? '' : ` (line ${prompt.line} of the template)`
    throw new AnycallError('invalid-request', `${file}: the template does not render it: ${prompt.problem}${place}`)
  }
  const { text, begun, adaptations } = prompt
  if (json) {
    const facts = { prompt: text, begun, adaptations, notices: notices.map(({ code, message }) => ({ code, message })) }
    io.stdout(`${JSON.stringify(facts, undefined, 2)}\n`)
    return 0
  }
  io.stdout(shown(text, screen))
  const lines = [
    ...notices.map(({ code, message }) => `notice ${code}: ${message}`),
    ...adaptations.map((adaptation) => `adapted: ${adaptation}`),
    ...(begun === '' ? [] : [`begun: the prompt begins the reply with ${JSON.stringify(begun)}`]),
  ]
  // The model continues directly after the prompt, which rarely ends with a line break.
  const gap = screen.guarded && !text.endsWith('\n') ? '\n' : ''
  io.stderr(gap + lines.map((line) => `${shown(line, screen)}\n`).join(''))
  return 0
}

interface ReadRequest {
  conversation: Conversation
  notices: readonly Notice[]
  /** `chat_template_kwargs`, as vLLM and llama-server accept them. */
  variables: JsonObject
}

function readRequest(file: string): ReadRequest {
  const body = readJsonFile(file, 'a request')
  if (!isJsonObject(body)) throw new FlagError(`${file}: this is not a request; a request is an object with messages`)
  const { chat_template_kwargs: variables = {}, ...request } = body
  const protocol = isAnthropic(request) ? anthropicMessages : openaiChat
  try {
    // The model's name has no effect here.
    const { conversation, notices } = protocol.decode({ model: 'template', ...request })
    return { conversation, notices, variables: isJsonObject(variables) ? variables : {} }
  } catch (error) {
    throw AnycallError.isInstance(error) ? new FlagError(`${file}: ${error.message}`) : error
  }
}

const anthropicBlocks: ReadonlySet<unknown> = new Set(['tool_use', 'tool_result', 'thinking'])

/** True for a request of Anthropic's Messages API, which has features that OpenAI's lacks. */
function isAnthropic({ system, tools, thinking, messages }: JsonObject): boolean {
  if (system !== undefined || isJsonObject(thinking)) return true
  const list = Array.isArray(tools) ? tools : []
  if (list.some((tool) => isJsonObject(tool) && tool.input_schema !== undefined)) return true
  const blocks = (Array.isArray(messages) ? messages : []).flatMap((message) =>
    isJsonObject(message) && Array.isArray(message.content) ? message.content : [],
  )
  return blocks.some((block) => isJsonObject(block) && anthropicBlocks.has(block.type))
}

/** True if the last message is the assistant's: the model is to continue it. */
function continuedBy({ turns }: Conversation): 'text' | 'reasoning' | undefined {
  const last = turns.at(-1)
  if (last?.role !== 'assistant' || last.parts.some(({ type }) => type === 'call')) return undefined
  return last.parts.at(-1)?.type === 'reasoning' ? 'reasoning' : 'text'
}
