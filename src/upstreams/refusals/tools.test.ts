import { describe, expect, test } from 'vitest'
import { AnycallError } from '../../conversation/index.ts'
import { refuses, statusError } from '../http/upstream-error.ts'

type Verdict = 'tools' | 'choice' | 'neither'

const message = (text: string): string => JSON.stringify({ error: { message: text } })

/** Errors of servers, and the part of a request that each refuses. */
const said: [server: string, status: number, body: string, refused: Verdict][] = [
  ['Ollama', 400, '{"error":"registry.ollama.ai/library/gemma:2b does not support tools"}', 'tools'],
  [
    'vLLM',
    400,
    '{"message":"\\"auto\\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set"}',
    'tools',
  ],
  ['vLLM', 400, message('tool_choice="required" requires --tool-call-parser to be set'), 'tools'],
  ['llama-server', 500, message('tools param requires --jinja flag'), 'tools'],
  ['llama-server', 500, message('Unsupported param: tools'), 'tools'],
  ['OpenRouter', 404, message('No endpoints found that support tool use. Try disabling "get_weather".'), 'tools'],
  ['FastAPI', 422, '{"detail":[{"loc":["body","tools"],"msg":"Extra inputs are not permitted"}]}', 'tools'],
  ['FastAPI', 422, '{"detail":[{"loc":["body","tools"],"msg":"extra fields not permitted"}]}', 'tools'],
  ['OpenAI', 400, message("Unsupported parameter: 'tools' is not supported with this model."), 'tools'],
  ['OpenAI', 400, message('Unrecognized request argument supplied: tools'), 'tools'],
  ['Groq', 400, message('`tool calling` is not supported with this model'), 'tools'],
  ['Gemini', 400, message('Function calling is not enabled for models/gemma-3-27b-it'), 'tools'],
  ['Bedrock', 400, '{"message":"This model doesn\'t support tool use in streaming mode."}', 'tools'],
  ['DeepSeek', 400, message('deepseek-reasoner does not support Function Calling'), 'tools'],
  ['a server in Rust', 422, 'unknown field `tools`, expected one of `model`, `messages`', 'tools'],
  ['another', 501, '{"error":"function calling is not implemented"}', 'tools'],

  ['LM Studio', 400, "Invalid tool_choice type: 'object'. Supported string values: none, auto, required", 'choice'],
  [
    'DashScope',
    400,
    message('The tool_choice parameter does not support being set to required or object in thinking mode'),
    'choice',
  ],
  ['OpenRouter', 404, message("No endpoints found that support the provided 'tool_choice' value."), 'choice'],
  ['DeepSeek', 400, message('deepseek-reasoner does not support this tool_choice'), 'choice'],
  ['Moonshot', 400, message("tool_choice 'required' is incompatible with thinking enabled"), 'choice'],
  ['FastAPI', 422, '{"detail":[{"loc":["body","tool_choice"],"msg":"Extra inputs are not permitted"}]}', 'choice'],

  ['Mistral', 400, message("Unexpected role 'user' after role 'tool'"), 'neither'],
  ['Mistral', 400, message('Not the same number of function calls and responses'), 'neither'],
  [
    'llama-server',
    500,
    message('Failed to parse tool call arguments as JSON: syntax error while parsing value - unexpected end of input'),
    'neither',
  ],
  [
    'Groq',
    400,
    message("tool call validation failed: parameters did not match: additionalProperties 'country' not allowed"),
    'neither',
  ],
  ['OpenAI', 400, message("Unsupported parameter: 'parallel_tool_calls' is not supported with this model."), 'neither'],
  ['OpenAI', 400, message("Unknown parameter: 'tools[0].function.examples'."), 'neither'],
  [
    'OpenAI',
    400,
    message('Function tools with reasoning_effort are not supported for gpt-5 in /v1/chat/completions.'),
    'neither',
  ],
  ['OpenAI', 400, message("Invalid schema for function 'x': None is not of type 'object'"), 'neither'],
  ['Anthropic', 400, message('tools.0.custom.examples: Extra inputs are not permitted'), 'neither'],
  ['any', 400, message('parallel tool use is not supported'), 'neither'],
  ['any', 400, message('tools[0].function.name is too long'), 'neither'],
  ['Ollama', 404, message('model "m" not found, try pulling it first'), 'neither'],
  ['any, while it loads', 503, '{"error":"tools are not supported while loading"}', 'neither'],
  ['any', 401, '{"error":"tools are not supported without a key"}', 'neither'],
]

describe('an error of an upstream', () => {
  test.each(said)('%s: %i %s', (_, status, body, refused) => {
    const error = statusError({ upstream: 'tools', secrets: [] }, status, body)
    // vLLM without a parser names the choice as well.
    const verdict: Verdict = refuses(error, 'tools') ? 'tools' : refuses(error, 'tool-choice') ? 'choice' : 'neither'
    expect(verdict).toBe(refused)
  })

  test('that is none of a server', () => {
    const error = new AnycallError('invalid-request', 'm does not support tools; tool_choice is not supported')
    expect([refuses(error, 'tools'), refuses(error, 'tool-choice')]).toEqual([false, false])
  })
})
