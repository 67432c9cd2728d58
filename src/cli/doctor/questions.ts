import type { Conversation, Tool, ToolChoice } from '../../conversation/index.ts'

/** The token limit of an answer: enough for a model that reasons before it calls. */
export const answerTokens = 1024

/** The questions; each has a short answer. */
const words = {
  plain: 'What is 17 + 25? Answer with the number.',
  single: 'Call the tool report_status with the status "all systems are ready" and the code 7. Write nothing else.',
  parallel:
    'Call the tool report_status twice in this one reply, both calls side by side: once with the status "red" and the code 1, once with the status "blue" and the code 2. Write nothing else.',
  /** Only `tool_choice` asks for the tool here. */
  forced: 'Hello.',
} as const

export const statusTool: Tool = {
  name: 'report_status',
  description: 'Reports a status.',
  schema: {
    type: 'object',
    properties: { status: { type: 'string' }, code: { type: 'integer' } },
    required: ['status', 'code'],
    additionalProperties: false,
  },
}

/** A question as a conversation. */
export function question(kind: keyof typeof words, toolChoice: ToolChoice = { type: 'auto' }): Conversation {
  return {
    model: 'doctor',
    system: '',
    turns: [{ role: 'user', parts: [{ type: 'text', text: words[kind] }] }],
    tools: kind === 'plain' ? [] : [statusTool],
    toolChoice,
    parallelCalls: kind === 'parallel',
    maxTokens: answerTokens,
    stopSequences: [],
    sampling: {},
  }
}
