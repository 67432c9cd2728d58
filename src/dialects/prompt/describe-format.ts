import type { CallPolicy } from '../format/dialect.ts'
import type { FormatData } from '../format/format.ts'
import type { Marks } from '../marks/marks.ts'
import { writeInFormat } from './format-writer.ts'
import { choiceRules, toolLines } from './instructions.ts'

/** The tags of the prompt, which are the same for all formats without a specific prompt. */
export const tagsOfPrompt: readonly string[] = ['<tools>', '</tools>', '<tool_response', '</tool_response']

/** The placeholders in the example of a call, which the model replaces. */
const placeholder = { name: 'TOOL_NAME', id: 'ID', arguments: '{"ARGUMENT_NAME": "VALUE"}' }

/** The parts in which descriptions of one format differ. */
export interface DescriptionOptions {
  /** The line after which calls count. */
  trigger?: string
  /** Marks that are broken in the tools' texts. */
  marks: Marks
  /** The prompt lists the tools elsewhere: only how to call them is said. */
  isListed?: boolean
  /**
   * True if results have their own place in the prompt, which models know: the description does not mention their form.
   */
  placesResults?: boolean
}

/**
 * The instructions for a prompt, in English: the tools, the form of a call, and the calls that the next reply may make.
 */
export function describeFormat(data: FormatData, policy: CallPolicy, options: DescriptionOptions): string {
  const { trigger, marks, isListed = false, placesResults = false } = options
  const write = (count: number) => {
    const written = writeInFormat(data, Array(count).fill(placeholder), [])
    return trigger === undefined ? written : `${trigger}\n${written}`
  }
  const one = write(1)
  const two = policy.parallelCalls ? write(2) : ''
  // The example of several calls is needed only if they are not simply written one after the other.
  const several = two === '' || two.split(one).length > 2 ? '' : `Two calls in a reply:\n\n${two}\n\n`
  const place =
    trigger === undefined ? 'Write a call' : `First write the trigger \`${trigger}\` alone on a line, then the call`
  const list = `# Tools

You can call the tools in this list, and no others. Each line is one tool; its parameters are the JSON schema of its arguments:

${listTools(policy.tools, marks)}

`
  const rules = [
    'What you want to tell the user comes before the first call. After the last call your reply ends.',
    trigger === undefined
      ? 'Do not put a call into a code block: what stands there is read as an example.'
      : 'Write the trigger once in a reply, and only in order to call. Further calls follow after the first.',
    'Give all required arguments under their exact names; leave out optional ones that you do not need.',
    placesResults
      ? 'Results come with the next message. Never write a result yourself.'
      : 'Results come with the next message, as <tool_response id="ID" name="TOOL_NAME" status="success">...</tool_response>; status="error" marks a failure. Never write a result yourself.',
    ...choiceRules(policy),
  ]
  return `${isListed ? '' : list}# How to call a tool

${place}, in exactly this form:

${one}

${several}${rules.map((rule) => `- ${rule}`).join('\n')}`
}

/** The list of the tools, as formats without their own prompt have it. */
export function listTools(tools: CallPolicy['tools'], marks: Marks): string {
  return `<tools>\n${toolLines(tools, 'parameters', (text) => marks.neutralise(text))}\n</tools>`
}
