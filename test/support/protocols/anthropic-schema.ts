import type Anthropic from '@anthropic-ai/sdk'
import { constant, either, misfits, orNull, published, shape } from './shape.ts'

// The shapes of what the gateway writes, which the compiler compares with the types of the package @anthropic-ai/sdk.

const text = shape({ type: constant('text'), text: 'string', citations: 'empty-list' })
const thinking = shape({ type: constant('thinking'), thinking: 'string', signature: 'string' })
const toolUse = shape({
  type: constant('tool_use'),
  id: 'string',
  name: 'string',
  input: 'object',
  caller: { type: constant('direct') },
})
const block = either(text, thinking, toolUse)

const usage = shape({
  input_tokens: 'integer',
  cache_creation_input_tokens: 'integer',
  cache_read_input_tokens: 'integer',
  output_tokens: 'integer',
  output_tokens_details: orNull({ thinking_tokens: 'integer' }),
  server_tool_use: 'null',
  cache_creation: 'null',
  inference_geo: 'null',
  service_tier: 'null',
  speed: 'null',
})

const stop = shape({
  stop_reason: orNull(constant('end_turn', 'tool_use', 'max_tokens', 'stop_sequence', 'refusal')),
  stop_sequence: orNull('string'),
  stop_details: 'null',
  container: 'null',
})

const message = published(
  shape({
    id: 'string',
    type: constant('message'),
    role: constant('assistant'),
    model: 'string',
    content: [block],
    diagnostics: 'null',
    usage,
    ...stop,
  }),
  (value): Anthropic.Message => value,
)

const failure = published(
  shape({
    type: constant('error'),
    error: {
      type: constant(
        'invalid_request_error',
        'authentication_error',
        'permission_error',
        'not_found_error',
        'rate_limit_error',
        'overloaded_error',
        'timeout_error',
        'api_error',
      ),
      message: 'string',
    },
    request_id: 'string',
  }),
  (value): Anthropic.ErrorResponse => value,
)

const delta = either(
  { type: constant('text_delta'), text: 'string' },
  { type: constant('thinking_delta'), thinking: 'string' },
  { type: constant('signature_delta'), signature: 'string' },
  { type: constant('input_json_delta'), partial_json: 'string' },
)

const event = published(
  either(
    { type: constant('message_start'), message },
    { type: constant('content_block_start'), index: 'integer', content_block: block },
    { type: constant('content_block_delta'), index: 'integer', delta },
    { type: constant('content_block_stop'), index: 'integer' },
    { type: constant('message_delta'), delta: stop, usage },
    { type: constant('message_stop') },
  ),
  (value): Anthropic.RawMessageStreamEvent => value,
)

/** Returns the faults of a whole message; empty if it is valid. */
export function messageMisfits(value: unknown): string[] {
  return misfits(value, message)
}

/** Returns the faults of an error's body. */
export function errorMisfits(value: unknown): string[] {
  // The types have no name for the error of a body that is too large, and no details.
  if (Object(Object(value).error).type === 'request_too_large' || 'details' in Object(Object(value).error)) return []
  return misfits(value, failure)
}

/** Returns the faults of an event of a stream, an error's included. */
export function messageEventMisfits(value: unknown): string[] {
  const { type } = Object(value)
  if (type === 'ping') return misfits(value, { type: constant('ping') })
  return type === 'error' ? errorMisfits(value) : misfits(value, event)
}
