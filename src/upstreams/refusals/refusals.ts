/**
 * The parts of a request that may be refused, by the API in which it is written; `model`: features that a model lacks
 * in any API.
 */
export interface RefusableParts {
  chat: ChatPart
  responses: ResponsesPart
  messages: MessagesPart
  ollama: OllamaPart
  oci: OciPart
  model: RefusedPart
}

/** A feature that a model or its server does not support. `context-length`: the request is too long. */
export type RefusedPart = 'tools' | 'images' | 'tool-choice' | 'constraint' | 'context-length'

/**
 * Messages of OpenAI's API that some servers refuse unless they are repaired:
 * - `user-after-result`: a user's message right after the result of a call (Mistral).
 * - `missing-reasoning`: an assistant's message without its reasoning, if the model thinks (DeepSeek V4, Kimi K2.5). Clients of
 *   OpenAI's standard do not send it back.
 * - `thinking-on`: the same, if a stand-in for the reasoning is refused.
 * - `missing-signature`: a call without Gemini 3's signature of its thoughts, which no client carries.
 * - `unfit-ids`: ids of calls that are not nine letters and digits (Mistral), or too long: those of another server, or anycall's own.
 * - `unfit-names`: names of tools of more than 64 characters, or with others than letters, digits, `_` and `-`: MCP's.
 */
export type RepairablePart =
  | 'user-after-result'
  | 'missing-reasoning'
  | 'thinking-on'
  | 'missing-signature'
  | 'unfit-ids'
  | 'unfit-names'

/** Parts of a request of OpenAI's Chat Completions API that it can do without, or can have otherwise. Most are names of fields. */
export type ChatPart =
  | RepairablePart
  | 'stream_options'
  | 'reasoning_content'
  | 'reasoning'
  | 'max_tokens'
  | 'max_completion_tokens'
  | 'rare-effort'
  | 'no-effort'
  | 'effort-with-tools'
  | 'reasoning_effort'
  | 'chat_template_kwargs'
  | 'response_format'
  | 'strict'
  | 'parallel_tool_calls'
  | 'top_k'
  | 'top_p'
  | 'temperature'
  | 'presence_penalty'
  | 'frequency_penalty'
  | 'seed'
  | 'verbosity'
  | OpenAISetting

/** Settings that both of OpenAI's APIs have under one name. */
export const openaiSettings = ['prompt_cache_key', 'service_tier', 'safety_identifier'] as const
export type OpenAISetting = (typeof openaiSettings)[number]

/**
 * The same of OpenAI's Responses API. `format`: the schema of the reply; `reasoning`: all of its settings; `encrypted-reasoning`: the
 * request for reasoning that the server encrypts, and such reasoning in the history.
 */
export type ResponsesPart =
  | 'encrypted-reasoning'
  | 'summary'
  | 'effort'
  | 'reasoning'
  | 'format'
  | 'strict'
  | 'parallel_tool_calls'
  | 'top_p'
  | 'temperature'
  | 'verbosity'
  | OpenAISetting

/** The same of Anthropic's Messages API. */
export type MessagesPart =
  /** Calls of the assistant without its reasoning, if the model thinks; that it thinks, if the reasoning is refused as well. */
  | 'missing-reasoning'
  | 'thinking-on'
  /** `thinking` of any kind; with a budget; if the turn continues after results; switched off by name. */
  | 'thinking'
  | 'thinking-budget'
  | 'thinking-after-results'
  | 'thinking-disabled'
  /** The display of `adaptive` thinking. */
  | 'thinking-display'
  /** Any effort; a high one if the model does not think. */
  | 'effort'
  | 'effort-without-thinking'
  /** The schema of the reply; that a tool's arguments are held to its schema. */
  | 'format'
  | 'strict'
  | 'forced-choice'
  | 'disable_parallel_tool_use'
  | 'cache_control'
  | 'temperature'
  | 'top_p'
  | 'top_k'

