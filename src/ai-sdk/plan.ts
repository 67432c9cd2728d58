import type { LanguageModelV3CallOptions, SharedV3Warning } from '@ai-sdk/provider'
import type { Tool } from '../conversation/index.ts'
import type { Settings } from './options.ts'
import { readOffer } from './prompt/offer.ts'
import { holdsCalls, writeTextPrompt } from './prompt/prompt.ts'
import { promptedFormat, responseFormatOf } from './prompt/response-format.ts'
import { triggerOfPrompt } from './prompt/trigger.ts'
import type { Reading } from './reply/reading.ts'
import { type Wanted, wantedOf, wantedValue } from './reply/wanted.ts'

/** The state of a model call between its parameters and its reply. */
export interface Plan {
  reading: Reading
  warnings: SharedV3Warning[]
  /** The thing that is requested once more if the reply does not have it. */
  wanted: Wanted | undefined
}

/** Creates the parameters that the model receives, and keeps for each the inputs for reading its reply. */
export class Planner {
  readonly #settings: Settings
  /** Found by the identity of the object that the SDK passes on, so that no data of anycall reaches a provider. */
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
    const format = responseFormatOf(params.responseFormat)
    if (tools.length === 0 && !format && (mode === 'pass' || !holdsCalls(params.prompt))) return params

    const promptContext = { trigger: await this.#trigger(params, tools), tools }
    const policy = { tools, toolChoice, parallelCalls }
    const options = this.#settings.reading
    const reading: Reading = { ...policy, dialect, promptContext, options, ...(format && { format }) }
    // The object is new anyway: parameters that a caller uses again must not find a plan.
    if (mode === 'pass') return this.#remember({ ...params }, { reading, warnings: [], wanted: wantedValue(reading) })

    const said = promptedFormat(format, policy)
    const description = mode === 'describe' && tools.length > 0 ? dialect.describe(policy, promptContext) : ''
    const instructions = [description, said.text].filter((text) => text !== '').join('\n\n')
    const { prompt, leftOut } = writeTextPrompt(params.prompt, {
      dialect,
      promptContext,
      tools,
      instructions,
      resultMedia,
    })
    const { tools: _, toolChoice: __, responseFormat, ...rest } = params
    const prompted = { ...rest, ...native, ...(responseFormat && said.isSent && { responseFormat }), prompt }
    const warnings = [...said.warnings, ...mediaWarnings(leftOut)]
    return this.#remember(prompted, { reading, warnings, wanted: wantedOf(reading) })
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
