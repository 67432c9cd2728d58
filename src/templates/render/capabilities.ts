import { memoize } from '../../conversation/index.ts'
import { type ChatTemplate, renderVariables } from '../source/chat-template.ts'
import { probes, probeTexts } from './probes.ts'

/**
 * The capabilities that a template showed when small conversations were rendered with it. Nothing is known of it by its name or its source: a template that
 * takes something renders it, and one that does not leaves it out, writes it as Python would, or refuses.
 */
export interface TemplateCapabilities {
  /** A system message at the start; without it, its text goes to the first user message. */
  system: boolean
  /** System messages between the turns, in their place. */
  laterSystem: boolean
  /** Two messages of the user in a row. */
  repeatedUser: boolean
  stringContent: boolean
  /** Content as a list of parts. */
  partsContent: boolean
  /** The form of the tools that it lists. Undefined if it lists none. */
  tools: 'wrapped' | 'bare' | undefined
  /**
   * The shortest text of a system message with which it lists tools; undefined if it lists them without one, or not at
   * all.
   */
  systemForTools: string | undefined
  /** It lists tools beside a system message: some list them only if the conversation has no system message. */
  toolsBesideSystem: boolean
  /** False if a parameter without a description makes it fail. */
  bareParameters: boolean
  calls: boolean
  /** Calls are shown only if another message follows: a last one is treated as a text to be continued. */
  callsOnlyIfFollowed: boolean
  /** Several calls in one message. */
  parallelCalls: boolean
  /** The form of arguments that the template renders as JSON or as tags. */
  argumentsAs: 'object' | 'string'
  /** The content of a message that has calls only. */
  emptyContent: '' | null | undefined
  /** Text and calls in one message; without it the text is a message before. */
  textWithCalls: boolean
  /** A text as a separate message before one with calls: two messages of the assistant in a row. */
  textBeforeCalls: boolean
  /** Text, reasoning and calls in one message; without it the text goes to the reasoning. */
  reasoningWithText: boolean
  /** True if it must change lists to render calls, which Transformers does not allow and llama.cpp does. */
  mutable: boolean
  /** Messages of the role `tool`. */
  results: boolean
  /** False if it accepts only ids of nine letters and digits. */
  anyIds: boolean
  /** The place of reasoning: a field, or a part of the content; undefined if the template shows none. */
  reasoning: ReasoningPlace | undefined
  /** Variables that it cannot do without. */
  needs: Needs
}

/**
 * Its further needs. `none`: explicit nulls for missing tools and documents, as Transformers passes them; OLMo 3
 * compares with null. `nothing`, if a template fails on null (Command R+, for tools), or takes it for tools. `extras`:
 * the variables that llama.cpp gives to templates, and Transformers does not; Firefunction concatenates texts of it.
 */
export type Needs = 'none' | 'nothing' | 'extras'

/** A field of the message; `part`: a content part of the type `thinking`. */
export type ReasoningPlace = string

/** The places that clients and most templates use. */
const usualPlaces: readonly ReasoningPlace[] = ['reasoning_content', 'reasoning', 'thinking', 'part']
/** A field of another name: `thought`, as MiniCPM 3 has it. */
const namesReasoning = /think|thought|reason/i
/** The most places that are tried: each costs two renderings. */
const mostPlaces = 12

/**
 * Returns what a template can render. Computed once for each loaded template.
 *
 * @example
 * const { system, calls, parallelCalls } = detectCapabilities(loadTemplate(source))
 */
export const detectCapabilities: (template: ChatTemplate) => TemplateCapabilities = memoize((template) =>
  findCapabilities(template),
)

/** A fixed moment, so that a probe is the same whenever it is made. */
const moment = new Date(2026, 0, 1)
/** A probe is small; a template that needs more steps for one is not supported. */
const limits = { steps: 500_000 }
/** The text of a system message for templates that do not accept an empty one. */
const plainSystem = 'You are a helpful assistant.'

/** Renders probes until one takes more than its budget: the others would do so as well, and each costs as much. */
class CapabilityRenderer {
  readonly #template: ChatTemplate
  #isSpent = false

  constructor(template: ChatTemplate) {
    this.#template = template
  }

