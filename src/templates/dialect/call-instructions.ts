import { type Conversation, listedToolsOf } from '../../conversation/index.ts'
import type { FormatData, Marks } from '../../dialects/index.ts'
import { describeFormat, KnownDescriptions, resultTag, writeInFormat } from '../../dialects/index.ts'
import type { TemplateAnalysis } from '../analysis/analysis.ts'
import type { CallInstructions, CallWriting } from '../render/assistant-messages.ts'

/** True if the template writes the calls of earlier turns, in a form that is known. */
export function rendersCalls({ capabilities, handler }: TemplateAnalysis): boolean {
  return capabilities.calls && handler !== 'prompted'
}

/** True if a prompt may need information that the template leaves out. */
export function mayInstruct(analysis: TemplateAnalysis): boolean {
  const { tools, toolsBesideSystem, system } = analysis.capabilities
  return !rendersCalls(analysis) || tools === undefined || (system && !toolsBesideSystem)
}

/** The form of calls and results for which the template has no place: the format in which they are read. */
export function callWriting(analysis: TemplateAnalysis, format: FormatData, marks: () => Marks): CallWriting {
  return {
    writeCalls: (calls, tools) => writeInFormat(format, calls, tools, marks()),
    writeResult: (result, text) => `${resultTag(result)}\n${text}\n</tool_response>`,
    replacesCalls: !rendersCalls(analysis),
  }
}

/**
 * Describes a conversation's tools as far as the template does not: in the form in which calls are read and
 * constrained.
 */
export class CallDescriber {
  readonly #analysis: TemplateAnalysis
  readonly #format: FormatData
  readonly #known = new KnownDescriptions<string>()

  constructor(analysis: TemplateAnalysis, format: FormatData) {
    this.#analysis = analysis
    this.#format = format
  }

  /** `marks` are broken in the tools' texts. */
  instructions(conversation: Conversation, marks: Marks): CallInstructions {
    const { toolChoice, parallelCalls } = conversation
    const { asked, capabilities } = this.#analysis
    const isRendered = rendersCalls(this.#analysis)
    const policy = { tools: listedToolsOf(conversation), toolChoice, parallelCalls }
    const placesResults = isRendered && capabilities.results
    return {
      // A model was trained on the form that its template renders.
      areSaid: (hasSystem) => isRendered || (asked?.[hasSystem ? 'besideSystem' : 'alone'] ?? false),
      write: (isListed) =>
        this.#known.of(policy, isListed ? 'listed' : '', () =>
          describeFormat(this.#format, policy, { marks, isListed, placesResults }),
        ),
    }
  }
}
