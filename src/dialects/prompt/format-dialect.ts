import type { CallPart, ResultPart } from '../../conversation/index.ts'
import type { CallPolicy, Dialect, PromptContext } from '../format/dialect.ts'
import type { FormatData } from '../format/format.ts'
import { marksOfFormat } from '../marks/format-marks.ts'
import { Marks } from '../marks/marks.ts'
import { callsByName, createFormatReader } from '../read/format-reader.ts'
import type { CallsByName } from '../read/names/named-calls.ts'
import { describeFormat, listTools, tagsOfPrompt } from './describe-format.ts'
import { writeInFormat } from './format-writer.ts'
import { attributeValue, renderFramed, renderTurn } from './render.ts'

/** The properties of a dialect that its format does not determine. */
export interface DialectOptions {
  /** True if calls count only after the conversation's trigger. */
  usesTrigger?: boolean
  /** The tags that its prompt uses. */
  promptMarks?: readonly string[]
  /** The marks that are broken in text of others. Default: the marks of the format's readers, and these tags. */
  marks?: () => Marks
}

/** All that its readers would take for the format's own, and the tags of its prompt. */
export function formatMarks(data: FormatData, promptMarks: readonly string[] = tagsOfPrompt): Marks {
  return new Marks([...marksOfFormat(data), ...promptMarks])
}

/** Returns the dialect of a format: its instructions, how it writes turns and results, and its reader, all from its data. */
export function formatDialect(data: FormatData, options: DialectOptions = {}): Dialect {
  const { usesTrigger = false, promptMarks } = options
  let known: Marks | undefined
  const knownByName = new WeakMap<CallsByName, Marks>()
  /** The marks for a trigger that were asked for last: the parts of a prompt are written one after the other. */
  let last: { of: Marks; trigger: string; marks: Marks } | undefined
  // Made when first needed: most dialects are in no use.
  const marksOf = (context: Partial<PromptContext>, tools = context.tools ?? []) => {
    const { trigger, accept = {} } = context
    if (options.marks) return options.marks()
    known ??= formatMarks(data, promptMarks)
    const byName = callsByName(data, tools, accept)
    let marks = knownByName.get(byName)
    if (!marks) {
      marks = known.with(byName.marks)
      knownByName.set(byName, marks)
    }
    if (!usesTrigger || trigger === undefined) return marks
    if (last?.of !== marks || last.trigger !== trigger) last = { of: marks, trigger, marks: marks.with([trigger]) }
    return last.marks
  }
  const write = (calls: readonly CallPart[], { trigger }: PromptContext, tools: CallPolicy['tools'], marks: Marks) => {
    const written = writeInFormat(data, calls, tools, marks)
    return usesTrigger ? `${trigger}\n${written}` : written
  }
  return {
    name: data.name,
    families: data.families,
    source: data.source,
    example: data.example,
    usesTrigger,
    format: data,
    ...(data.keys && { keys: data.keys }),
    describe: (policy, context) =>
      describeFormat(data, policy, {
        marks: marksOf(context, policy.tools),
        ...(usesTrigger && { trigger: context.trigger }),
      }),
    listTools: (tools, context) => listTools(tools, marksOf(context, tools)),
    renderAssistant: (parts, context, tools = context.tools ?? []) => {
      const marks = marksOf(context, tools)
      return renderTurn(parts, {
        text: (text) => marks.neutralise(text),
        calls: (calls) => write(calls, context, tools, marks),
      })
    },
    renderResult: (result, context) => renderResult(result, marksOf(context)),
    neutralise: (text, context) => marksOf(context).neutralise(text),
    createReader: (reading) => createFormatReader(data, marksOf(reading), reading),
  }
}

function renderResult(result: ResultPart, marks: Marks): string {
  return renderFramed(resultTag(result), result, '</tool_response>', (text) => marks.neutralise(text))
}

/**
 * The tag that opens a result in a prompt, as `describeFormat` describes it to the model; `</tool_response>` closes it.
 */
export function resultTag({ callId, name, isError }: ResultPart): string {
  return `<tool_response id="${attributeValue(callId)}" name="${attributeValue(name)}" status="${isError ? 'error' : 'success'}">`
}
