import { isJsonObject, type JsonValue, type Tool } from '../../conversation/index.ts'

/** The names of the search, in the order of preference: the first that no tool of the client has. */
const searchNames = ['tool_search', 'search_tools', 'anycall_tool_search'] as const

/** The longest line about a tool, in characters. */
const mostLine = 100

/** Returns the tool by which a model finds others, with the list of them; undefined if its names are taken. */
export function searchToolFor(tools: readonly Tool[]): Tool | undefined {
  const taken = new Set(tools.map(({ name }) => name))
  const name = searchNames.find((one) => !taken.has(one))
  if (name === undefined) return undefined
  return {
    name,
    description: [
      'Shows how tools of this list are called. Search for a tool before its first call.',
      '',
      ...tools.map(lineOf),
    ].join('\n'),
    schema: {
      type: 'object',
      properties: {
        query: {
          type: 'string',
          description: 'Names of tools from the list, with commas between them, or words to find.',
        },
      },
      required: ['query'],
    },
  }
}

function lineOf({ name, description }: Tool): string {
  const [line = ''] = description
    .slice(0, 4 * mostLine)
    .trim()
    .split('\n', 1)
  const [sentence = ''] = line.split('. ', 1)
  const shown = sentence.length > mostLine ? `${sentence.slice(0, mostLine).trimEnd()}…` : sentence
  return shown === '' ? `- ${name}` : `- ${name}: ${shown}`
}

/** The most words of a query, tools that words find, and characters of a description that are searched. */
const mostWords = 50
const mostFound = 5
const mostSearched = 2000

/**
 * Returns the tools that a search finds: those whose names are in the query, or else those with the most of its words in their names and
 * descriptions.
 *
 * @example
 * findTools('{"query": "weather"}', tools)
 */
export function findTools(argumentsJson: string, tools: readonly Tool[]): Tool[] {
  const words = wordsOf(argumentsJson)
  const named = tools.filter(({ name }) => words.includes(name.toLowerCase()))
  if (named.length > 0) return named
  const scored = tools.flatMap((tool) => {
    const name = tool.name.toLowerCase()
    const description = tool.description.slice(0, mostSearched).toLowerCase()
    // A match in the name counts more: a description has many words.
    const score = words.reduce(
      (sum, word) => sum + (name.includes(word) ? 3 : 0) + (description.includes(word) ? 1 : 0),
      0,
    )
    return score === 0 ? [] : [{ tool, score }]
  })
  const best = scored.sort((a, b) => b.score - a.score).slice(0, mostFound)
  return best.map(({ tool }) => tool)
}

function wordsOf(argumentsJson: string): string[] {
  const texts = textsIn(parsed(argumentsJson))
  const words = texts.flatMap((text) =>
    text
      .slice(0, mostSearched)
      .toLowerCase()
      .split(/[\s,;:"'`]/),
  )
  return words.filter((word) => word.length > 1).slice(0, mostWords)
}

function parsed(json: string): JsonValue {
  try {
    return JSON.parse(json)
  } catch {
    return json
  }
}

/** Models write a list in place of a text, or another name of the argument. */
function textsIn(value: JsonValue): string[] {
  const values: unknown[] = isJsonObject(value) ? Object.values(value).flat() : [value].flat()
  return values.filter((one) => typeof one === 'string')
}