  render(variables: Record<string, unknown>, mutable: boolean): string | undefined {
    if (this.#isSpent) return undefined
    const result = renderVariables(this.#template, variables, { now: moment, limits, mutable })
    if (result.type === 'error' && result.reason === 'budget') this.#isSpent = true
    return result.type === 'text' ? result.text : undefined
  }
}

/** The places where a template may read reasoning: the usual ones, and other fields with such a name that it uses. */
function reasoningPlaces({ compiled: { mentions } }: ChatTemplate): ReasoningPlace[] {
  const words = [...mentions.attributes, ...mentions.texts].filter((word) => /^\w{1,40}$/.test(word))
  return [...new Set([...usualPlaces, ...words.filter((word) => namesReasoning.test(word))])].slice(0, mostPlaces)
}

function findCapabilities(template: ChatTemplate): TemplateCapabilities {
  const renderer = new CapabilityRenderer(template)
  const places = reasoningPlaces(template)
  const probe = (mutable: boolean, need: Needs) => probeTemplate(renderer, places, mutable, need)
  const need = findNeed(renderer)
  const found = probe(false, need)
  if (found.calls || need === 'extras') return found
  const changing = probe(true, need)
  return changing.calls ? changing : found
}

function findNeed(renderer: CapabilityRenderer): Needs {
  const shown = (need: Needs) =>
    [false, true]
      .map((asParts) => ({ ...neededVariables(need, undefined, moment), ...probes.user(asParts) }))
      .map((variables) => renderer.render(variables, false))
      .find((text) => text?.includes(probeTexts.userText))
  const [none, nothing] = [shown('none'), shown('nothing')]
  // If the template accepts both, the longer prompt lists tools that do not exist.
  if (none !== undefined && none.length <= (nothing ?? none).length) return 'none'
  if (nothing !== undefined) return 'nothing'
  return shown('extras') === undefined ? 'none' : 'extras'
}

function probeTemplate(
  renderer: CapabilityRenderer,
  places: readonly ReasoningPlace[],
  mutable: boolean,
  needs: Needs,
): TemplateCapabilities {
  const render = (given: Record<string, unknown>): string | undefined =>
    renderer.render({ ...neededVariables(needs, given.tools, moment), ...given }, mutable)
  const shows = (variables: Record<string, unknown>, ...texts: readonly string[]) => {
    const text = render(variables)
    return text !== undefined && texts.every((one) => text.includes(one))
  }
  const stringContent = shows(probes.user(false), probeTexts.userText)
  const partsContent =
    shows(probes.user(true), probeTexts.userText) && !/['"]type['"]\s*:/.test(render(probes.user(true)) ?? '')
  const asParts = !stringContent && partsContent
  const toolForm = (system?: string) =>
    (['wrapped', 'bare'] as const).find((form) => shows(probes.tools(form, true, asParts, system), probeTexts.toolName))
  const withoutSystem = toolForm()
  const tools = withoutSystem ?? toolForm(probeTexts.systemText)
  const needsSystem = withoutSystem === undefined && tools !== undefined
  const systemForTools = needsSystem ? (toolForm('') === tools ? '' : plainSystem) : undefined
  const context = { asParts, tools }

  const choices = (['object', 'string'] as const).flatMap((argumentsAs) =>
    (['', null, undefined] as const).map((emptyContent) => ({ argumentsAs, emptyContent })),
  )
  const bestOf = (isFollowed: boolean) =>
    choices
      .map((choice) => ({
        ...choice,
        isFollowed,
        rank: rankCall(render(probes.calls({ ...context, ...choice, isFollowed }))),
      }))
      .reduce((one, other) => (other.rank > one.rank ? other : one))
  const atEnd = bestOf(false)
  const best = atEnd.rank > 0 ? atEnd : bestOf(true)
  const { isFollowed } = best
  const calling = { ...context, argumentsAs: best.argumentsAs, emptyContent: best.emptyContent, isFollowed }
  const calls = best.rank > 0
  const reasoning = places.find(
    (field) =>
      showsThought(render(probes.reasoning(field, asParts))) ||
      (calls && showsThought(render(probes.calls({ ...calling, reasoningField: field })))),
  )
  const withText = { ...calling, emptyContent: probeTexts.laterText }
  const textWithCalls =
    calls && shows(probes.calls(withText), probeTexts.toolName, probeTexts.argumentName, probeTexts.laterText)

  return {
    system: shows(probes.system(asParts), probeTexts.systemText),
    laterSystem: shows(probes.laterSystem(asParts), probeTexts.systemText, probeTexts.laterText),
    repeatedUser: shows(probes.repeatedUser(asParts), probeTexts.userText, probeTexts.laterText),
    stringContent,
    partsContent,
    tools,
    systemForTools,
    toolsBesideSystem:
      tools !== undefined &&
      shows(probes.tools(tools, true, asParts, probeTexts.systemText), probeTexts.toolName, probeTexts.systemText),
    bareParameters:
      tools === undefined || shows(probes.tools(tools, false, asParts, systemForTools), probeTexts.toolName),
    calls,
    callsOnlyIfFollowed: calls && isFollowed,
    parallelCalls: calls && shows(probes.parallel(calling), probeTexts.toolName, probeTexts.secondToolName),
    argumentsAs: best.argumentsAs,
    emptyContent: best.emptyContent,
    results: calls && shows(probes.result(calling), probeTexts.resultText),
    anyIds: !calls || shows(probes.calls({ ...calling, id: probeTexts.longId }), probeTexts.toolName),
    reasoning,
    textWithCalls,
    textBeforeCalls: calls && shows(probes.textThenCalls(calling), probeTexts.argumentName, probeTexts.laterText),
    reasoningWithText:
      !textWithCalls ||
      reasoning === undefined ||
      shows(probes.calls({ ...withText, reasoningField: reasoning }), probeTexts.argumentName, probeTexts.laterText),
    mutable,
    needs,
  }
}

/** The variables that a template needs besides the given ones, which take precedence. llama.cpp's are the tools as JSON text, and the date. */
export function neededVariables(needs: Needs, tools: unknown, now: Date): Record<string, unknown> {
  switch (needs) {
    case 'nothing':
      return {}
    case 'none':
      return { tools: null, documents: null }
    case 'extras':
      return { functions: JSON.stringify(tools ?? [], undefined, 4), datetime: now.toUTCString() }
  }
}

/** A content part that is printed in Python's notation does not count as shown. */
function showsThought(text: string | undefined): boolean {
  return text?.includes(probeTexts.reasoningText) === true && !/['"]type['"]\s*:\s*['"]thinking/.test(text)
}

/** Rates a rendered call: 0 if it is missing, less than the most if the arguments are Python's or JSON within JSON. */
function rankCall(text: string | undefined): number {
  if (!text?.includes(probeTexts.toolName) || !text.includes(probeTexts.argumentName)) return 0
  const at = text.lastIndexOf(probeTexts.argumentName)
  const before = text.slice(Math.max(0, at - 2), at)
  if (before.endsWith("'") || before.endsWith('\\"')) return 1
  // A content that is not there, written as Python's word for it.
  return /\bNone\b/.test(text) ? 2 : 3
}
