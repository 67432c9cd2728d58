import type { Tool } from '../conversation/index.ts'

const texts = new WeakMap<readonly Tool[], string>()

/** All of the tools as one text, made once for a request: trigger and description both depend on all of it. */
export function toolsText(tools: readonly Tool[]): string {
  const known = texts.get(tools)
  if (known !== undefined) return known
  const text = JSON.stringify(tools)
  texts.set(tools, text)
  return text
}
