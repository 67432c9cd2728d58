import type { CallPart, JsonObject, Tool } from '../conversation/index.ts'
import { objectMembers, unescapeJson } from '../json/index.ts'
import type { CallPolicy } from './call-gate.ts'
import type { Dialect, Voice } from './dialect.ts'
import { argumentsOf, choiceRules } from './instructions.ts'
import { Marks } from './marks.ts'
import { attributeValue, renderTurn } from './render.ts'
import { ReplyReader, reasoningMarks } from './reply-reader.ts'
import { taggedSyntax } from './tagged-call.ts'
import { writeTaggedString } from './tagged-value.ts'

const syntax = taggedSyntax({
  call: 'invoke',
  callName: 'name',
  parameter: 'parameter',
  parameterName: 'name',
})
const ownMarks = [
  ...syntax.marks,
  '<tool_result',
  '</tool_result',
  '<function_list',
  '</function_list',
  ...reasoningMarks,
]

/** Calls as tags behind a trigger line that only this conversation has. */
export const toolify: Dialect = {
  name: 'toolify',
  families: 'any model that follows instructions; made for models that know no tool format of their own',
  source: 'the prompt format of Toolify and its relatives (b4u2cc)',
  example:
    '<<CALL_9f3a27c1>>\n<invoke name="get_weather">\n<parameter name="city">Paris</parameter>\n<parameter name="days">3</parameter>\n</invoke>',
  usesTrigger: true,
  describe,
  renderAssistant: (parts, voice) =>
    renderTurn(
      parts,
      (text) => marksOf(voice).neutralise(text),
      (calls) => [voice.trigger, ...calls.map((call) => renderCall(call, marksOf(voice)))].join('\n'),
    ),
  renderResult: (result, voice) => {
    const texts = result.content.map((part) => (part.type === 'text' ? part.text : ''))
    const status = result.isError ? ' status="error"' : ''
    const text = marksOf(voice).neutralise(texts.filter((part) => part !== '').join('\n'))
    return `<tool_result id="${attributeValue(result.callId)}"${status}>${text}</tool_result>`
  },
  neutralise: (text, voice) => marksOf(voice).neutralise(text),
  createReader: (options) => new ReplyReader({ syntax, trigger: options.trigger, marks: marksOf(options) }, options),
}

function marksOf(voice: Voice): Marks {
  return Marks.of([...ownMarks, voice.trigger])
}

function describe(policy: CallPolicy, voice: Voice): string {
  const marks = marksOf(voice)
  return `# Tools

You can call the tools in this list, and no others:

<function_list>
${policy.tools.map((tool, index) => describeTool(tool, index + 1, marks)).join('\n')}
</function_list>

# How to call a tool

First write the trigger \`${voice.trigger}\` alone on a line, then the call, in exactly this form:

${voice.trigger}
<invoke name="TOOL_NAME">
<parameter name="ARGUMENT_NAME">VALUE</parameter>
</invoke>

- What you want to tell the user comes before the trigger. After the last </invoke> your reply ends.
- Write the trigger once in a reply, and only in order to call. Further calls follow as further <invoke> blocks.
- One <parameter> for each argument, under the argument's exact name. Give all required arguments; leave out optional ones that you do not need.
- A string stands as it is: no quotes around it, nothing escaped. Numbers, booleans, arrays and objects are written as JSON.
- Results come with the next message, as <tool_result id="ID">…</tool_result>, in the order of your calls; status="error" marks a failure. Never write a result yourself.
${choiceRules(policy)
  .map((rule) => `- ${rule}`)
  .join('\n')}`
}

/** A tool with all of its schema: what has no element of its own stands as JSON in `<schema>`. */
function describeTool(tool: Tool, id: number, marks: Marks): string {
  const lines = [`<tool id="${id}">`, `<name>${tool.name}</name>`]
  if (tool.description !== '') lines.push(`<description>${marks.neutralise(tool.description)}</description>`)
  const args = argumentsOf(tool)
  const required = args.filter((argument) => argument.isRequired)
  if (required.length > 0) {
    lines.push(`<required>${required.map(({ name }) => `<param>${name}</param>`).join('')}</required>`)
  }
  if (args.length > 0) {
    lines.push('<parameters>')
    for (const { name, schema, isRequired } of args) {
      lines.push(
        `<parameter name="${attributeValue(name)}">`,
        ...describeSchema(schema, marks, isRequired),
        '</parameter>',
      )
    }
    lines.push('</parameters>')
  }
  const { type: _type, properties: _properties, required: names, $schema: _dialect, ...rest } = tool.schema
  // Names that are required but not described still have to be told.
  const undescribed = Array.isArray(names)
    ? names.filter((name) => !args.some((argument) => argument.name === name))
    : []
  const more = undescribed.length > 0 ? { ...rest, required: undescribed } : rest
  if (Object.keys(more).length > 0) lines.push(`<schema>${marks.neutralise(JSON.stringify(more))}</schema>`)
  lines.push('</tool>')
  return lines.join('\n')
}

function describeSchema(schema: JsonObject, marks: Marks, isRequired: boolean): string[] {
  const lines: string[] = []
  const { type, description, enum: values, ...rest } = schema
  if (typeof type === 'string') lines.push(`<type>${type}</type>`)
  else if (type !== undefined) lines.push(`<type>${JSON.stringify(type)}</type>`)
  lines.push(`<required>${isRequired}</required>`)
  if (typeof description === 'string') lines.push(`<description>${marks.neutralise(description)}</description>`)
  if (values !== undefined) lines.push(`<enum>${marks.neutralise(JSON.stringify(values))}</enum>`)
  if (Object.keys(rest).length > 0) lines.push(`<schema>${marks.neutralise(JSON.stringify(rest))}</schema>`)
  return lines
}

function renderCall(call: CallPart, marks: Marks): string {
  const members = objectMembers(call.arguments) ?? []
  const lines = members.map(([key, json]) => {
    const value = json.startsWith('"')
      ? writeTaggedString(marks.neutralise(unescapeJson(json.slice(1, -1))))
      : marks.neutralise(json)
    return `<parameter name="${key}">${value}</parameter>`
  })
  return [`<invoke name="${call.name}">`, ...lines, '</invoke>'].join('\n')
}
