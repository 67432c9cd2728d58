import { constant, either, misfits, orNull, type Shape } from './shape.ts'

// Written from the types of the package openai 6.49.0 (`resources/responses/responses.d.ts`). Members that Open Responses
// (openresponses/openresponses, schema/components/schemas/ResponseResource.json) requires and OpenAI leaves optional are required.

const status = constant('in_progress', 'completed', 'incomplete')

const outputText: Shape = { type: constant('output_text'), text: 'string', annotations: ['any'], logprobs: ['any'] }
const refusal: Shape = { type: constant('refusal'), refusal: 'string' }
const reasoningText: Shape = { type: constant('reasoning_text'), text: 'string' }
const summaryText: Shape = { type: constant('summary_text'), text: 'string' }

const call: { [member: string]: Shape } = { id: 'string', call_id: 'string' }

const item: Shape = either(
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
    'encrypted_content?': orNull('string'),
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
      env: 'object',
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

const usage: Shape = {
  input_tokens: 'integer',
  input_tokens_details: { cached_tokens: 'integer', cache_write_tokens: 'integer' },
  output_tokens: 'integer',
  output_tokens_details: { reasoning_tokens: 'integer' },
  total_tokens: 'integer',
}

const response: Shape = {
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
  temperature: 'number',
  text: { format: 'object', 'verbosity?': orNull('string') },
  tool_choice: either('string', 'object'),
  tools: ['object'],
  top_logprobs: 'integer',
  top_p: 'number',
  truncation: 'string',
  usage: orNull(usage),
  user: orNull('string'),
}

const inItem: { [member: string]: Shape } = { item_id: 'string', output_index: 'integer' }
const inContent: { [member: string]: Shape } = { ...inItem, content_index: 'integer' }
const inSummary: { [member: string]: Shape } = { ...inItem, summary_index: 'integer' }
const part = either(outputText, refusal, reasoningText)

/** The events of a stream by their types, without the members that each has. */
const events: Readonly<Record<string, { [member: string]: Shape }>> = {
  'response.created': { response },
  'response.in_progress': { response },
  'response.completed': { response },
  'response.incomplete': { response },
  'response.failed': { response },
  'response.output_item.added': { output_index: 'integer', item },
  'response.output_item.done': { output_index: 'integer', item },
  'response.content_part.added': { ...inContent, part },
  'response.content_part.done': { ...inContent, part },
  'response.output_text.delta': { ...inContent, delta: 'string', logprobs: ['any'] },
  'response.output_text.done': { ...inContent, text: 'string', logprobs: ['any'] },
  'response.refusal.delta': { ...inContent, delta: 'string' },
  'response.refusal.done': { ...inContent, refusal: 'string' },
  'response.reasoning_text.delta': { ...inContent, delta: 'string' },
  'response.reasoning_text.done': { ...inContent, text: 'string' },
  'response.reasoning_summary_part.added': { ...inSummary, part: summaryText },
  'response.reasoning_summary_part.done': { ...inSummary, part: summaryText },
  'response.reasoning_summary_text.delta': { ...inSummary, delta: 'string' },
  'response.reasoning_summary_text.done': { ...inSummary, text: 'string' },
  'response.function_call_arguments.delta': { ...inItem, delta: 'string' },
  'response.function_call_arguments.done': { ...inItem, arguments: 'string', name: 'string' },
  'response.custom_tool_call_input.delta': { ...inItem, delta: 'string' },
  'response.custom_tool_call_input.done': { ...inItem, input: 'string' },
  error: { code: orNull('string'), message: 'string', param: orNull('string') },
}

/** Returns the faults of a whole response; empty if it is valid. */
export function responseMisfits(value: unknown): string[] {
  return misfits(value, response)
}

/** Returns the faults of an event of a stream; empty if it is valid. */
export function eventMisfits(value: unknown): string[] {
  const type = Object(value).type
  const shape = typeof type === 'string' ? events[type] : undefined
  if (!shape) return [`$.type: ${JSON.stringify(type)} is not in the schema`]
  return misfits(value, { type: 'string', sequence_number: 'integer', ...shape })
}
