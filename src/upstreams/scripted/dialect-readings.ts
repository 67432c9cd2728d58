import { isJsonObject, type JsonObject, type JsonValue, type Tool } from '../../conversation/index.ts'
import { decodeEntities, findElements, findElementText, withoutElements } from './elements.ts'
import { type CallForm, readExample } from './example-form.ts'

/** A call that the stand-in is about to write. */
export interface PlannedCall {
  name: string
  arguments: JsonObject
}

/** What the instructions of a dialect tell a model that reads them. */
export interface Instructions {
  tools: Tool[]
  /** The system text without the list of tools. */
  rest: string
  /** The tag of a tool's result. */
  resultTag: string
  /** Calls, in the form that the instructions ask for. */
  writeCalls(calls: readonly PlannedCall[]): string
  /** The names of the calls in the text of an assistant message. */
  readCallNames(text: string): string[]
}

/** How the stand-in understands one way of describing tools: from the prompt alone, never from the code that wrote it. */
interface PromptReading {
  /** The tag around the list of tools. */
  listTag: string
  readTools(list: string): Tool[]
  /** What the text behind the list says of calls and results; undefined when it does not say what it must. */
  readForm(rest: string): Omit<Instructions, 'tools' | 'rest'> | undefined
}

const readings: readonly PromptReading[] = [
  // Toolify: tools as elements, a trigger before the calls.
  {
    listTag: 'function_list',
    readTools: readToolElements,
    readForm: (rest) => {
      const trigger = rest.match(/<<CALL_[0-9a-z]+>>/g)?.at(-1)
      if (trigger === undefined) return undefined
      return {
        resultTag: 'tool_result',
        writeCalls: (calls) => `${trigger}\n${calls.map(writeInvoke).join('\n')}`,
        readCallNames: (text) => {
          const start = text.indexOf(trigger)
          return start < 0
            ? []
            : [...text.slice(start).matchAll(/<invoke name="([^"]*)"/g)].map(([, name = '']) => name)
        },
      }
    },
  },
  // All others: tools as lines of JSON, an example of a call with placeholders.
  {
    listTag: 'tools',
    readTools: readToolLines,
    readForm: (rest) => {
      const writeCalls = readShownForm(rest)
      if (writeCalls === undefined) return undefined
      return {
        resultTag: /\bas <([\w-]{1,64}) id="ID"/.exec(rest)?.[1] ?? 'tool_response',
        writeCalls,
        // Forms are many, and results name their tools: those tell what was called.
        readCallNames: () => [],
      }
    },
  },
]

function writeInvoke({ name, arguments: values }: PlannedCall): string {
  const lines = Object.entries(values).map(
    ([key, value]) =>
      `<parameter name="${key}">${typeof value === 'string' ? value : JSON.stringify(value)}</parameter>\n`,
  )
  return `<invoke name="${name}">\n${lines.join('')}</invoke>`
}

/** What stands before the example of a call; a list of rules follows it. */
const formOpening = 'in exactly this form:\n\n'

function readShownForm(rest: string): CallForm | undefined {
  const opening = rest.lastIndexOf(formOpening)
  if (opening < 0) return undefined
  const start = opening + formOpening.length
  // Behind it come a form for two calls, or the rules.
  const [example = ''] = rest.slice(start).split(/\n\n(?:- |Two calls in a reply:)/, 1)
  return readExample(example)
}

/** More openings than this of one list are prose about it, not lists. */
const listsTried = 8

/** Finds the tools and the way to call them in the system text; undefined when it tells of none. */
export function readInstructions(system: string): Instructions | undefined {
  for (const reading of readings) {
    for (const list of findLists(system, reading.listTag)) {
      const tools = reading.readTools(system.slice(list.start, list.end))
      const rest = `${system.slice(0, list.start)}\n${system.slice(list.end)}`
      const form = tools.length > 0 ? reading.readForm(rest) : undefined
      if (form !== undefined) return { tools, rest, ...form }
    }
  }
  return undefined
}

