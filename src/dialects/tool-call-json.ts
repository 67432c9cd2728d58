import type { CallPart } from '../conversation/index.ts'
import { objectMembers } from '../json/index.ts'
import type { CallPolicy } from './call-gate.ts'
import type { Dialect } from './dialect.ts'
import { choiceRules } from './instructions.ts'
import { jsonSyntax } from './json-call.ts'
import { Marks } from './marks.ts'
import { reasoningMarks } from './reasoning-tags.ts'
import { attributeValue, renderTurn } from './render.ts'
import { ReplyReader } from './reply-reader.ts'

const syntax = jsonSyntax({ tag: 'TOOL_CALL' })
const marks = new Marks([...syntax.marks, '<TOOL_RESULT', '</TOOL_RESULT', '<tools>', '</tools>', ...reasoningMarks])

/** Calls as one JSON object each between tags. */
export const toolCallJson: Dialect = {
  name: 'tool-call-json',
  families: 'models that write JSON well; made for the generic models of OCI Generative AI',
  source: 'the prompt format of the OCI-Anthropic gateway',
  example: '<TOOL_CALL>\n{"name": "get_weather", "input": {"city": "Paris", "days": 3}}\n</TOOL_CALL>',
  usesTrigger: false,
  describe,
  renderAssistant: (parts) =>
    renderTurn(parts, {
      text: (text) => marks.neutralise(text),
      calls: (calls) => calls.map(renderCall).join('\n'),
      closesFences: true,
    }),
  renderResult: (result) => {
    const texts = result.content.map((part) => (part.type === 'text' ? part.text : ''))
    const text = marks.neutralise(texts.filter((part) => part !== '').join('\n'))
    const attributes = `id="${attributeValue(result.callId)}" name="${attributeValue(result.name)}" status="${result.isError ? 'error' : 'success'}"`
    return `<TOOL_RESULT ${attributes}>${text}</TOOL_RESULT>`
  },
  neutralise: (text) => marks.neutralise(text),
  createReader: (options) => new ReplyReader({ syntax, marks }, options),
}

function describe(policy: CallPolicy): string {
  const tools = policy.tools.map(({ name, description, schema }) =>
    JSON.stringify({ name, description, input_schema: schema }),
  )
  return `# Tools

You can call the tools in this list, and no others. Each line is one tool; its input_schema is the JSON schema of its input:

<tools>
${marks.neutralise(tools.join('\n'))}
</tools>

# How to call a tool

Write one JSON object with the tool's name and its input between the tags, in exactly this form:

<TOOL_CALL>
{"name": "TOOL_NAME", "input": {"ARGUMENT_NAME": "VALUE"}}
</TOOL_CALL>

- The object must be valid JSON: double quotes, line breaks in strings written as \\n, all brackets closed.
- Give all required arguments under their exact names; leave out optional ones that you do not need.
- What you want to tell the user comes before the first call. After the last </TOOL_CALL> your reply ends.
- Do not put a call into a code block: what stands there is read as an example.
- Results come with the next message, as <TOOL_RESULT id="ID" name="TOOL_NAME" status="success">…</TOOL_RESULT>; status="error" marks a failure. Never write a result yourself.
${choiceRules(policy)
  .map((rule) => `- ${rule}`)
  .join('\n')}`
}

function renderCall(call: CallPart): string {
  const members = objectMembers(call.arguments) ?? []
  const input = members.map(([key, json]) => `${JSON.stringify(key)}: ${json}`).join(', ')
  const object = marks.neutralise(`{"name": ${JSON.stringify(call.name)}, "input": {${input}}}`)
  return `<TOOL_CALL>\n${object}\n</TOOL_CALL>`
}
