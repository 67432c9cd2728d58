import type { ConversationInput, JsonObject } from '../conversation/index.ts'
import { type RawVariables, type Rendered, type RenderOptions, safeRenderTemplate } from './render/render.ts'
import type { ChatTemplate, Loaded, LoadOptions } from './source/chat-template.ts'
import { type ReadBytes, safeLoadGgufTemplate } from './source/gguf.ts'
import { safeLoadTemplate } from './source/load.ts'

/**
 * Returns the chat template of a source: the text of a `.jinja` file, or a JSON file that has one. Throws a LoadError for a source
 * that has no template or one that does not parse; `safeLoadTemplate` returns the error instead.
 *
 * @example
 * const template = loadTemplate(readFileSync('tokenizer_config.json', 'utf8'))
 */
export function loadTemplate(source: string | JsonObject, options?: LoadOptions): ChatTemplate {
  return templateOf(safeLoadTemplate(source, options))
}

/**
 * Returns the chat template of a GGUF file, of which it reads only the header. Throws a LoadError for a file that has no template or one
 * that does not parse; `safeLoadGgufTemplate` returns the error instead.
 *
 * @example
 * const template = await loadGgufTemplate((offset, length) => readBytes(file, offset, length))
 */
export async function loadGgufTemplate(read: ReadBytes, options?: LoadOptions): Promise<ChatTemplate> {
  return templateOf(await safeLoadGgufTemplate(read, options))
}

/**
 * Returns the text that a template makes of a conversation or of variables, and the adaptations that were made. Throws
 * a RenderError if the template refuses them or exceeds its limits; `safeRenderTemplate` returns the error instead.
 *
 * @example
 * const { text } = renderTemplate(template, { messages: [{ role: 'user', content: 'Hello' }] })
 */
export function renderTemplate(
  template: ChatTemplate,
  input: ConversationInput | RawVariables,
  options?: RenderOptions,
): Extract<Rendered, { type: 'text' }> {
  const rendered = safeRenderTemplate(template, input, options)
  if (rendered.type === 'error') throw rendered
  return rendered
}

function templateOf(loaded: Loaded): ChatTemplate {
  if (loaded.type === 'error') throw loaded
  return loaded.template
}
