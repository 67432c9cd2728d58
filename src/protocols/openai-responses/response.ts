import {
  type FinishEvent,
  freezeList,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ListMemo,
} from '../../conversation/index.ts'
import type { ReplyContext } from '../protocol.ts'
import type { OpenAIResponsesOptions } from './decode.ts'

export type ResponsesContext = ReplyContext<OpenAIResponsesOptions>

/** The members of a response that change while it is made. */
export interface ResponseState {
  status: 'in_progress' | 'completed' | 'incomplete' | 'failed'
  output: JsonObject[]
  completedAt?: number
  error?: { code: string; message: string }
  incompleteReason?: string
  usage?: JsonObject
}

/** The fields of a request that its response repeats; its tools are apart, as their text is made once for all requests of an agent. */
export interface Echo {
  members: JsonObject
  tools: JsonValue[]
}

const toolTexts = new ListMemo<string>()

/** Returns the members that stay the same from the beginning of a response to its end, as JSON without the closing brace. */
export function headOf({ id, created, model, options: { echo } }: ResponsesContext): string {
  const own = `"id":${JSON.stringify(id)},"object":"response","created_at":${created},"model":${JSON.stringify(model)}`
  const tools = toolTexts.of(echo.tools, () => JSON.stringify(echo.tools))
  return `{${own},${JSON.stringify(echo.members).slice(1, -1)},"tools":${tools}`
}

/** Returns the members that change, without the output and the usage, which come after them. */
export function changingMembers(state: ResponseState): JsonObject {
  return {
    status: state.status,
    completed_at: state.completedAt ?? null,
    error: state.error ?? null,
    incomplete_details: state.incompleteReason === undefined ? null : { reason: state.incompleteReason },
  }
}

/** Returns a response with all of its members. */
export function responseOf(
  { id, created, model, options: { echo } }: ResponsesContext,
  state: ResponseState,
): JsonObject {
  const { members, tools } = echo
  const { output, usage = null } = state
  return {
    id,
    object: 'response',
    created_at: created,
    model,
    ...members,
    tools,
    ...changingMembers(state),
    output,
    usage,
  }
}

/** True if reasoning is sealed for the response that is kept, and not for its client. */
export function hidesSealed({ options }: ResponsesContext): boolean {
  return options.sealing?.isIncluded === false
}

/** Returns an item as its client sees it, who did not ask for sealed reasoning. */
export function withoutSealed(item: JsonObject): JsonObject {
  if (item.type !== 'reasoning') return item
  const { encrypted_content: _, ...shown } = item
  return shown
}

/** Returns the state at the end of a reply. */
export function finishedState(
  finish: FinishEvent,
  output: JsonObject[],
  usage: JsonObject,
  now: number,
): ResponseState {
  const incompleteReason = incompleteReasons[finish.reason]
  if (incompleteReason !== undefined) return { status: 'incomplete', output, usage, incompleteReason }
  return { status: 'completed', output, usage, completedAt: now }
}

/** The reasons with which a response is incomplete. */
const incompleteReasons: Partial<Record<FinishEvent['reason'], string>> = {
  length: 'max_output_tokens',
  'content-filter': 'content_filter',
}

/** True if the end of a reply cut it. Then its last message or reasoning is incomplete. */
export function isCut({ reason }: FinishEvent): boolean {
  return incompleteReasons[reason] !== undefined
}

/** The seconds since 1970. */
export function secondsNow(): number {
  return Math.floor(Date.now() / 1000)
}

const noTools: JsonValue[] = []
const noReasoning: JsonObject = { effort: null, summary: null }

/** Returns the fields of a request that its response repeats, with the API's defaults for those that it left out. */
export function echoOf(body: JsonObject, store: boolean): Echo {
  const given = (field: string, or: JsonValue): JsonValue => body[field] ?? or
  const members: JsonObject = {
    background: false,
    frequency_penalty: given('frequency_penalty', 0),
    instructions: given('instructions', null),
    max_output_tokens: given('max_output_tokens', null),
    max_tool_calls: given('max_tool_calls', null),
    metadata: given('metadata', {}),
    parallel_tool_calls: given('parallel_tool_calls', true),
    presence_penalty: given('presence_penalty', 0),
    previous_response_id: given('previous_response_id', null),
    prompt_cache_key: given('prompt_cache_key', null),
    reasoning: isJsonObject(body.reasoning) ? { effort: null, summary: null, ...body.reasoning } : noReasoning,
    safety_identifier: given('safety_identifier', null),
    service_tier: 'default',
    store,
    temperature: given('temperature', 1),
    text: echoText(isJsonObject(body.text) ? body.text : {}),
    tool_choice: given('tool_choice', 'auto'),
    top_logprobs: 0,
    top_p: given('top_p', 1),
    truncation: given('truncation', 'disabled'),
  }
  // Assigned, as V8 takes a microsecond and more for each member of a literal after a spread.
  const conversation = conversationIdOf(body.conversation)
  if (conversation !== undefined) members.conversation = { id: conversation }
  if (typeof body.user === 'string') members.user = body.user
  return { members, tools: Array.isArray(body.tools) ? echoTools(body.tools) : noTools }
}

/** A format has all of its fields in a response. */
function echoText({ format: given, ...others }: JsonObject): JsonObject {
  const format = given ?? { type: 'text' }
  const isSchema = isJsonObject(format) && format.type === 'json_schema'
  return {
    format: isSchema ? { description: null, ...format, strict: format.strict ?? false } : format,
    ...others,
  }
}

function conversationIdOf(value: JsonValue | undefined): string | undefined {
  const id = isJsonObject(value) ? value.id : value
  return typeof id === 'string' ? id : undefined
}

const echoedTools = new ListMemo<JsonValue[]>()

/** Frozen, so that the text of an agent's tools is made once. */
function echoTools(tools: JsonValue[]): JsonValue[] {
  return echoedTools.of(tools, () => freezeList(tools.map(echoTool)))
}

/** A function has all of its fields in a response. */
function echoTool(tool: JsonValue): JsonValue {
  if (typeof tool !== 'object' || tool === null || Array.isArray(tool) || tool.type !== 'function') return tool
  return { description: null, parameters: null, strict: null, ...tool }
}
