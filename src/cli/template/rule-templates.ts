import { AnycallError } from '../../conversation/index.ts'
import { ConfigError, type ModelRule } from '../../gateway/index.ts'
import type { ChatTemplate } from '../../templates/index.ts'
import { FlagError } from '../io/flags.ts'
import type { Io } from '../io/io.ts'
import { templateOf } from './source.ts'

/** The sources of template names. */
export interface TemplateNaming {
  /** The value of `--template`, which overrides all rules. */
  flag: string | undefined
  /** The configuration file. */
  file: string | undefined
}

/**
 * Loads the chat templates that rules name, by those names. Throws a ConfigError that lists all failures with their rules; for the
 * flag, a FlagError.
 */
export async function loadRuleTemplates(
  rules: readonly ModelRule[],
  { flag, file }: TemplateNaming,
  io: Pick<Io, 'fetch' | 'signal'>,
): Promise<Map<string, ChatTemplate>> {
  const names = new Set(rules.flatMap(({ template }) => template ?? []))
  const loaded = await Promise.all([...names].map(async (name) => ({ name, template: await load(name, io) })))
  const wrong = new Map(
    loaded.flatMap(({ name, template }) => (typeof template === 'string' ? [[name, template]] : [])),
  )
  const [first] = wrong.values()
  if (first !== undefined && flag !== undefined) throw new FlagError(`--template: ${first}`)
  if (first !== undefined) throw new ConfigError(file ?? 'no file', problemsOf(rules, wrong))
  return new Map(loaded.flatMap(({ name, template }) => (typeof template === 'string' ? [] : [[name, template]])))
}

/** Loads a template; a string is the error. */
async function load(name: string, io: Pick<Io, 'fetch' | 'signal'>): Promise<ChatTemplate | string> {
  try {
    return await templateOf(name, {}, io)
  } catch (error) {
    if (error instanceof FlagError || AnycallError.isInstance(error)) return error.message
    throw error
  }
}

function problemsOf(rules: readonly ModelRule[], wrong: ReadonlyMap<string, string>): ConfigError['problems'] {
  return rules.flatMap(({ template, match }, index) => {
    const message = template === undefined ? undefined : wrong.get(template)
    if (message === undefined) return []
    return [{ path: ['models', index, 'template'], message: `${message} (the rule for ${match.join(', ')})` }]
  })
}
