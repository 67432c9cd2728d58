import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../conversation/index.ts'
import { hasPart } from '../openai-chat/parts.ts'
import { type ChatPart, refusedPart } from './refusals.ts'

const refusedOf = (body: JsonObject, said: string): ChatPart | undefined =>
  refusedPart('chat', 400, said, (part) => hasPart(body, part))

/** A body that has all that can be spared. */
const full: JsonObject = {
  model: 'm',
  messages: [{ role: 'assistant', content: 'Hello.', reasoning_content: 'hm', reasoning: 'hm' }],
  tools: [{ type: 'function', function: { name: 'set_temperature' } }],
  tool_choice: 'required',
  stream: true,
  stream_options: { include_usage: true },
  max_tokens: 100,
  max_completion_tokens: 100,
  reasoning_effort: 'high',
  parallel_tool_calls: false,
  temperature: 0,
  top_p: 0.5,
  top_k: 4,
  presence_penalty: 1,
  frequency_penalty: 2,
  seed: 3,
  verbosity: 'low',
  prompt_cache_key: 'k',
  service_tier: 'flex',
  safety_identifier: 'u',
}

describe('what a refusal is about', () => {
  test.each<[string, string, ChatPart]>([
    ['Groq', "property 'prompt_cache_key' is unsupported", 'prompt_cache_key'],
    ['NVIDIA', 'Validation: Unsupported parameter(s): `prompt_cache_key`', 'prompt_cache_key'],
    ['Cerebras', "body.safety_identifier: property 'body.safety_identifier' is unsupported", 'safety_identifier'],
    ['OpenAI', 'Invalid service_tier argument', 'service_tier'],
    [
      'OpenAI',
      "Unsupported value: 'verbosity' does not support 'low' with this model. Supported values are: 'medium'.",
      'verbosity',
    ],
    ['Groq', "'messages.1' : property 'reasoning_content' is unsupported", 'reasoning_content'],
    [
      'Cerebras',
      "messages.1.assistant.reasoning_content: property 'messages.1.assistant.reasoning_content' is unsupported",
      'reasoning_content',
    ],
    ['Mistral', 'body.messages.1.assistant.reasoning: Extra inputs are not permitted', 'reasoning'],
    ['Ollama', '"qwen2.5:7b" does not support thinking', 'reasoning_effort'],
    ['Ollama', 'think value "low" is not supported for this model', 'reasoning_effort'],
    ['OpenAI', 'Unrecognized request argument supplied: reasoning_effort', 'reasoning_effort'],
    ['xAI', 'Model grok-4 does not support parameter reasoningEffort.', 'reasoning_effort'],
    ['Groq', '`reasoning_effort` must be one of `none` or `default`', 'reasoning_effort'],
    ['OpenAI', "Unsupported parameter: 'parallel_tool_calls' is not supported with this model.", 'parallel_tool_calls'],
    ['OpenAI', 'Unrecognized request argument supplied: top_k', 'top_k'],
    ['Mistral', 'body.top_k: Extra inputs are not permitted', 'top_k'],
    ['Gemini', 'Invalid JSON payload received. Unknown name "top_k": Cannot find field.', 'top_k'],
    [
      'OpenAI',
      "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
      'temperature',
    ],
    ['Moonshot', 'invalid temperature: only 1 is allowed for this model', 'temperature'],
    [
      'Claude behind a proxy',
      '`temperature` and `top_p` cannot both be specified for this model. Please use only one.',
      'top_p',
    ],
    ['xAI', 'Argument not supported on this model: presencePenalty', 'presence_penalty'],
    ['xAI', 'Model grok-4 does not support parameter frequencyPenalty.', 'frequency_penalty'],
    ['Mistral', 'body.seed: Extra inputs are not permitted', 'seed'],
    [
      'OpenAI',
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      'max_tokens',
    ],
    ['Mistral', 'body.max_completion_tokens: Extra inputs are not permitted', 'max_completion_tokens'],
    ['an old server', 'Unknown field: stream_options', 'stream_options'],
  ])('%s: %s', (_, text, part) => {
    expect(refusedOf(full, text)).toBe(part)
    const { [part]: _gone, messages, ...without } = full
    expect(refusedOf({ ...without, messages: [{ role: 'user', content: 'hi' }] }, text)).not.toBe(part)
  })

  test('a user after a result', () => {
    const result = { role: 'tool', tool_call_id: 'a', content: '1' }
    const user = { role: 'user', content: 'So?' }
    const text = "Unexpected role 'user' after role 'tool'"
    expect(refusedOf({ messages: [user, result, user] }, text)).toBe('user-after-result')
    expect(refusedOf({ messages: [user, result] }, text)).toBeUndefined()
    expect(refusedOf({ messages: [user, result, user] }, "Unexpected role 'tool' after role 'user'")).toBeUndefined()
  })

  test.each(['minimal', 'xhigh', 'max'])('an effort that few know is refused before all are: %s', (effort) => {
    const text = `invalid reasoning value: '${effort}' (must be "high", "medium", "low", or "none")`
    expect(refusedOf({ ...full, reasoning_effort: effort }, text)).toBe('rare-effort')
    expect(refusedOf(full, text)).toBe('reasoning_effort')
  })

  test.each([
    'model "m" not found',
    'messages must alternate',
    '"m" does not support tools',
    'tools: Extra inputs are not permitted',
    'Unknown parameter: tool_choice',
    '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
    // The client's own faults.
    "Invalid 'temperature': decimal above maximum value. Expected a value <= 2, but got 5 instead.",
    'top_k must be at least 1',
    // Names of the client's tools.
    "Invalid schema for function 'set_temperature': 'text' is unknown",
  ])('nothing that can be spared: %s', (text) => {
    expect(refusedOf(full, text)).toBeUndefined()
  })
})
