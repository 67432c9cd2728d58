/** Messages about a request for more output than the model may write. The first match counts. */
const limits: readonly RegExp[] = [
  // Anthropic: `max_tokens: 64000 > 8192, which is the maximum allowed number of output tokens for …`
  /max_tokens\D{0,20}\d+ > (?<most>\d+)/i,
  // OpenAI
  /supports at most (?<most>\d+) completion tokens/i,
  // DeepSeek: `the valid range of max_tokens is [1, 8192]`; Alibaba: `Range of max_tokens should be [1, 8192]`; Zhipu
  /max_?tokens[^[\]]{0,40}\[\d+, ?(?<most>\d+)\]/i,
  // Groq: `` `max_tokens` must be less than or equal to `8192` ``; Cohere; servers in Python; OCI: `maxTokens must be …`
  /max[_ ]?(?:completion[_ ]?)?tokens.{0,80} less than or equal to \D?(?<most>\d+)/i,
  // OCI's models
  /max[_ ]?(?:completion[_ ]?)?tokens.{0,80} (?:at most|not exceed|maximum(?: value)?(?: of| is)?|<=?) ?(?<most>\d+)/i,
  // SiliconFlow: `max_tokens (current value: 4096) must be between 0 and 4000`
  /max_tokens.{0,40} between \d+ and (?<most>\d+)/i,
  // Ollama's cloud: `max_tokens (384000) exceeds model's maximum output tokens (65536)`
  /max_tokens.{0,40} maximum output tokens \((?<most>\d+)\)/i,
  // DeepInfra: `max_tokens=131072 cannot be greater than max_model_len=max_total_tokens=28672`
  /max_tokens=\d+ cannot be greater than \D{0,40}(?<most>\d+)/i,
  // Gemini: `a maxOutputTokens value of 32000 but the supported range is from 1 (inclusive) to 8193 (exclusive)`
  /maxOutputTokens .{0,80} to (?<excess>\d+) ?\(exclusive\)/i,
]

/**
 * Returns the most tokens of output that a server allows, read from its refusal of more; undefined if the refusal does
 * not name it.
 */
export function readOutputLimit(text: string): number | undefined {
  for (const pattern of limits) {
    const groups = pattern.exec(text)?.groups
    if (groups) return groups.most === undefined ? Number(groups.excess) - 1 : Number(groups.most)
  }
  return undefined
}
