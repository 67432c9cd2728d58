/**
 * An engine's report that a request did not fit the model's context. `prompt`: the prompt alone is too long;
 * `prompt-and-output`: the prompt fits, but not together with the output that the request allows.
 */
export type ContextOverflow =
  | { type: 'prompt'; tokens?: number; maximum?: number }
  | { type: 'prompt-and-output'; prompt: number; output: number; maximum: number }

/** With `prompt`, `output` and `maximum` as groups, if the engine reports them. The first that matches counts. */
const withNumbers: readonly RegExp[] = [
  // vLLM, up to 0.14
  /is too large: (?<output>\d+)\. This model's maximum context length is (?<maximum>\d+) tokens and your request has (?<prompt>\d+) input/i,
  // OpenAI, DeepSeek, vLLM
  /maximum context length is (?<maximum>\d+) tokens\W{1,20}however,? you requested \d+ tokens \((?<prompt>\d+) in [^)\d]{0,100}(?<output>\d+) (?:in|for) the completion/i,
  // vLLM, from 0.15
  /maximum context length is (?<maximum>\d+) tokens\W{1,20}however,? you requested (?<output>\d+) output tokens and your prompt contains (?:at least )?(?<prompt>\d+)/i,
  // vLLM, since it checks before it tokenises; its count stops one above what the output leaves room for.
  /You passed (?:at least )?(?<prompt>\d+) input tokens and requested (?<output>\d+) output tokens\. However, the model's context length is only (?<maximum>\d+)/i,
  // OpenAI, vLLM
  /maximum context length is (?<maximum>\d+) tokens\W{1,20}however,? (?:your messages resulted in|your request has|your prompt contains|you requested) (?:at least )?(?<prompt>\d+)/i,
  // SGLang
  /maximum context length of (?<maximum>\d+) tokens\. You requested a total of \d+ tokens: (?<prompt>\d+) tokens from the input messages and (?<output>\d+)/i,
  // SGLang, vLLM's engine
  /(?:input|prompt) \((?:(?:total )?length )?(?<prompt>\d+)(?: tokens)?\) is (?:longer than|too long)\D{1,200}(?<maximum>\d+)/i,
  // llama-server, and Ollama in front of it
  /request \((?<prompt>\d+) tokens\) exceeds the available context size \((?<maximum>\d+) tokens/i,
  /"n_prompt_tokens\\*"\s*:\s*(?<prompt>\d+)\s*,\s*\\*"n_ctx\\*"\s*:\s*(?<maximum>\d+)/,
  // LM Studio
  /keep the first (?<prompt>\d+) tokens\D{1,200}context length of only (?<maximum>\d+)/i,
  /n_keep: (?<prompt>\d+)\s*>=?\s*n_ctx: (?<maximum>\d+)/i,
  // Text Generation Inference
  /`max_new_tokens` must be <= (?<maximum>\d+)\. Given: (?<prompt>\d+) `inputs` tokens and (?<output>\d+)/i,
  /`inputs` must have less than (?<maximum>\d+) (?:input )?tokens\. Given: (?<prompt>\d+)/i,
  // llama-cpp-python
  /requested tokens \((?<prompt>\d+)\) exceed context window of (?<maximum>\d+)/i,
  // Cohere
  /total number of tokens \D{0,40}cannot exceed (?<maximum>\d+) - received (?<prompt>\d+)/i,
  // Google's Gemini
  /input token count \((?<prompt>\d+)\) exceeds the maximum number of tokens allowed \((?<maximum>\d+)\)/i,
  // xAI
  /maximum prompt length is (?<maximum>\d+) but the request contains (?<prompt>\d+) tokens/i,
  // Anthropic, and gateways with the same messages
  /exceed context limit: (?<prompt>\d+) \+ (?<output>\d+) > (?<maximum>\d+)/i,
  /prompt is too long: (?<prompt>\d+) tokens > (?<maximum>\d+)/i,
]

const withoutNumbers: readonly RegExp[] = [
  /context_length_exceeded|exceed_context_size|prompt is too long/i,
  /maximum context length|model's context length|greater than the context length/i,
  // llama-server, Ollama, OpenAI
  /exceeds? (?:the )?(?:available )?context (?:size|length|window)|exceeds the context window/i,
  // LM Studio's MLX engine
  /context (?:size|length|window) (?:has been )?exceeded/i,
  // Groq
  /reduce the length of the (?:messages|prompt|input)/i,
]

/** Engines report it at the beginning; the length that is searched is bounded, because the text comes from outside. */
const mostSearched = 16_000

/** Reads an engine's error: its message and body; undefined if it is about something else. */
export function readContextOverflow(said: string, body: string = ''): ContextOverflow | undefined {
  const text = `${said.slice(0, mostSearched / 2)}\n${body.slice(0, mostSearched / 2)}`
  for (const pattern of withNumbers) {
    const groups = pattern.exec(text)?.groups
    if (!groups) continue
    const prompt = Number(groups.prompt)
    const maximum = Number(groups.maximum)
    const output = groups.output === undefined ? undefined : Number(groups.output)
    return output !== undefined && prompt < maximum
      ? { type: 'prompt-and-output', prompt, output, maximum }
      : { type: 'prompt', tokens: prompt, maximum }
  }
  return withoutNumbers.some((pattern) => pattern.test(text)) ? { type: 'prompt' } : undefined
}

/** The overflow in the words that Claude Code looks for: it compacts on the first, lowers `max_tokens` on the second. */
export function describeContextOverflow(overflow: ContextOverflow): string {
  if (overflow.type === 'prompt-and-output') {
    const { prompt, output, maximum } = overflow
    return `input length and \`max_tokens\` exceed context limit: ${prompt} + ${output} > ${maximum}, decrease input length or \`max_tokens\` and try again`
  }
  return overflow.tokens === undefined || overflow.maximum === undefined
    ? "prompt is too long for the model's context"
    : `prompt is too long: ${overflow.tokens} tokens > ${overflow.maximum} maximum`
}
