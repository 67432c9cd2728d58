import type OpenAI from 'openai'
import { constant, either, misfits, orNull, published, shape } from './shape.ts'

// The shapes of what the gateway writes, which the compiler compares with the types of the package openai. Reasoning is an
// extension of the API.

const called = shape({ name: 'string', arguments: 'string' })
const call = either(
  { id: 'string', type: constant('function'), function: called },
  { id: 'string', type: constant('custom'), custom: { name: 'string', input: 'string' } },
)
const detail = shape({
  type: constant('reasoning.encrypted'),
  data: 'string',
  format: constant('anycall-v1'),
  index: 'integer',
})

const usage = shape({
  prompt_tokens: 'integer',
  completion_tokens: 'integer',
  total_tokens: 'integer',
  prompt_tokens_details: { cached_tokens: 'integer' },
  completion_tokens_details: { reasoning_tokens: 'integer' },
})

const finishReason = constant('stop', 'length', 'tool_calls', 'content_filter', 'function_call')
const head = shape({ id: 'string', created: 'integer', model: 'string' })

const completion = published(
  shape({
    ...head,
    object: constant('chat.completion'),
    choices: [
      {
        index: 'integer',
        message: {
          role: constant('assistant'),
          content: orNull('string'),
          refusal: orNull('string'),
          'reasoning_content?': 'string',
          'reasoning_details?': [detail],
          'tool_calls?': [call],
          'function_call?': called,
        },
        logprobs: 'null',
        finish_reason: finishReason,
      },
    ],
    usage,
  }),
  (value): OpenAI.ChatCompletion => value,
)

const delta = shape({
  'role?': constant('assistant'),
  'content?': 'string',
  'refusal?': 'string',
  'reasoning_content?': 'string',
  'reasoning_details?': [detail],
  'tool_calls?': [
    {
      index: 'integer',
      'id?': 'string',
      'type?': constant('function'),
      'function?': { 'name?': 'string', 'arguments?': 'string' },
    },
  ],
  'function_call?': { 'name?': 'string', 'arguments?': 'string' },
})

const chunk = published(
  shape({
    ...head,
    object: constant('chat.completion.chunk'),
    choices: [{ index: 'integer', delta, finish_reason: orNull(finishReason) }],
    'usage?': orNull(usage),
  }),
  (value): OpenAI.ChatCompletionChunk => value,
)

/** Returns the faults of a whole completion; empty if it is valid. */
export function completionMisfits(value: unknown): string[] {
  return misfits(value, completion)
}

/** Returns the faults of a chunk of a stream. */
export function chunkMisfits(value: unknown): string[] {
  return misfits(value, chunk)
}