/** The places where the list may be. Prose may name the tag before the list does, so each opening is a candidate. */
function findLists(system: string, tag: string): { start: number; end: number }[] {
  const lists: { start: number; end: number }[] = []
  let at = 0
  while (lists.length < listsTried) {
    const opening = system.indexOf(`<${tag}>`, at)
    if (opening < 0) break
    const start = opening + tag.length + 2
    const end = system.indexOf(`</${tag}>`, start)
    if (end < 0) break
    lists.push({ start, end })
    at = start
  }
  return lists
}

function readToolLines(list: string): Tool[] {
  return list.split('\n').flatMap((line) => {
    const tool = line.trimStart().startsWith('{') ? parseJson(line) : undefined
    if (!isJsonObject(tool) || typeof tool.name !== 'string') return []
    return [
      {
        name: tool.name,
        description: typeof tool.description === 'string' ? tool.description : '',
        schema: [tool.parameters, tool.input_schema].find(isJsonObject) ?? {},
      },
    ]
  })
}

function readToolElements(list: string): Tool[] {
  // By the opening tags alone: a description may well say `</tool>`.
  const described = list.split(/<tool(?:\s[^<>]{0,256})?>/).slice(1)
  return described.flatMap((text) => {
    const parameterLists = findElements(text, 'parameters')
    const head = withoutElements(text, parameterLists)
    const name = findElementText(head, 'name')
    if (name === undefined || name === '') return []
    const required: JsonValue[] = findElements(head, 'required').flatMap((names) =>
      findElements(names.text, 'param').map((param) => param.text.trim()),
    )
    let schema: JsonObject = readSchema(findElementText(head, 'schema'))
    const properties: [string, JsonObject][] = []
    for (const parameter of parameterLists.flatMap((parameters) => findElements(parameters.text, 'parameter'))) {
      const key = parameter.attributes.get('name')
      if (key === undefined) continue
      const property = readParameter(parameter.text)
      // A `$ref` in a parameter points from the root of the tool's schema, wherever the definitions are shown.
      for (const definitions of ['$defs', 'definitions']) {
        const shown = property[definitions]
        const known = schema[definitions]
        if (isJsonObject(shown))
          schema = { ...schema, [definitions]: { ...(isJsonObject(known) ? known : {}), ...shown } }
      }
      properties.push([key, property])
      if (/<required>\s*true\s*<\/required>/.test(parameter.text) && !required.includes(key)) required.push(key)
    }
    if (properties.length > 0) schema = { ...schema, properties: Object.fromEntries(properties) }
    if (required.length > 0) schema = { ...schema, required }
    return [{ name, description: findElementText(head, 'description') ?? '', schema: { type: 'object', ...schema } }]
  })
}

function readParameter(text: string): JsonObject {
  const schema = readSchema(findElementText(text, 'schema'))
  const shown: JsonObject = {}
  const type = findElementText(text, 'type')
  if (type !== undefined && type !== 'any') shown.type = readType(type)
  const description = findElementText(text, 'description')
  if (description !== undefined) shown.description = description
  const choices = parseJson(findElementText(text, 'enum') ?? '')
  if (Array.isArray(choices)) shown.enum = choices
  return { ...shown, ...schema }
}

/** `string`, `["string","null"]` or `string | null`. */
function readType(text: string): JsonValue {
  const parsed = parseJson(text)
  if (Array.isArray(parsed)) return parsed
  const types = text.split(/[|,]/).map((type) => type.trim())
  return types.length > 1 ? types : text
}

function readSchema(text: string | undefined): JsonObject {
  const schema = text === undefined ? undefined : parseJson(text)
  return isJsonObject(schema) ? schema : {}
}

/** JSON as a prompt may show it: plain, with its angle brackets written as entities, or with joiners between its signs. */
function parseJson(text: string): JsonValue | undefined {
  for (const candidate of new Set([text, decodeEntities(text), withoutJoiners(text)])) {
    try {
      return JSON.parse(candidate)
    } catch {
      // The next candidate, or nothing: a model that cannot read a schema goes on without it.
    }
  }
  return undefined
}

/** JSON without the word joiners that keep it from being read as a call; those in strings are part of what is said. */
function withoutJoiners(text: string): string {
  if (!text.includes('\u2060')) return text
  return text.replace(/"(?:[^"\\]|\\.)*(?:"|$)|\u2060+/gs, (found) => (found.startsWith('"') ? found : ''))
}
