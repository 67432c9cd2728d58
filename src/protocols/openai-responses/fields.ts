import type { JsonObject } from '../../conversation/index.ts'
import { invalid, readOptionalBoolean } from '../fields.ts'
import { always, type IgnoredField } from '../openai/request-fields.ts'

/** Fields that are read, and fields whose effect a client cannot see in the reply. */
export const knownFields: ReadonlySet<string> = new Set([
  'model',
  'input',
  'instructions',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'max_output_tokens',
  'temperature',
  'top_p',
  'presence_penalty',
  'frequency_penalty',
  'reasoning',
  'text',
  'stream',
  'stream_options',
  'store',
  'previous_response_id',
  'truncation',
  // A limit for tools that run at OpenAI: none run here.
  'max_tool_calls',
  'metadata',
  'client_metadata',
  'user',
  'service_tier',
  'safety_identifier',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'context_management',
  'moderation',
  'background',
  'conversation',
])

/** Fields of the API that anycall does not support. They are reported, and the request is served. */
export const ignoredFields: ReadonlyMap<string, IgnoredField> = new Map([
  ['prompt', { asks: always, consequence: 'no prompts are kept here; send its text in instructions' }],
  // The other values belong to tools that run at OpenAI, which are reported separately.
  [
    'include',
    {
      asks: (value) => Array.isArray(value) && value.includes('message.output_text.logprobs'),
      consequence: 'the reply has no log probabilities',
    },
  ],
  ['top_logprobs', { asks: (value) => value !== 0, consequence: 'the reply has no log probabilities' }],
] satisfies [string, IgnoredField][])

/** Refuses a response in the background: a client would wait for one that is not made later. */
export function refuseFields({ background }: JsonObject): void {
  if (readOptionalBoolean(background, 'background')) {
    throw invalid('background', 'is not supported; leave it out and wait for the response, or stream it')
  }
}
