import type { JsonObject, JsonValue } from '../../src/conversation/index.ts'

/** Requests in the shape in which Claude Code 2.1 sends them; the texts in them are made up. */

const betas = [
  'claude-code-20250219',
  'interleaved-thinking-2025-05-14',
  'thinking-token-count-2026-05-13',
  'context-management-2025-06-27',
  'prompt-caching-scope-2026-01-05',
  'mid-conversation-system-2026-04-07',
  'effort-2025-11-24',
]

export const claudeCodeHeaders: Readonly<Record<string, string>> = {
  // It sends this for a stream as well.
  accept: 'application/json',
  'accept-encoding': 'gzip, deflate, br, zstd',
  'anthropic-beta': betas.join(','),
  'anthropic-dangerous-direct-browser-access': 'true',
  'anthropic-version': '2023-06-01',
  'user-agent': 'claude-cli/2.1.197 (external, sdk-cli)',
  'x-app': 'cli',
  'x-claude-code-session-id': '0b5f6a1c-1111-4222-8333-123456789abc',
  'x-claude-code-agent-id': 'agent-1',
  'x-claude-code-parent-agent-id': 'agent-0',
  'x-stainless-arch': 'x64',
  'x-stainless-lang': 'js',
  'x-stainless-os': 'Linux',
  'x-stainless-package-version': '0.94.0',
  'x-stainless-retry-count': '0',
  'x-stainless-runtime': 'node',
  'x-stainless-timeout': '600',
}

const string: JsonObject = { type: 'string' }

function schema(properties: JsonObject, required: string[] = Object.keys(properties)): JsonObject {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties,
    required,
    additionalProperties: false,
  }
}

const manual = 'Mind the quoting, the working directory and what <command> may print.\n'.repeat(260)

const schemas: Readonly<Record<string, JsonObject>> = {
  Agent: schema(
    {
      description: string,
      prompt: string,
      subagent_type: string,
      model: { type: 'string', enum: ['sonnet', 'opus', 'haiku'] },
      isolation: { const: 'worktree' },
    },
    ['description', 'prompt'],
  ),
  AskUserQuestion: schema({
    questions: {
      type: 'array',
      minItems: 1,
      maxItems: 4,
      items: schema({ question: string, options: { type: 'array', items: schema({ label: string }), minItems: 2 } }),
    },
    answers: { type: 'object', propertyNames: string, additionalProperties: string },
  }),
  Bash: schema(
    {
      command: { type: 'string', description: 'The command' },
      description: string,
      timeout: { type: 'number', exclusiveMinimum: 0, maximum: 600_000 },
      run_in_background: { type: 'boolean', default: false },
    },
    ['command'],
  ),
  CronCreate: schema({ cron: { type: 'string', pattern: '^(\\S+\\s+){4}\\S+$' }, prompt: string }),
  Edit: schema({ file_path: string, old_string: string, new_string: string, replace_all: { type: 'boolean' } }),
  Read: schema(
    { file_path: string, offset: { type: 'integer', minimum: 0 }, limit: { type: 'integer', exclusiveMinimum: 0 } },
    ['file_path'],
  ),
  SendMessage: schema({
    to: string,
    message: {
      anyOf: [string, schema({ type: { const: 'shutdown' }, reason: { anyOf: [string, { type: 'null' }] } })],
    },
  }),
  WebFetch: schema({ url: { type: 'string', format: 'uri' }, prompt: string }),
  WebSearch: schema({ query: { type: 'string', minLength: 2 }, allowed_domains: { type: 'array', items: string } }, [
    'query',
  ]),
  Write: schema({ file_path: string, content: string }),
}

const plainTools = [
  ...['CronDelete', 'CronList', 'EnterPlanMode', 'EnterWorktree', 'ExitPlanMode', 'ExitWorktree', 'NotebookEdit'],
  ...['Skill', 'TaskCreate', 'TaskGet', 'TaskList', 'TaskOutput', 'TaskStop', 'TaskUpdate'],
]

export const claudeCodeTools: JsonObject[] = [
  ...Object.entries(schemas).map(([name, input_schema]) => ({
    name,
    description: name === 'Bash' ? `Runs a command.\n${manual}` : `The tool ${name}.`,
    input_schema,
  })),
  ...plainTools.map((name) => ({ name, description: `The tool ${name}.`, input_schema: schema({ id: string }, []) })),
]

const cached: JsonObject = { cache_control: { type: 'ephemeral' } }
const text = (content: string): JsonObject => ({ type: 'text', text: content })

/** The billing line, which is another in each request. */
export function billingLine(request: number): string {
  return `x-anthropic-billing-header: cc_version=2.1.197.${request}f3; cc_entrypoint=sdk-cli; cch=${request}a7c1;`
}

/** A request of the main loop: its messages so far, in the `n`-th request. */
export function mainRequest(messages: readonly JsonObject[], n = 0): JsonObject & { messages: JsonValue[] } {
  return {
    model: 'claude-opus-4-8',
    max_tokens: 64_000,
    stream: true,
    system: [
      text(billingLine(n)),
      { ...text('You are an agent at a command line.'), ...cached },
      { ...text('Be brief. Work in /tmp/project.'), ...cached },
    ],
    messages: withCacheMark(messages),
    tools: claudeCodeTools,
    metadata: { user_id: '{"device_id":"d1","account_uuid":"","session_id":"s1"}' },
    thinking: { type: 'adaptive' },
    context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
    output_config: { effort: 'high' },
  }
}

/** The cache mark is in the last block of the last user message, so each turn moves it. */
function withCacheMark(messages: readonly JsonObject[]): JsonObject[] {
  const last = messages.findLastIndex((message) => message.role === 'user')
  return messages.map((message, index) => {
    if (index !== last || !Array.isArray(message.content)) return message
    const blocks = message.content
    return {
      ...message,
      content: blocks.map((block, at) =>
        at === blocks.length - 1 && typeof block === 'object' && !Array.isArray(block)
          ? { ...block, ...cached }
          : block,
      ),
    }
  })
}

/** The first messages of a session: the user's text, with the client's notes, and the client's system text. */
export function firstMessages(prompt: string): JsonObject[] {
  return [
    {
      role: 'user',
      content: [text('<system-reminder>\nToday is a day.\n</system-reminder>\n'), text(prompt)],
    },
    { role: 'system', content: 'Available agent types: general-purpose, Explore. Use them with the Agent tool.' },
  ]
}

export interface ToolResult {
  id: string
  content: JsonValue
  failed?: boolean
}

/** The results of parallel calls: one message, in the order of the calls. */
export function resultMessage(...results: readonly ToolResult[]): JsonObject {
  return {
    role: 'user',
    content: results.map(({ id, content, failed }) => ({
      tool_use_id: id,
      type: 'tool_result',
      content,
      ...(failed !== undefined && { is_error: failed }),
    })),
  }
}
