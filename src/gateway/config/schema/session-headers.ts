/**
 * The headers by which clients name their conversation, the most specific first: the general one, Dynamo's, OpenCode's two, Claude
 * Code's, and Codex's in both of its spellings.
 */
export const clientSessionHeaders: readonly string[] = [
  'x-session-id',
  'x-dynamo-session-id',
  'x-session-affinity',
  'x-opencode-session',
  'x-claude-code-session-id',
  'session-id',
  'session_id',
]

/**
 * The headers about a session that are passed on to upstreams unless they list others: headers that clients send, and headers that routers of
 * inference servers read (Dynamo, llm-d, SGLang's gateway).
 */
export const sessionHeaders: readonly string[] = [
  ...clientSessionHeaders,
  'x-parent-session-id',
  'x-claude-code-agent-id',
  'x-claude-code-parent-agent-id',
  'thread-id',
  'x-codex-parent-thread-id',
  'x-deepseek-harness-session-id',
  'x-deepseek-harness-parent-session-id',
  'x-dynamo-parent-session-id',
  'x-dynamo-session-final',
  'x-session-token',
  'x-smg-routing-key',
]