/** The ways in which a request of Ollama's API enables thinking: with a level, or at all. */
export type OllamaPart = 'thinking-levels' | 'thinking'

/** Fields of a chat request of OCI Generative AI. */
export type OciPart = 'streamOptions' | 'thinking'

interface Refusal<Part> {
  part: Part
  /** The server's words. `name`: along with words that refuse a field; a value that is out of range is the client's fault. */
  says: RegExp | { name: RegExp }
}

/**
 * OpenAI: `Unsupported parameter`, `Unrecognized request argument`, `Only the default (1) value is supported`. Groq, Cerebras:
 * `property 'reasoning_content' is unsupported`. Mistral and others in Python: `body.top_k: Extra inputs are not permitted`. xAI:
 * `does not support parameter presencePenalty`. Gemini: `Unknown name "top_k"`. Moonshot: `only 1 is allowed for this model`.
 */
const refusing =
  /unsupported|not support|not permitted|not allowed|unknown|unrecogni[sz]ed|unexpected|cannot both|only \S+ is allowed/i

/** Ollama: `invalid reasoning value: 'max' (must be …)`, `think value "low" is not supported`, `"m" does not support thinking`. */
const effort = /reasoning_?effort|reasoning value|think value|not support thinking/i

/**
 * DeepSeek: ``The `reasoning_content` in the thinking mode must be passed back``, ``The `content[].thinking` in …``; Kimi:
 * `… reasoning_content is missing in assistant …`.
 */
const lostReasoning = /(?:\.thinking|reasoning_content)\b.*\b(?:must be passed back|is missing)\b/is

/**
 * Groq, Cerebras: `property 'prompt_cache_key' is unsupported`; NVIDIA: ``Unsupported parameter(s): `prompt_cache_key` ``; OpenAI:
 * `Unsupported value: 'verbosity' does not support 'low' with this model.`, `Invalid service_tier argument`
 */
const settings: readonly Refusal<OpenAISetting | 'verbosity'>[] = [
  { part: 'prompt_cache_key', says: { name: /prompt_?cache_?key/i } },
  { part: 'safety_identifier', says: { name: /safety_?identifier/i } },
  { part: 'service_tier', says: /service_?tier/i },
  { part: 'verbosity', says: { name: /\bverbosity\b/i } },
]

