import type { LanguageModelV3CallOptions, SharedV3Warning } from '@ai-sdk/provider'
import type { Tool } from '../conversation/index.ts'
import { demandsCall } from '../dialects/index.ts'
import { readOffer } from './offer.ts'
import type { Settings } from './options.ts'
import { holdsCalls, writePrompt } from './prompt.ts'
import type { Reading } from './reading.ts'
import { promptedFormat } from './response-format.ts'
import { triggerOfPrompt } from './trigger.ts'

/** The state of a model call between its parameters and its reply. */
export interface Plan {
  reading: Reading
  warnings: SharedV3Warning[]
  /** True if a required tool call that does not come is requested once more. */
  asksAgain: boolean
}

/** Creates the parameters that the model receives, and keeps for each the inputs for reading its reply. */
export class Planner {
  readonly #settings: Settings
  /** By the very object that the SDK hands on, so that nothing of anycall's reaches a provider. */
  readonly #plans = new WeakMap<LanguageModelV3CallOptions, Plan>()

  constructor(settings: Settings) {
    this.#settings = settings
  }

  /** The plan for parameters that `transform` made; undefined if there is nothing to do. */
  planOf(params: LanguageModelV3CallOptions): Plan | undefined {
    return this.#plans.get(params)
  }

  async transform(params: LanguageModelV3CallOptions): Promise<LanguageModelV3CallOptions> {
    const { dialect, tools: mode, parallelCalls, resultMedia } = this.#settings
    const { tools, toolChoice, native } = readOffer(params)
    if (tools.length === 0 && (mode === 'pass' || !holdsCalls(params.prompt))) return params

    const promptContext = { trigger: await this.#trigger(params, tools), tools }
    const policy = { tools, toolChoice, parallelCalls }
    const reading: Reading = { ...policy, dialect, promptContext, options: this.#settings.reading }
    // The object is new anyway: parameters that a caller uses again must not find a plan.
    if (mode === 'pass') return this.#remember({ ...params }, { reading, warnings: [], asksAgain: false })

    const format = promptedFormat(params.responseFormat, policy)
    const description = mode === 'describe' && tools.length > 0 ? dialect.describe(policy, promptContext) : ''
    const instructions = [description, format?.text ?? ''].filter((text) => text !== '').join('\n\n')
    const { prompt, leftOut } = writePrompt(params.prompt, { dialect, promptContext, tools, instructions, resultMedia })
    const { tools: _, toolChoice: __, responseFormat, ...rest } = params
    const prompted = { ...rest, ...native, ...(responseFormat && !format && { responseFormat }), prompt }
    const warnings = [...(format ? [format.warning] : []), ...mediaWarnings(leftOut)]
    const read = format ? { ...reading, format: format.format } : reading
    return this.#remember(prompted, { reading: read, warnings, asksAgain: demandsCall(policy) })
  }

  #remember(params: LanguageModelV3CallOptions, plan: Plan): LanguageModelV3CallOptions {
    this.#plans.set(params, plan)
    return params
  }

  async #trigger({ prompt }: LanguageModelV3CallOptions, tools: readonly Tool[]): Promise<string> {
    const { dialect, trigger, secret } = this.#settings
    if (trigger !== undefined) return trigger
    return dialect.usesTrigger ? triggerOfPrompt(prompt, tools, secret) : ''
  }
}

function mediaWarnings(leftOut: readonly string[]): SharedV3Warning[] {
  if (leftOut.length === 0) return []
  const details = `The model gets a note instead of: ${[...new Set(leftOut)].join('; ')}. resultMedia: 'send' sends them.`
  return [{ type: 'unsupported', feature: 'images and files in tool results', details }]
}
