import type { ResultPart, Tool } from '../../conversation/index.ts'
import type { CallPolicy, Dialect, PromptContext } from '../format/dialect.ts'
import type { FormatData } from '../format/format.ts'
import { toolCallJson as format } from '../formats/json/in-tags.ts'
import { universal as universalFormat } from '../formats/universal.ts'
import { formatDialect } from './format-dialect.ts'
import { choiceRules, toolLines } from './instructions.ts'
import { attributeValue, renderFramed } from './render.ts'

/** Calls as one JSON object each between tags. */
export const toolCallJson: Dialect = askingForJson(format)

/** Asks for one JSON object between tags, which any model can write, and reads any form. */
export const universal: Dialect = askingForJson(universalFormat)

/** The dialect of a format that writes calls so. */
function askingForJson(data: FormatData): Dialect {
  const dialect = formatDialect(data, { promptMarks: ['<TOOL_RESULT', '</TOOL_RESULT', '<tools>', '</tools>'] })
  return {
    ...dialect,
    describe: (policy, context) => describe(dialect, policy, context),
    listTools: (tools, context) => listTools(dialect, tools, context),
    renderResult: (result, context) => renderResult(dialect, result, context),
  }
}

function renderResult(dialect: Dialect, result: ResultPart, context: PromptContext): string {
  const attributes = `id="${attributeValue(result.callId)}" name="${attributeValue(result.name)}" status="${result.isError ? 'error' : 'success'}"`
  return renderFramed(`<TOOL_RESULT ${attributes}>`, result, '</TOOL_RESULT>', (text) =>
    dialect.neutralise(text, context),
  )
}

function listTools(dialect: Dialect, tools: readonly Tool[], context: PromptContext): string {
  return `<tools>\n${toolLines(tools, 'input_schema', (text) => dialect.neutralise(text, { ...context, tools }))}\n</tools>`
}

function describe(dialect: Dialect, policy: CallPolicy, context: PromptContext): string {
  return `# Tools

You can call the tools in this list, and no others. Each line is one tool; its input_schema is the JSON schema of its input:

${listTools(dialect, policy.tools, context)}

# How to call a tool

Write one JSON object with the tool's name and its input between the tags, in exactly this form:

<TOOL_CALL>
{"name": "TOOL_NAME", "input": {"ARGUMENT_NAME": "VALUE"}}
</TOOL_CALL>

- The object must be valid JSON: double quotes, line breaks in strings written as \\n, all brackets closed.
- Give all required arguments under their exact names; leave out optional ones that you do not need.
- What you want to tell the user comes before the first call. After the last </TOOL_CALL> your reply ends.
- Do not put a call into a code block: what stands there is read as an example.
- Results come with the next message, as <TOOL_RESULT id="ID" name="TOOL_NAME" status="success">...</TOOL_RESULT>; status="error" marks a failure. Never write a result yourself.
${choiceRules(policy)
  .map((rule) => `- ${rule}`)
  .join('\n')}`
}