/** The messages with which servers refuse parts of a request. The first row counts whose part the request has. */
const refusals: { readonly [Api in keyof RefusableParts]: readonly Refusal<RefusableParts[Api]>[] } = {
  chat: [
    // Mistral, and vLLM for its models: `Unexpected role 'user' after role 'tool'`
    { part: 'user-after-result', says: /role \W?user\W? after role \W?tool\b/i },
    { part: 'missing-reasoning', says: lostReasoning },
    { part: 'thinking-on', says: lostReasoning },
    // Gemini 3: `Function call is missing a thought_signature in functionCall parts.`
    { part: 'missing-signature', says: /\bmissing a \W?thought_?signature\b/i },
    // Mistral: `Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9`; its templates: `Tool call IDs should be
    // alphanumeric strings with length 9!`; OpenAI: `messages[2].tool_calls[0].id': string too long`
    {
      part: 'unfit-ids',
      says: /\btool call ids? (?:was|should be)\b|\btool_calls?\b\S*id\b.*\b(?:too long|pattern)\b/is,
    },
    // OpenAI, DeepSeek: `'tools[0].function.name': string does not match pattern`; Mistral: `Function name was a.b but must be a-z, …`;
    // Gemini: `Invalid function name. Must start with a letter`; Moonshot: `function name is invalid, must start with a letter`
    {
      part: 'unfit-names',
      says: /\bfunction[\s.]name\b.*\b(?:pattern|too long|must|invalid)\b|\binvalid function name\b|does not match '\^\[a-zA-Z0-9_-\]/is,
    },
    { part: 'stream_options', says: /stream_?options/i },
    // OpenAI's gpt-5.6, whether or not an effort was sent: `… or set reasoning_effort to 'none'.`
    { part: 'effort-with-tools', says: /\bset reasoning_effort to \W?none\b/i },
    { part: 'rare-effort', says: effort },
    // Only the value `none`, not the field: most reasoning models refuse `none` and accept an effort.
    { part: 'no-effort', says: effort },
    { part: 'reasoning_effort', says: effort },
    // vLLM: `chat_template is not supported for Mistral tokenizers.`
    { part: 'chat_template_kwargs', says: { name: /chat_template/ } },
    { part: 'reasoning_content', says: { name: /reasoning_content/ } },
    // Only as a quoted name: the bare word may be about the model's own reasoning.
    { part: 'reasoning', says: { name: /['"`.]reasoning\b/ } },
    // DeepSeek: `This response_format type is unavailable now`; Groq: `'response_format.type' : value is not one of the allowed
    // values`, `This model does not support response format json_schema`; OpenAI: `Invalid schema for response_format 'person'`;
    // vLLM: `structured outputs`; SGLang, llama-server: `json_schema`
    { part: 'response_format', says: /response[_ ]?format|json_schema|json_object|structured outputs?|json mode/i },
    // Groq, Cerebras: `property 'strict' is unsupported`; OpenAI: `Invalid schema for function 'f': … 'additionalProperties' is required`
    { part: 'strict', says: /\bstrict\b|invalid schema for function/i },
    // The gateway holds a reply to one call as well.
    { part: 'parallel_tool_calls', says: /parallel_?tool_?calls/i },
    { part: 'max_tokens', says: { name: /max_tokens/ } },
    { part: 'max_completion_tokens', says: { name: /max_completion_tokens/ } },
    { part: 'top_k', says: { name: /top_?k\b/i } },
    // If a model takes one of `temperature` and `top_p` (Claude), the rarer one goes.
    { part: 'top_p', says: { name: /top_?p\b/i } },
    { part: 'temperature', says: { name: /\btemperature\b/i } },
    { part: 'presence_penalty', says: { name: /presence_?penalty/i } },
    { part: 'frequency_penalty', says: { name: /frequency_?penalty/i } },
    { part: 'seed', says: { name: /\bseed\b/i } },
    ...settings,
  ],
  responses: [
    // OpenAI: `Encrypted content is not supported with this model.`; `The encrypted content … could not be verified` of another key.
    { part: 'encrypted-reasoning', says: /encrypted[ _]content|\binclude\b|without its required following item/i },
    // OpenAI: `Your organization must be verified to generate reasoning summaries.`
    { part: 'summary', says: /reasoning[ ._]summar/i },
    // `Unsupported value: 'none' is not supported with the 'm' model`, of `reasoning.effort`
    { part: 'effort', says: /reasoning[ ._]effort/i },
    // `Unsupported parameter: 'reasoning.effort' is not supported with this model.`
    { part: 'reasoning', says: /\breasoning\b/i },
    { part: 'format', says: /text\.format|json_schema|json_object|structured outputs?/i },
    { part: 'strict', says: /\bstrict\b|invalid schema for function/i },
    { part: 'parallel_tool_calls', says: /parallel_?tool_?calls/i },
    { part: 'top_p', says: { name: /top_?p\b/i } },
    { part: 'temperature', says: { name: /\btemperature\b/i } },
    ...settings,
  ],
  messages: [
    { part: 'missing-reasoning', says: lostReasoning },
    { part: 'thinking-on', says: lostReasoning },
    // Claude Opus 4.7 and later: `"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" …`; the
    // migration guide of Opus 5.5 has the first sentence alone.
    { part: 'thinking-budget', says: /adaptive|thinking\.type\.enabled/i },
    // Anthropic: ``Expected `thinking` or `redacted_thinking`, but found `tool_use` ``
    { part: 'thinking-after-results', says: /expected `?thinking|start with a thinking block/i },
    { part: 'thinking-display', says: /\bdisplay\b/i },
    // Models before Claude Sonnet 4.5: `This model does not support the output format parameter`; servers with strict fields:
    // `output_config.format: Extra inputs are not permitted`; a schema that the API cannot hold a reply to:
    // `output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false`
    {
      part: 'format',
      says: /output_config\.format|output[ _]format|structured outputs?|json_schema|additionalProperties/i,
    },
    // `tools.0.custom.strict: Extra inputs are not permitted`, `Too many strict tools`, `The compiled grammar is too large`
    { part: 'strict', says: /\bstrict\b|compiled grammar|input_schema/i },
    // Claude Opus 5: `output_config.effort 'xhigh' is not supported when thinking is disabled on this model. Use effort 'high' or …`
    { part: 'effort-without-thinking', says: /effort\b.*\bthinking is disabled/is },
    // Claude Opus 5.5: `"thinking.type.disabled" is not supported for this model.`
    { part: 'thinking-disabled', says: /thinking/i },
    // Claude Haiku 4.5: `This model does not support the effort parameter.`
    { part: 'effort', says: /effort|output_config/i },
    { part: 'thinking', says: /thinking|budget_tokens/i },
    { part: 'disable_parallel_tool_use', says: /disable_parallel_tool_use/ },
    // Servers with strict fields: `messages.0.content.0.text.cache_control: Extra inputs are not permitted`
    { part: 'cache_control', says: /cache_control/ },
    // Claude Mythos and Fable: `tool_choice: type "tool" and "any" are not supported for this model.`
    { part: 'forced-choice', says: /tool_choice.*(?:not supported|unsupported|not available)/i },
    // Claude Opus 4.1 and later: `temperature` and `top_p` cannot both be specified; the rarer one goes first.
    { part: 'top_p', says: /top_p/ },
    { part: 'top_k', says: /top_k/ },
    { part: 'temperature', says: /temperature/ },
  ],
  ollama: [
    // `"m" does not support thinking`
    { part: 'thinking', says: /does not support thinking/i },
    // `think value "low" is not supported for this model`
    { part: 'thinking-levels', says: /think/i },
  ],
  oci: [
    { part: 'streamOptions', says: /stream_?options|include_?usage/i },
    // Among Cohere's models only those that reason accept it.
    { part: 'thinking', says: /thinking|reasoning/i },
  ],
  // An error about a part of a request with tools (a schema, the order of roles, the arguments of an earlier call), or
  // about one image (its size, its format, the number of images), concerns this request, not the model.
  model: [
    // Ollama: `registry.ollama.ai/library/x does not support tools`; Bedrock: `This model doesn't support tool use.`;
    // DeepSeek: `deepseek-reasoner does not support Function Calling`
    { part: 'tools', says: /(?:\bnot|n't|\bcannot) support (?:tools|tool use|tool calling|function calling)\b/i },
    // OpenRouter: `No endpoints found that support tool use.`
    { part: 'tools', says: /no endpoints found that support tool use\b/i },
    // OpenAI: `Unsupported parameter: 'tools' is not supported with this model.`; Groq: `` `tool calling` is not supported with this
    // model ``; Mistral, Gemini: `Function calling is not enabled for this model`; NIM: `Tool use has not been enabled`
    {
      part: 'tools',
      says: /(?<!\b(?:parallel|strict|forced) )\b(?:tools|tool use|tool calling|function calling)['"`]? (?:is|are|has|have) not (?:been |currently )?(?:supported|enabled|implemented|available)\b/i,
    },
    // llama-server before it had templates: `Unsupported param: tools`; OpenAI: `Unrecognized request argument supplied: tools`
    {
      part: 'tools',
      says: /\b(?:unsupported|unrecogni[sz]ed|unknown|unexpected) [\w ]{0,40}:? ?['"`]?tools(?![\w.[])/i,
    },
    // FastAPI: `body.tools: Extra inputs are not permitted`, and `extra fields` before
    { part: 'tools', says: /\btools: extra (?:inputs|fields)\b/i },
    // vLLM: `"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set`
    { part: 'tools', says: /\brequires? .*--(?:enable-auto-tool-choice|tool-call-parser)\b/i },
    // llama-server: `tools param requires --jinja flag`
    { part: 'tools', says: /\btools param requires --jinja\b/i },

    // Ollama: `this model does not support image input`; LM Studio: `Model does not support images`
    {
      part: 'images',
      says: /(?:\bnot|n't|\bcannot) (?:support|accept) (?:images\b|image inputs?\b|multi-?modal\b|vision\b)/i,
    },
    // llama-server: `image input is not supported - hint: …`; OpenAI: `image_url is only supported by certain models`
    { part: 'images', says: /\b(?:image inputs?|images|image_url) (?:is|are) (?:not supported|only supported by)\b/i },
    // OpenRouter: `No endpoints found that support image input`
    { part: 'images', says: /no endpoints found that support image\b/i },
    // vLLM, SGLang and hosts of them: `m is not a multimodal model`
    { part: 'images', says: /\bnot a multi-?modal model\b/i },
    // vLLM that was started for text alone: `At most 0 image(s) may be provided in one prompt.`
    { part: 'images', says: /\bat most 0 images?\b/i },
    // Zhipu, code 1210: `messages.content.type` and the words for a wrong parameter, then `['text']`
    { part: 'images', says: /\bmessages\.content\.type\b.*\[\s*['"]text['"]\s*\]/i },
    // DeepSeek: ``messages[1]: unknown variant `image_url`, expected `text` ``
    { part: 'images', says: /unknown variant [`'"]?image_url\b/i },
    // llama-server, servers of text alone: `Unsupported content part type: "image_url"`
    { part: 'images', says: /unsupported content part type\b.*\bimage_url\b/i },
    // DashScope: `Unexpected item type in content`
    { part: 'images', says: /unexpected item type in content\b/i },

    // LM Studio takes no object there, DashScope and Moonshot nothing that forces a call while the model thinks, and of OpenRouter's
    // endpoints some no `tool_choice` at all.
    { part: 'tool-choice', says: /\btool[_ ]choice\b/i },

    // Engines name the grammar, its triggers, or structured output.
    {
      part: 'constraint',
      says: /grammar|sampler|structural|structured|guided|guidance|trigger|preserved token/i,
    },
  ],
}

/**
 * The statuses of refusals. Mostly 400 and 422; llama-server and oMLX answer 500 if a chat template refuses the conversation, mlx-lm 404.
 * Of models: Ollama, vLLM 400; OpenRouter 404; FastAPI's 422; llama-server 500, 501.
 */
const statuses: { readonly [Api in keyof RefusableParts]: readonly number[] } = {
  chat: [400, 404, 422, 500],
  responses: [400, 404, 422, 500],
  messages: [400, 422],
  ollama: [400],
  oci: [400, 422],
  model: [400, 404, 422, 500, 501],
}

/** True if servers refuse requests of this API with this status. */
export function isRefusal(api: keyof RefusableParts, status: number): boolean {
  return statuses[api].includes(status)
}

/**
 * Returns the part of a request that a server refuses; undefined if it refuses no part that is known here. `said` is
 * the server's own text, `isIn` tests whether the request has a part.
 */
export function refusedPart<Api extends keyof RefusableParts>(
  api: Api,
  status: number,
  said: string,
  isIn: (part: RefusableParts[Api]) => boolean = () => true,
): RefusableParts[Api] | undefined {
  if (!isRefusal(api, status)) return undefined
  return refusals[api].find(({ part, says }) => isIn(part) && saysIt(says, said))?.part
}

function saysIt(says: Refusal<string>['says'], said: string): boolean {
  return says instanceof RegExp ? says.test(said) : says.name.test(said) && refusing.test(said)
}
