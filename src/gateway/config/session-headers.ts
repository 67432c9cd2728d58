/**
 * The headers by which clients name their conversation, the most specific first: the general one, OpenCode's two, Claude Code's, and
 * Codex's in both of its spellings.
 */
export const clientSessionHeaders: readonly string[] = [
  'x-session-id',
  'x-session-affinity',
  'x-opencode-session',
  'x-claude-code-session-id',
  'session-id',
  'session_id',
]

/**
 * The headers about a session that are passed on to upstreams unless they list others: those of clients, and those that routers of
 * inference servers read (Dynamo, llm-d, SGLang's gateway).
 */
export const sessionHeaders: readonly string[] = [
  ...clientSessionHeaders,
  'thread-id',
  'x-claude-code-agent-id',
  'x-claude-code-parent-agent-id',
  'x-dynamo-session-id',
  'x-dynamo-parent-session-id',
  'x-session-token',
  'x-smg-routing-key',
]
