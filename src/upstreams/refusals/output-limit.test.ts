import { expect, test } from 'vitest'
import { readOutputLimit } from './output-limit.ts'

test.each<[string, string, number | undefined]>([
  [
    'Anthropic',
    'max_tokens: 64000 > 8192, which is the maximum allowed number of output tokens for claude-3-5-haiku-20241022',
    8192,
  ],
  [
    'OpenAI',
    'max_tokens is too large: 32000. This model supports at most 16384 completion tokens, whereas you provided 32000.',
    16384,
  ],
  ['DeepSeek', 'Invalid max_tokens value, the valid range of max_tokens is [1, 8192]', 8192],
  ['Alibaba', '<400> InternalError.Algo.InvalidParameter: Range of max_tokens should be [1, 65536]', 65536],
  ['Zhipu', 'max_tokens参数非法：限制数值范围[1,131072]', 131072],
  [
    'Groq',
    '`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is less than the `context_window` for this model',
    8192,
  ],
  ['Groq, of a model', 'max_tokens for `llama-3.1-8b-instant` must be less than or equal to 8000', 8000],
  ['Groq, by the newer name', 'max_completion_tokens must be less than or equal to 40960, the maximum value', 40960],
  ['Cohere', 'too many tokens: max tokens must be less than or equal to 4096', 4096],
  ['pydantic', 'body.max_tokens: Input should be less than or equal to 4096', 4096],
  ['SiliconFlow', 'max_tokens (current value: 32000) must be between 0 and 4000 ', 4000],
  ['Ollama’s cloud', "max_tokens (384000) exceeds model's maximum output tokens (65536) for model x:0731", 65536],
  [
    'DeepInfra',
    'max_tokens=131072 cannot be greater than max_model_len=max_total_tokens=28672. Please request fewer output tokens.',
    28672,
  ],
  [
    'Gemini',
    'Unable to submit request because it has a maxOutputTokens value of 32000 but the supported range is from 1 (inclusive) to 8193 (exclusive). Update the value and try again.',
    8192,
  ],
  ['another number', 'temperature must be less than or equal to 2', undefined],
  ['a field that is not known', "Unsupported parameter: 'max_tokens' is not supported with this model.", undefined],
  [
    'a context that is too short (vLLM)',
    "'max_tokens' or 'max_completion_tokens' is too large: 32000. This model's maximum context length is 8192 tokens and your request has 20 input tokens (32000 > 8192 - 20).",
    undefined,
  ],
])('the most output that is allowed, said by %s', (_, text, most) => {
  expect(readOutputLimit(text)).toBe(most)
})
