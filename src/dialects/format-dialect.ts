import type { CallPart, ResultPart } from '../conversation/index.ts'
import { writeCalls } from '../grammar/index.ts'
import type { CallPolicy } from './call-gate.ts'
import type { Dialect, Voice } from './dialect.ts'
import type { FormatData } from './format.ts'
import { marksOfFormat } from './format-marks.ts'
import { createFormatReader } from './format-reader.ts'
import { choiceRules, toolLines } from './instructions.ts'
import { Marks } from './marks.ts'
import { attributeValue, renderFramed, renderTurn } from './render.ts'

/** The tags of the prompt, which are the same for all formats that have no prompt of their own. */
const tagsOfPrompt: readonly string[] = ['<tools>', '</tools>', '<tool_response', '</tool_response']

/** What stands in the example of a call for what is the model's to say. */
const placeholder = { name: 'TOOL_NAME', id: 'ID', arguments: '{"ARGUMENT_NAME": "VALUE"}' }

/** What a dialect has of its own, besides its format. */
export interface DialectOptions {
  /** True when calls count only behind the conversation's trigger. */
  usesTrigger?: boolean
  /** The tags that its prompt uses. */
  promptMarks?: readonly string[]
}

/** All that its readers would take for the format's own, and the tags of its prompt. */
export function formatMarks(data: FormatData, promptMarks: readonly string[] = tagsOfPrompt): Marks {
  return new Marks([...marksOfFormat(data), ...promptMarks])
}

/** The dialect of a format: its instructions, how it writes turns and results, and its reader, all from its data. */
export function formatDialect(data: FormatData, options: DialectOptions = {}): Dialect {
  const { usesTrigger = false, promptMarks } = options
  const block = data.written ?? data.blocks[0]
  let known: Marks | undefined
  // Made when first needed: most dialects are in no use.
  const marksOf = ({ trigger }: Partial<Voice>) => {
    known ??= formatMarks(data, promptMarks)
    return usesTrigger && trigger !== undefined ? known.with(trigger) : known
  }
  const write = (calls: readonly Omit<CallPart, 'type'>[], voice: Voice, tools: CallPolicy['tools'], marks?: Marks) => {
    const written = block
      ? writeCalls(block.tree, calls, tools, {
          ...(data.separator !== undefined && { separator: data.separator }),
          ...(marks && { neutralise: (content: string) => marks.neutralise(content) }),
        })
      : ''
    return usesTrigger ? `${voice.trigger}\n${written}` : written
  }
  return {
    name: data.name,
    families: data.families,
    source: data.source,
    example: data.example,
    usesTrigger,
    ...(data.keys && { keys: data.keys }),
    describe: (policy, voice) => {
      const one = write([placeholder], voice, [])
      const two = policy.parallelCalls ? write([placeholder, placeholder], voice, []) : ''
      return describe(policy, { one, two }, usesTrigger, voice, marksOf(voice))
    },
    renderAssistant: (parts, voice, tools = []) => {
      const marks = marksOf(voice)
      return renderTurn(parts, {
        text: (text) => marks.neutralise(text),
        calls: (calls) => write(calls, voice, tools, marks),
      })
    },
    renderResult: (result, voice) => renderResult(result, marksOf(voice)),
    neutralise: (text, voice) => marksOf(voice).neutralise(text),
    createReader: (reading) => createFormatReader(data, marksOf(reading), reading),
  }
}

function describe(
  policy: CallPolicy,
  calls: { one: string; two: string },
  usesTrigger: boolean,
  voice: Voice,
  marks: Marks,
): string {
  // Several calls need words only where they are not just one behind the other.
  const several =
    calls.two === '' || calls.two.split(calls.one).length > 2 ? '' : `Two calls in a reply:\n\n${calls.two}\n\n`
  const place = usesTrigger
    ? `First write the trigger \`${voice.trigger}\` alone on a line, then the call`
    : 'Write a call'
  const rules = [
    'What you want to tell the user comes before the first call. After the last call your reply ends.',
    usesTrigger
      ? 'Write the trigger once in a reply, and only in order to call. Further calls follow behind the first.'
      : 'Do not put a call into a code block: what stands there is read as an example.',
    'Give all required arguments under their exact names; leave out optional ones that you do not need.',
    'Results come with the next message, as <tool_response id="ID" name="TOOL_NAME" status="success">...</tool_response>; status="error" marks a failure. Never write a result yourself.',
    ...choiceRules(policy),
  ]
  return `# Tools

You can call the tools in this list, and no others. Each line is one tool; its parameters are the JSON schema of its arguments:

<tools>
${toolLines(policy.tools, 'parameters', (text) => marks.neutralise(text))}
</tools>

# How to call a tool

${place}, in exactly this form:

${calls.one}

${several}${rules.map((rule) => `- ${rule}`).join('\n')}`
}

function renderResult(result: ResultPart, marks: Marks): string {
  const attributes = `id="${attributeValue(result.callId)}" name="${attributeValue(result.name)}" status="${result.isError ? 'error' : 'success'}"`
  return renderFramed(`<tool_response ${attributes}>`, result, '</tool_response>', (text) => marks.neutralise(text))
}
