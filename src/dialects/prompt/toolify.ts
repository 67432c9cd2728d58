import type { ResultPart, Tool } from '../../conversation/index.ts'
import type { CallPolicy, Dialect, PromptContext } from '../format/dialect.ts'
import { toolify as format } from '../formats/elements/toolify.ts'
import { formatDialect } from './format-dialect.ts'
import { choiceRules } from './instructions.ts'
import { attributeValue, renderFramed } from './render.ts'
import { describeTool } from './tool-elements.ts'

const dialect = formatDialect(format, {
  usesTrigger: true,
  promptMarks: ['<tool_result', '</tool_result', '<function_list', '</function_list'],
})

/** Calls as tags after a trigger line that only this conversation has. */
export const toolify: Dialect = {
  ...dialect,
  example: `<<CALL_9f3a27c1>>\n${format.example}`,
  describe,
  listTools,
  renderResult,
}

function renderResult(result: ResultPart, context: PromptContext): string {
  const status = result.isError ? ' status="error"' : ''
  const open = `<tool_result id="${attributeValue(result.callId)}"${status}>`
  return renderFramed(open, result, '</tool_result>', (text) => dialect.neutralise(text, context))
}

function listTools(tools: readonly Tool[], context: PromptContext): string {
  const neutralise = (text: string) => dialect.neutralise(text, { ...context, tools })
  const elements = tools.map((tool, index) => describeTool(tool, index + 1, neutralise))
  return `<function_list>\n${elements.join('\n')}\n</function_list>`
}

function describe(policy: CallPolicy, context: PromptContext): string {
  return `# Tools

You can call the tools in this list, and no others:

${listTools(policy.tools, context)}

# How to call a tool

First write the trigger \`${context.trigger}\` alone on a line, then the call, in exactly this form:

${context.trigger}
<invoke name="TOOL_NAME">
<parameter name="ARGUMENT_NAME">VALUE</parameter>
</invoke>

- What you want to tell the user comes before the trigger. After the last </invoke> your reply ends.
- Write the trigger once in a reply, and only in order to call. Further calls follow as further <invoke> blocks.
- One <parameter> for each argument, under the argument's exact name. Give all required arguments; leave out optional ones that you do not need.
- A string stands as it is: no quotes around it, nothing escaped. Numbers, booleans, arrays and objects are written as JSON.
- Results come with the next message, as <tool_result id="ID">...</tool_result>, in the order of your calls; status="error" marks a failure. Never write a result yourself.
${choiceRules(policy)
  .map((rule) => `- ${rule}`)
  .join('\n')}`
}
