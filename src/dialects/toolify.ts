import type { CallPart, Tool } from '../conversation/index.ts'
import { objectMembers, Shape, unescapeJson } from '../json/index.ts'
import type { CallPolicy } from './call-gate.ts'
import type { Dialect, Voice } from './dialect.ts'
import { choiceRules } from './instructions.ts'
import { Marks } from './marks.ts'
import { reasoningMarks } from './reasoning-tags.ts'
import { attributeValue, isAttributeText, renderTurn } from './render.ts'
import { ReplyReader } from './reply-reader.ts'
import { taggedSyntax } from './tagged-call.ts'
import { writeTaggedString } from './tagged-value.ts'
import { describeTool } from './tool-elements.ts'

const syntax = taggedSyntax({
  call: 'invoke',
  callName: 'name',
  parameter: 'parameter',
  parameterName: 'name',
})
const ownMarks = new Marks([
  ...syntax.marks,
  '<tool_result',
  '</tool_result',
  '<function_list',
  '</function_list',
  ...reasoningMarks,
])

/** Calls as tags behind a trigger line that only this conversation has. */
export const toolify: Dialect = {
  name: 'toolify',
  families: 'any model that follows instructions; made for models that know no tool format of their own',
  source: 'the prompt format of Toolify and its relatives (b4u2cc)',
  example:
    '<<CALL_9f3a27c1>>\n<invoke name="get_weather">\n<parameter name="city">Paris</parameter>\n<parameter name="days">3</parameter>\n</invoke>',
  usesTrigger: true,
  describe,
  renderAssistant: (parts, voice, tools = []) =>
    renderTurn(parts, {
      text: (text) => marksOf(voice).neutralise(text),
      calls: (calls) => [voice.trigger, ...calls.map((call) => renderCall(call, marksOf(voice), tools))].join('\n'),
      // Behind the trigger a call counts wherever it stands.
      closesFences: false,
    }),
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
  return ownMarks.with(voice.trigger)
}

function describe(policy: CallPolicy, voice: Voice): string {
  const marks = marksOf(voice)
  return `# Tools

You can call the tools in this list, and no others:

<function_list>
${policy.tools.map((tool, index) => describeTool(tool, index + 1, (text) => marks.neutralise(text))).join('\n')}
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

/** Where a call's tool is not known: most arguments are strings. */
const stringArguments: Shape = Shape.of({ additionalProperties: { type: 'string' } })

function renderCall(call: CallPart, marks: Marks, tools: readonly Tool[]): string {
  const tool = tools.find(({ name }) => name === call.name)
  const shape = tool ? Shape.of(tool.schema) : stringArguments
  const members = objectMembers(call.arguments) ?? []
  const body = members.every(([key]) => isAttributeText(key))
    ? members.map(([key, json]) => {
        const value = json.startsWith('"')
          ? writeTaggedString(marks.neutralise(unescapeJson(json.slice(1, -1))), shape.property(key))
          : marks.neutralise(json)
        return `<parameter name="${key}">${value}</parameter>`
      })
    : // Names that no attribute can hold: readers take the arguments as one JSON object, too.
      [marks.neutralise(`{${members.map(([key, json]) => `${JSON.stringify(key)}: ${json}`).join(', ')}}`)]
  return [`<invoke name="${attributeValue(call.name)}">`, ...body, '</invoke>'].join('\n')
}
