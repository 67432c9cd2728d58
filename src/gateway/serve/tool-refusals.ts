import { UpstreamError } from '../../upstreams/index.ts'

/** Statuses with which servers refuse what they do not take: Ollama, vLLM 400; OpenRouter 404; FastAPI's 422; llama-server 500, 501. */
const statuses: ReadonlySet<number> = new Set([400, 404, 422, 500, 501])

/**
 * How servers say that they take no tools, or not for this model. What they say of a part of a request with tools (its `tool_choice`, a
 * schema, the order of roles, the arguments of an earlier call) is said of this request, not of the model.
 */
const refusals: readonly RegExp[] = [
  // Ollama: `registry.ollama.ai/library/x does not support tools`; Bedrock: `This model doesn't support tool use.`;
  // DeepSeek: `deepseek-reasoner does not support Function Calling`
  /(?:\bnot|n't|\bcannot) support (?:tools|tool use|tool calling|function calling)\b/i,
  // OpenRouter: `No endpoints found that support tool use.`
  /no endpoints found that support tool use\b/i,
  // OpenAI: `Unsupported parameter: 'tools' is not supported with this model.`; Groq: `` `tool calling` is not supported with this model ``;
  // Mistral, Gemini: `Function calling is not enabled for this model`; NIM: `Tool use has not been enabled`
  /(?<!\b(?:parallel|strict|forced) )\b(?:tools|tool use|tool calling|function calling)['"`]? (?:is|are|has|have) not (?:been |currently )?(?:supported|enabled|implemented|available)\b/i,
  // llama-server before it had templates: `Unsupported param: tools`; OpenAI: `Unrecognized request argument supplied: tools`
  /\b(?:unsupported|unrecogni[sz]ed|unknown|unexpected) [\w ]{0,40}:? ?['"`]?tools(?![\w.[])/i,
  // FastAPI: `body.tools: Extra inputs are not permitted`, and `extra fields` before
  /\btools: extra (?:inputs|fields)\b/i,
  // vLLM: `"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set`
  /\brequires? .*--(?:enable-auto-tool-choice|tool-call-parser)\b/i,
  // llama-server: `tools param requires --jinja flag`
  /\btools param requires --jinja\b/i,
]

/** True for the error of an upstream that takes no tools, or not for this model. */
export function refusesTools(error: unknown): error is UpstreamError {
  return isRefusal(error) && refusals.some((says) => says.test(error.message))
}

/**
 * True for an error that names `tool_choice`: LM Studio takes no object there, DashScope and Moonshot nothing that forces a call while the
 * model thinks, and of OpenRouter's endpoints some none at all.
 */
export function refusesChoice(error: unknown): error is UpstreamError {
  return isRefusal(error) && /\btool[_ ]choice\b/i.test(error.message)
}

/** True for an error by which a server refuses a request, or something in it. */
export function isRefusal(error: unknown): error is UpstreamError {
  return error instanceof UpstreamError && error.status !== undefined && statuses.has(error.status)
}
