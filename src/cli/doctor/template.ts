import { AnycallError } from '../../conversation/index.ts'
import { analyzeTemplate, type ChatTemplate, type TemplateDialect, templateDialect } from '../../templates/index.ts'
import type { Upstream } from '../../upstreams/index.ts'
import { handlers } from '../template/report.ts'
import { type AskOptions, serverMs, withTimeout } from './ask.ts'
import { type Check, no, notKnown, ok } from './check.ts'

/** The checks of a model's chat template, and the dialect made of it. */
export interface TemplateFinding {
  checks: Check[]
  dialect?: TemplateDialect
}

/** A template that a rule names. */
export interface ConfiguredTemplate {
  file: string
  template: ChatTemplate
}

/** Looks for the template: the configured one, else the upstream's own. */
export async function findTemplate(
  upstream: Upstream,
  model: string,
  configured: ConfiguredTemplate | undefined,
  options: AskOptions,
): Promise<TemplateFinding> {
  const takesPrompts = upstream.abilities.requests.includes('prompt')
  if (!takesPrompts) return { checks: withoutPrompts(upstream, configured) }
  try {
    const template =
      configured?.template ??
      (await withTimeout({ ...options, timeoutMs: serverMs }, async (context) => upstream.template?.(model, context)))
    if (template) return judge(template, configured === undefined ? 'the upstream shows it' : `from ${configured.file}`)
    const found = no('template', 'the upstream accepts prompts, but does not show its chat template', templateAdvice)
    return { checks: [found, noDialect] }
  } catch (error) {
    if (!AnycallError.isInstance(error)) throw error
    return { checks: [no('template', error.message, templateAdvice), noDialect] }
  }
}

const templateAdvice =
  "Name its file in the model's rule (template: FILE); the model's page on Hugging Face has it as chat_template.jinja or in tokenizer_config.json."
const noDialect = notKnown('dialect', 'no chat template is known')

function withoutPrompts({ type }: Upstream, configured: ConfiguredTemplate | undefined): Check[] {
  const template = configured
    ? no(
        'template',
        `${configured.file} is not used: an upstream of type ${type} does not accept prompts`,
        'Use a type that accepts prompts, if the server supports it: llama-server, vllm or sglang.',
      )
    : notKnown('template', 'none is needed: the upstream writes its prompts itself')
  return [template, noDialect]
}

function judge(template: ChatTemplate, from: string): TemplateFinding {
  const analysis = analyzeTemplate(template)
  const dialect = templateDialect(analysis)
  const { calls, hypothesis, handler, families, probes } = analysis
  if (calls === undefined) {
    const seen = notKnown('dialect', 'the template renders no calls: prompts describe a form, and every form is read')
    return { dialect, checks: [ok('template', `${from}; it renders no calls`), seen] }
  }
  const passed = probes.filter((probe) => probe.passed).length
  const read = families.length === 0 ? '' : `; ${families.join(', ')} can read it as well`
  const seen = `${handlers[handler] ?? handler}; ${passed} of ${probes.length} probes are read back${read}`
  const recognised =
    handler === 'prompted'
      ? no('dialect', seen, 'anycall template FILE --diff shows what was not understood. Use plan prompted.')
      : ok('dialect', seen)
  return { dialect, checks: [ok('template', `${from}; calls: ${hypothesis}`), recognised] }
}
