import type { Tool } from '../../conversation/index.ts'

/**
 * The tool that a text names: by its exact name, else in another case or with other signs between the words (`Get weather` for
 * `get_weather`). The first name in the text counts, and of two that begin at one place the longer one.
 */
export function namedTool(text: string, tools: readonly Tool[]): Tool | undefined {
  return firstNamed(text, tools, (name) => name) ?? firstNamed(plain(text), tools, plain)
}

function firstNamed(text: string, tools: readonly Tool[], formOf: (name: string) => string): Tool | undefined {
  let found: { tool: Tool; at: number; length: number } | undefined
  for (const tool of tools) {
    const name = formOf(tool.name)
    const at = wordAt(text, name)
    if (at < 0 || (found && (at > found.at || (at === found.at && name.length <= found.length)))) continue
    found = { tool, at, length: name.length }
  }
  return found?.tool
}

/** Returns the offset of a name in a text as a separate word, or -1. */
function wordAt(text: string, name: string): number {
  if (name === '') return -1
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
    const end = at + name.length
    if (!/[\p{L}\p{N}_]/u.test(text.charAt(at - 1)) && !/[\p{L}\p{N}_]/u.test(text.charAt(end))) return at
  }
  return -1
}

/** Words in small letters with a blank between them: `getWeather`, `get-weather` and `get_weather` are one. */
function plain(text: string): string {
  return text
    .replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, ' ')
    .replace(/[\s_-]+/g, ' ')
    .toLowerCase()
}
