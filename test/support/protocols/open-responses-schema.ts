import { type Choice, constant, either, misfits, orNull, type Shape, shape } from './shape.ts'

// The schemas of Open Responses 2026-04-24 (openresponses/openresponses, public/openapi/openapi.json) for what a server
// answers: the members that each requires, and the types of all. Its objects may have other members.

const status = constant('in_progress', 'completed', 'incomplete')
const more = { '...': 'any' } as const

const logProb = shape({ token: 'string', logprob: 'number', bytes: ['integer'], top_logprobs: ['object'], ...more })
const annotation = shape({
  type: constant('url_citation'),
  url: 'string',
  start_index: 'integer',
  end_index: 'integer',
  title: 'string',
  ...more,
})
const contents = {
  InputTextContent: { type: constant('input_text'), text: 'string', ...more },
  OutputTextContent: {
    type: constant('output_text'),
    text: 'string',
    annotations: [annotation],
    'logprobs?': [logProb],
    ...more,
  },
  TextContent: { type: constant('text'), text: 'string', ...more },
  SummaryTextContent: { type: constant('summary_text'), text: 'string', ...more },
  ReasoningTextContent: { type: constant('reasoning_text'), text: 'string', ...more },
  RefusalContent: { type: constant('refusal'), refusal: 'string', ...more },
  InputImageContent: {
    type: constant('input_image'),
    image_url: orNull('string'),
    detail: constant('low', 'high', 'auto'),
    ...more,
  },
  InputFileContent: { type: constant('input_file'), 'filename?': 'string', 'file_url?': 'string', ...more },
  InputVideoContent: { type: constant('input_video'), video_url: 'string', ...more },
} as const satisfies Record<string, Shape>

const content: Choice = either(...Object.values(contents))

/** The types of items that Open Responses has; an item of another type is an extension of it. */
const items = {
  message: {
    type: constant('message'),
    id: 'string',
    status,
    role: constant('user', 'assistant', 'system', 'developer'),
    content: [content],
    'phase?': constant('commentary', 'final_answer'),
    ...more,
  },
  function_call: {
    type: constant('function_call'),
    id: 'string',
    call_id: 'string',
    name: 'string',
    arguments: 'string',
    status,
    ...more,
  },
  function_call_output: {
    type: constant('function_call_output'),
    id: 'string',
    call_id: 'string',
    output: either('string', [content]),
    status,
    ...more,
  },
  reasoning: {
    type: constant('reasoning'),
    id: 'string',
    summary: [content],
    'content?': [content],
    'encrypted_content?': 'string',
    ...more,
  },
  compaction: {
    type: constant('compaction'),
    id: 'string',
    encrypted_content: 'string',
    'created_by?': 'string',
    ...more,
  },
} as const satisfies Record<string, Shape>

const nullable = { string: orNull('string'), integer: orNull('integer') } as const

const tool = shape({
  type: constant('function'),
  name: 'string',
  description: nullable.string,
  parameters: orNull('object'),
  strict: orNull('boolean'),
  ...more,
})

const toolChoice = either(
  constant('none', 'auto', 'required'),
  { type: constant('function'), 'name?': 'string', ...more },
  { type: constant('allowed_tools'), tools: ['object'], mode: constant('none', 'auto', 'required'), ...more },
)

const format = either(
  { type: constant('text', 'json_object'), ...more },
  // The document gives the type of `schema` as null; the API repeats the schema of the request.
  { type: constant('json_schema'), name: 'string', description: nullable.string, strict: 'boolean', ...more },
)

const usage = shape({
  input_tokens: 'integer',
  output_tokens: 'integer',
  total_tokens: 'integer',
  input_tokens_details: { cached_tokens: 'integer', ...more },
  output_tokens_details: { reasoning_tokens: 'integer', ...more },
  ...more,
})

const response = shape({
  id: 'string',
  object: constant('response'),
  created_at: 'integer',
  completed_at: nullable.integer,
  status: 'string',
  incomplete_details: orNull({ reason: 'string', ...more }),
  model: 'string',
  previous_response_id: nullable.string,
  instructions: nullable.string,
  output: ['object'],
  error: orNull({ code: 'string', message: 'string', ...more }),
  tools: ['object'],
  tool_choice: 'any',
  truncation: constant('auto', 'disabled'),
  parallel_tool_calls: 'boolean',
  text: { format, 'verbosity?': constant('low', 'medium', 'high'), ...more },
  top_p: 'number',
  presence_penalty: 'number',
  frequency_penalty: 'number',
  top_logprobs: 'integer',
  temperature: 'number',
  reasoning: orNull({
    effort: orNull(constant('none', 'low', 'medium', 'high', 'xhigh')),
    summary: orNull(constant('concise', 'detailed', 'auto')),
    ...more,
  }),
  usage: orNull(usage),
  max_output_tokens: nullable.integer,
  max_tool_calls: nullable.integer,
  store: 'boolean',
  background: 'boolean',
  service_tier: 'string',
  metadata: 'any',
  safety_identifier: nullable.string,
  prompt_cache_key: nullable.string,
  ...more,
})

