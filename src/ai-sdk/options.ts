import { AnycallError } from '../conversation/index.ts'
import { type Dialect, dialectOf } from '../dialects/index.ts'
import type { ResultMedia } from './prompt/tool-result.ts'
import type { ReadingOptions } from './reply/reading.ts'

/**
 * The way in which the model learns of the tools: described in the prompt, assumed to be known, or passed to the
 * provider.
 */
export type ToolsMode = 'describe' | 'assume' | 'pass'

/** The options of `toolCallMiddleware`; all of them are optional. */
export interface ToolCallMiddlewareOptions extends ReadingOptions {
  /** The dialect in which the model writes calls: a dialect's name, or your own dialect. Default `universal`. */
  dialect?: string | Dialect
  /**
   * The way in which the model learns of the tools. `describe` (the default): they are described in the system message.
   * `assume`: your own prompt describes them. `pass`: the provider receives them unchanged, and only calls in the
   * model's text are read.
   */
  tools?: ToolsMode
  /** False: at most one call a reply. Default true. */
  parallelCalls?: boolean
  /** The line that announces calls, in dialects with one; it holds a `<`. Default: derived from the conversation. */
  trigger?: string
  /**
   * The secret from which triggers are derived, so that no one outside can guess them. Use the same secret in all of
   * your processes.
   */
  secret?: string
  /** Images and files in tool results: a note in their place (the default), or sent along in the user message. */
  resultMedia?: ResultMedia
}

/** The options as they are used. */
export interface Settings {
  dialect: Dialect
  tools: ToolsMode
  parallelCalls: boolean
  trigger: string | undefined
  secret: string | undefined
  resultMedia: ResultMedia
  reading: ReadingOptions
}

/** Fills in defaults. Throws an AnycallError (`invalid-request`) if the options cannot work together. */
export function settingsOf(options: ToolCallMiddlewareOptions): Settings {
  const {
    dialect: chosen = 'universal',
    tools = 'describe',
    parallelCalls = true,
    resultMedia = 'note',
    trigger,
    secret,
    ...reading
  } = options
  const dialect = dialectOf(chosen)
  if (trigger !== undefined && !trigger.includes('<')) {
    throw invalid('trigger', `"${trigger}" has no "<"; write it in the manner of <<CALL_9f3a27c1>>.`)
  }
  if (tools !== 'describe' && dialect.usesTrigger && trigger === undefined) {
    throw invalid(
      'tools',
      `with "${tools}" the model is not told the trigger of the dialect ${dialect.name}. Give a trigger and say it in your own prompt, or choose a dialect without one.`,
    )
  }
  return { dialect, tools, parallelCalls, trigger, secret, resultMedia, reading }
}

function invalid(param: string, message: string): AnycallError {
  return new AnycallError('invalid-request', `${param}: ${message}`, { param })
}
