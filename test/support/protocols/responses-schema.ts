import type OpenAI from 'openai'
import { openResponsesEventMisfits, openResponsesMisfits } from './open-responses-schema.ts'
import { openaiMisfits } from './openai-schema.ts'
import { constant, either, misfits, orNull, published, type Shape, shape } from './shape.ts'

// The shapes of what the gateway writes. The compiler compares them with the types of the package openai (`published` in shape.ts);
// members that Open Responses requires and OpenAI leaves optional are required.

const status = constant('in_progress', 'completed', 'incomplete')

const outputText = shape({
  type: constant('output_text'),
  text: 'string',
  annotations: 'empty-list',
  logprobs: 'empty-list',
})
const refusal = shape({ type: constant('refusal'), refusal: 'string' })
const reasoningText = shape({ type: constant('reasoning_text'), text: 'string' })
const summaryText = shape({ type: constant('summary_text'), text: 'string' })

const call = shape({ id: 'string', call_id: 'string' })

const item = either(
  {
    id: 'string',
    type: constant('message'),
    role: constant('assistant'),
    status,
    content: [either(outputText, refusal)],
  },
  {
    id: 'string',
    type: constant('reasoning'),
    summary: [summaryText],
    'content?': [reasoningText],
    'encrypted_content?': 'string',
    'status?': status,
  },
  { id: 'string', type: constant('compaction'), encrypted_content: 'string' },
  { ...call, type: constant('function_call'), name: 'string', arguments: 'string', 'namespace?': 'string', status },
  {
    ...call,
    type: constant('custom_tool_call'),
    name: 'string',
    input: 'string',
    'namespace?': 'string',
    'status?': status,
  },
  {
    ...call,
    type: constant('shell_call'),
    action: { commands: ['string'], max_output_length: orNull('number'), timeout_ms: orNull('number') },
    environment: orNull({ type: constant('local') }),
    status,
  },
  {
    ...call,
    type: constant('local_shell_call'),
    action: {
      type: constant('exec'),
      command: ['string'],
      env: 'object-of-strings',
      'timeout_ms?': orNull('number'),
      'user?': orNull('string'),
      'working_directory?': orNull('string'),
    },
    status,
  },
  {
    ...call,
    type: constant('apply_patch_call'),
    operation: either(
      { type: constant('create_file', 'update_file'), path: 'string', diff: 'string' },
      { type: constant('delete_file'), path: 'string' },
    ),
    status: constant('in_progress', 'completed'),
  },
  {
    id: 'string',
    call_id: orNull('string'),
    type: constant('tool_search_call'),
    arguments: 'any',
    execution: constant('server', 'client'),
    status,
  },
)

const usage = shape({
  input_tokens: 'integer',
  input_tokens_details: { cached_tokens: 'integer', cache_write_tokens: 'integer' },
  output_tokens: 'integer',
  output_tokens_details: { reasoning_tokens: 'integer' },
  total_tokens: 'integer',
})

const response = shape({
  id: 'string',
  object: constant('response'),
  created_at: 'integer',
  completed_at: orNull('integer'),
  status: constant('completed', 'failed', 'in_progress', 'incomplete'),
  error: orNull({ code: 'string', message: 'string' }),
  incomplete_details: orNull({ reason: constant('max_output_tokens', 'content_filter') }),
  instructions: orNull('string'),
  max_output_tokens: orNull('integer'),
  max_tool_calls: orNull('integer'),
  metadata: 'object',
  model: 'string',
  output: [item],
  parallel_tool_calls: 'boolean',
  presence_penalty: 'number',
  frequency_penalty: 'number',
  previous_response_id: orNull('string'),
  prompt_cache_key: orNull('string'),
  reasoning: orNull('object'),
  safety_identifier: orNull('string'),
  service_tier: 'string',
  store: 'boolean',
  background: 'boolean',
  'conversation?': { id: 'string' },
  temperature: 'number',
  text: { format: 'object', 'verbosity?': orNull('string') },
  tool_choice: either('string', 'object'),
  tools: ['object'],
  top_logprobs: 'integer',
  top_p: 'number',
  truncation: 'string',
  usage: orNull(usage),
  'user?': 'string',
})