const compacted = shape({
  id: 'string',
  object: constant('response.compaction'),
  output: ['object'],
  created_at: 'integer',
  usage,
  ...more,
})

const inItem = { sequence_number: 'integer', item_id: 'string', output_index: 'integer', ...more } as const
const inContent = { ...inItem, content_index: 'integer' } as const
const inSummary = { ...inItem, summary_index: 'integer' } as const
const ofItem = { sequence_number: 'integer', output_index: 'integer', item: orNull('object'), ...more } as const
const ofResponse = { sequence_number: 'integer', response: 'object', ...more } as const

/** The events that Open Responses has, by their types; others are extensions of it. */
const events: ReadonlyMap<unknown, Shape> = new Map<unknown, Shape>([
  ['response.created', ofResponse],
  ['response.queued', ofResponse],
  ['response.in_progress', ofResponse],
  ['response.completed', ofResponse],
  ['response.failed', ofResponse],
  ['response.incomplete', ofResponse],
  ['response.output_item.added', ofItem],
  ['response.output_item.done', ofItem],
  ['response.reasoning_summary_part.added', { ...inSummary, part: content }],
  ['response.reasoning_summary_part.done', { ...inSummary, part: content }],
  ['response.content_part.added', { ...inContent, part: content }],
  ['response.content_part.done', { ...inContent, part: content }],
  ['response.output_text.delta', { ...inContent, delta: 'string', 'logprobs?': [logProb] }],
  ['response.output_text.done', { ...inContent, text: 'string', 'logprobs?': [logProb] }],
  ['response.refusal.delta', { ...inContent, delta: 'string' }],
  ['response.refusal.done', { ...inContent, refusal: 'string' }],
  ['response.reasoning_summary_text.delta', { ...inSummary, delta: 'string' }],
  ['response.reasoning_summary_text.done', { ...inSummary, text: 'string' }],
  ['response.function_call_arguments.delta', { ...inItem, delta: 'string' }],
  ['response.function_call_arguments.done', { ...inItem, arguments: 'string' }],
  [
    'error',
    {
      sequence_number: 'integer',
      error: { type: 'string', code: nullable.string, message: 'string', param: nullable.string, ...more },
      ...more,
    },
  ],
])

/** Returns the faults of a response by Open Responses. Items and tools of types that it does not have are extensions. */
export function openResponsesMisfits(value: unknown): string[] {
  const { tools, tool_choice: choice } = Object(value)
  const isFunction = (given: unknown): boolean => typeof given !== 'object' || Object(given).type === 'function'
  return [
    ...misfits(value, response),
    ...itemsMisfits(value),
    ...listOf(tools)
      .filter(isFunction)
      .flatMap((given) => misfits(given, tool, '$.tools[]')),
    ...(isFunction(choice) || Object(choice).type === 'allowed_tools'
      ? misfits(choice, toolChoice, '$.tool_choice')
      : []),
  ]
}

/** Returns the faults of the answer of `POST /v1/responses/compact`. */
export function openResponsesCompactionMisfits(value: unknown): string[] {
  return [...misfits(value, compacted), ...itemsMisfits(value)]
}

/** Returns the faults of an event of a stream. */
export function openResponsesEventMisfits(value: unknown): string[] {
  const { type, item, response } = Object(value)
  const known = events.get(type)
  return [
    ...(known === undefined ? [] : misfits(value, known)),
    ...(item === undefined ? [] : itemMisfits(item)),
    ...(response === undefined ? [] : openResponsesMisfits(response)),
  ]
}

function itemsMisfits(value: unknown): string[] {
  return listOf(Object(value).output).flatMap(itemMisfits)
}

function itemMisfits(item: unknown): string[] {
  const known = Object.entries(items).find(([type]) => type === Object(item).type)?.[1]
  return known === undefined ? [] : misfits(item, known, '$.output[]')
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
