import type { JsonObject } from '../../conversation/index.ts'
import type { Steps } from '../../json/index.ts'
import { type CompiledTemplate, compileTemplate, type Rendering, type RenderSettings } from '../jinja/template.ts'
import { LoadError } from './load-error.ts'

/** A model's chat template, ready to render, with the information of its source about the model. */
export interface ChatTemplate {
  source: string
  /** The name among several templates (`default`, `tool_use`). Empty for a single template. */
  name: string
  /** The names of all that the source had. */
  names: readonly string[]
  /** By the variable that templates use for them: `bos_token`, `eos_token` and so on. */
  specialTokens: Readonly<Record<string, string>>
  /** The tokens that the tokenizer has beyond plain text, if the source lists them. */
  addedTokens: readonly string[]
  /** The published format of replies, if a tokenizer config of Hugging Face has one. */
  responseTemplate?: JsonObject
  compiled: CompiledTemplate
}

export type Loaded = { type: 'template'; template: ChatTemplate } | LoadError

export interface LoadOptions {
  /** The name of one of several templates. Default: `tool_use`, otherwise `default`, otherwise the first. */
  name?: string
  /** Special tokens that override those of the source, or that a bare template lacks. */
  specialTokens?: Readonly<Record<string, string>>
}

/** The contents of a source, before the template itself is read. */
export interface TemplateParts {
  templates: readonly { name: string; source: string }[]
  specialTokens: Readonly<Record<string, string>>
  addedTokens: readonly string[]
  responseTemplate?: JsonObject
}

/** Longer than any template; the longest known has 40 kB. To read this much takes well under a second. */
const longestSource = 500_000

export function buildTemplate(parts: TemplateParts, options: LoadOptions = {}): Loaded {
  const names = parts.templates.map(({ name }) => name)
  const wanted = options.name === undefined ? ['tool_use', 'default', names[0]] : [options.name]
  const chosen = wanted.map((name) => parts.templates.find((one) => one.name === name)).find((one) => one !== undefined)
  if (!chosen) {
    const others = names.every((name) => name === '')
      ? 'there is one, without a name'
      : `there are: ${names.join(', ')}`
    return new LoadError(`there is no template ${JSON.stringify(options.name)}; ${others}`)
  }
  if (chosen.source.length > longestSource) {
    return new LoadError(`the template has ${chosen.source.length} characters, more than ${longestSource}`)
  }
  const compiled = compileTemplate(chosen.source)
  if (compiled.type === 'error') {
    return new LoadError(`the template cannot be read: ${compiled.message}`, { line: compiled.line })
  }
  const template: ChatTemplate = {
    source: chosen.source,
    name: chosen.name,
    names,
    specialTokens: { ...parts.specialTokens, ...options.specialTokens },
    addedTokens: parts.addedTokens,
    ...(parts.responseTemplate && { responseTemplate: parts.responseTemplate }),
    compiled: compiled.template,
  }
  return { type: 'template', template }
}

/** Renders with variables as they are, the template's own special tokens after them. */
export function renderVariables(
  template: ChatTemplate,
  variables: Readonly<Record<string, unknown>>,
  settings: RenderSettings = {},
): Rendering {
  return template.compiled.render(withTokens(template, variables), settings)
}

/** The work of `renderVariables` in steps. */
export function variablesRendering(
  template: ChatTemplate,
  variables: Readonly<Record<string, unknown>>,
  settings: RenderSettings = {},
): Steps<Rendering> {
  return template.compiled.rendering(withTokens(template, variables), settings)
}

function withTokens(
  { specialTokens }: ChatTemplate,
  variables: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return { bos_token: '', eos_token: '', ...specialTokens, ...variables }
}
