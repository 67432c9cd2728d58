import { describe, expect, it } from 'vitest'
import { type ContextOverflow, describeContextOverflow, readContextOverflow } from './context-length.ts'

const prompt = (tokens: number, maximum: number): ContextOverflow => ({ type: 'prompt', tokens, maximum })
const both = (prompt: number, output: number, maximum: number): ContextOverflow => ({
  type: 'prompt-and-output',
  prompt,
  output,
  maximum,
})

const texts: [engine: string, text: string, overflow: ContextOverflow | undefined][] = [
  [
    'OpenAI',
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens. Please reduce the length of the messages.",
    prompt(9001, 8192),
  ],
  [
    'OpenAI, old',
    "This model's maximum context length is 4097 tokens, however you requested 5000 tokens (4500 in your prompt; 500 for the completion).",
    prompt(4500, 4097),
  ],
  [
    'vLLM and DeepSeek, prompt too long',
    "This model's maximum context length is 16384 tokens. However, you requested 122946 tokens (112946 in the messages, 10000 in the completion).",
    prompt(112946, 16384),
  ],
  [
    'vLLM and DeepSeek, output too long',
    "This model's maximum context length is 4096 tokens. However, you requested 5060 tokens (4036 in the messages, 1024 in the completion).",
    both(4036, 1024, 4096),
  ],
  [
    'vLLM 0.15',
    "This model's maximum context length is 128000 tokens. However, you requested 65535 output tokens and your prompt contains at least 62466 input tokens, for a total of at least 128001 tokens.",
    both(62466, 65535, 128000),
  ],
  [
    'vLLM, only the prompt',
    "This model's maximum context length is 4096 tokens. However, your request has 9000 input tokens. Please reduce the length of the input messages.",
    prompt(9000, 4096),
  ],
  [
    'vLLM, max_tokens',
    "'max_tokens' or 'max_completion_tokens' is too large: 32000. This model's maximum context length is 8192 tokens and your request has 20 input tokens (32000 > 8192 - 20).",
    both(20, 32000, 8192),
  ],
  [
    'vLLM, newer',
    "You passed 769 input tokens and requested 32000 output tokens. However, the model's context length is only 32768 tokens, resulting in a maximum input length of 768 tokens. Please reduce the length of the input prompt.",
    both(769, 32000, 32768),
  ],
  [
    'vLLM, newer, prompt too long',
    "You passed 32769 input tokens and requested 0 output tokens. However, the model's context length is only 32768 tokens, resulting in a maximum input length of 32768 tokens. Please reduce the length of the input prompt.",
    prompt(32769, 32768),
  ],
  [
    "vLLM's engine",
    'The decoder prompt (length 5951) is longer than the maximum model length of 4096.',
    prompt(5951, 4096),
  ],
  [
    "vLLM's older engine",
    'The prompt (total length 9000) is too long to fit into the model (context length 4096).',
    prompt(9000, 4096),
  ],
  ['SGLang', "The input (10009 tokens) is longer than the model's context length (128 tokens).", prompt(10009, 128)],
  [
    'SGLang, total',
    "Requested token count exceeds the model's maximum context length of 64000 tokens. You requested a total of 71897 tokens: 7897 tokens from the input messages and 64000 tokens for the completion.",
    both(7897, 64000, 64000),
  ],
  [
    'llama-server',
    'request (34965 tokens) exceeds the available context size (32768 tokens), try increasing it',
    prompt(34965, 32768),
  ],
  [
    'llama-server, older',
    '{"error":{"code":400,"message":"the request exceeds the available context size. try increasing the context size or enable context shift","type":"exceed_context_size_error","n_prompt_tokens":14429,"n_ctx":8192}}',
    prompt(14429, 8192),
  ],
  ['Ollama', 'the input length exceeds the context length', { type: 'prompt' }],
  [
    'LM Studio',
    'Trying to keep the first 111490 tokens when context the overflows. However, the model is loaded with context length of only 32768 tokens, which is not enough.',
    prompt(111490, 32768),
  ],
  [
    'LM Studio, newer',
    'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 4158>= n_ctx: 4096).',
    prompt(4158, 4096),
  ],
  ['LM Studio, MLX', 'Context size has been exceeded.', { type: 'prompt' }],
  [
    'TGI',
    'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048. Given: 1244 `inputs` tokens and 1000 `max_new_tokens`',
    both(1244, 1000, 2048),
  ],
  ['TGI, prompt', 'Input validation error: `inputs` must have less than 1024 tokens. Given: 1168.', prompt(1168, 1024)],
  ['llama-cpp-python', 'Requested tokens (516) exceed context window of 512', prompt(516, 512)],
  ['Anthropic', 'prompt is too long: 208310 tokens > 200000 maximum', prompt(208310, 200000)],
  [
    'Anthropic, output too long',
    'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again',
    both(188240, 21333, 200000),
  ],
  ['a code alone', '{"error":{"code":"context_length_exceeded","message":"too much"}}', { type: 'prompt' }],
  [
    'OpenAI, output cap',
    'max_tokens is too large: 32000. This model supports at most 16384 completion tokens.',
    undefined,
  ],
  ['another error', "'messages' must contain the word 'json' in some form", undefined],
]

describe('readContextOverflow', () => {
  it.each(texts)('%s', (_, text, overflow) => {
    expect(readContextOverflow(text)).toEqual(overflow)
  })
})

describe('describeContextOverflow', () => {
  it.each([
    [prompt(9001, 8192), /^prompt is too long: 9001 tokens > 8192 maximum$/],
    [{ type: 'prompt' } as const, /^prompt is too long/],
    [both(20, 32000, 8192), /^input length and `max_tokens` exceed context limit: 20 \+ 32000 > 8192/],
  ])('%j', (overflow, message) => {
    expect(describeContextOverflow(overflow)).toMatch(message)
  })
})