const inItem = shape({ item_id: 'string', output_index: 'integer' })
const inContent = shape({ ...inItem, content_index: 'integer' })
const inSummary = shape({ ...inItem, summary_index: 'integer' })
const part = either(outputText, refusal, reasoningText)

/** Adds the members that each event has. */
const event = <const Type extends string, const Members extends { readonly [member: string]: Shape }>(
  type: Type,
  members: Members,
) => ({ type: constant(type), sequence_number: 'integer', ...members }) as const

const failed = shape({ code: orNull('string'), message: 'string', param: orNull('string') })

const events = either(
  event('response.created', { response }),
  event('response.in_progress', { response }),
  event('response.completed', { response }),
  event('response.incomplete', { response }),
  event('response.failed', { response }),
  event('response.output_item.added', { output_index: 'integer', item }),
  event('response.output_item.done', { output_index: 'integer', item }),
  event('response.content_part.added', { ...inContent, part }),
  event('response.content_part.done', { ...inContent, part }),
  event('response.output_text.delta', { ...inContent, delta: 'string', logprobs: 'empty-list' }),
  event('response.output_text.done', { ...inContent, text: 'string', logprobs: 'empty-list' }),
  event('response.refusal.delta', { ...inContent, delta: 'string' }),
  event('response.refusal.done', { ...inContent, refusal: 'string' }),
  event('response.reasoning_text.delta', { ...inContent, delta: 'string' }),
  event('response.reasoning_text.done', { ...inContent, text: 'string' }),
  event('response.reasoning_summary_part.added', { ...inSummary, part: summaryText }),
  event('response.reasoning_summary_part.done', { ...inSummary, part: summaryText }),
  event('response.reasoning_summary_text.delta', { ...inSummary, delta: 'string' }),
  event('response.reasoning_summary_text.done', { ...inSummary, text: 'string' }),
  event('response.function_call_arguments.delta', { ...inItem, delta: 'string' }),
  event('response.function_call_arguments.done', { ...inItem, arguments: 'string', name: 'string' }),
  event('response.custom_tool_call_input.delta', { ...inItem, delta: 'string' }),
  event('response.custom_tool_call_input.done', { ...inItem, input: 'string' }),
  event('error', { ...failed, error: { ...failed, type: 'string' } }),
)

/**
 * The members of a response that are compared with the published type. A response repeats tools and settings of the request as
 * they came; `error` has codes that only Codex knows, and `usage` is null until the end, as in the API; `output_text` is a member of the
 * library alone.
 */
type Echoed = 'tools' | 'tool_choice' | 'text' | 'reasoning' | 'metadata' | 'truncation' | 'service_tier'
type WrittenResponse = Omit<OpenAI.Responses.Response, Echoed | 'error' | 'usage' | 'output_text'> & {
  usage: OpenAI.Responses.ResponseUsage | null
}
type WrittenEvent<Event> = Event extends { response: unknown }
  ? Omit<Event, 'response'> & { response: WrittenResponse }
  : Event

const publishedResponse = published(response, (value): WrittenResponse => value)
const publishedEvents = published(events, (value): WrittenEvent<OpenAI.Responses.ResponseStreamEvent> => value)

/** Returns the faults of a whole response, by the published types, Open Responses' schema and OpenAI's; empty if it is valid. */
export function responseMisfits(value: unknown): string[] {
  return [...misfits(value, publishedResponse), ...openResponsesMisfits(value), ...openaiMisfits('response', value)]
}

/** Returns the faults of an event of a stream; empty if it is valid. */
export function eventMisfits(value: unknown): string[] {
  const type: unknown = Object(value).type
  const known = publishedEvents.shapes.find((one) => one.type.constants[0] === type)
  if (!known) return [`$.type: ${JSON.stringify(type)} is not in the schema`]
  return [...misfits(value, known), ...openResponsesEventMisfits(value), ...openaiMisfits('event', value)]
}
