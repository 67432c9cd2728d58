import { dump } from './dump.mjs'
import { closerOf, replaceAll } from './specimen.mjs'

const argumentKey = /"(arguments|parameters|input|args)"\s*:\s*$/
const argumentKeys = ['arguments', 'parameters', 'input', 'args']

/** Mutations of the JSON of calls. */
export const jsonMutations = [
  { name: 'wrong quotes', apply: (specimen) => restyle(specimen, { single: true }) },
  { name: 'curly quotes', apply: curlyQuotes },
  { name: 'Python literals', apply: pythonLiterals },
  { name: 'Python throughout', apply: (specimen) => restyle(specimen, { single: true, python: true }) },
  { name: 'trailing comma', apply: (specimen) => restyle(specimen, { trailing: true }) },
  { name: 'missing commas', apply: (specimen) => restyle(specimen, { noCommas: true }) },
  { name: 'keys without quotes', apply: (specimen) => restyle(specimen, { bareKeys: true }) },
  { name: 'comments', apply: (specimen) => restyle(specimen, { comments: true }) },
  { name: 'raw line breaks', apply: (specimen) => restyle(specimen, { rawBreaks: true }) },
  { name: 'inner quotes', apply: (specimen) => restyle(specimen, { innerQuotes: true }) },
  { name: 'invalid escapes', apply: (specimen) => restyle(specimen, { badEscapes: true }) },
  { name: 'numbers as strings', apply: (specimen) => restyle(specimen, { quotedNumbers: true }) },
  { name: 'doubled braces', apply: doubledBraces },
  { name: 'doubled encoding', apply: doubledEncoding },
  { name: 'escaped payload', apply: escapedPayload },
  { name: 'wrong argument key', apply: wrongArgumentKey },
  { name: 'arguments first', apply: argumentsFirst },
  { name: 'arguments left out', apply: argumentsLeftOut },
  { name: 'OpenAI’s shape', apply: openAiShape },
  { name: 'missing brace', apply: missingBrace },
  { name: 'surplus brace', apply: surplusBrace },
]

/** All JSON written anew in another style. */
function restyle({ text, calls }, style) {
  return replaced(text, restyled(calls, style))
}

function restyled(calls, style) {
  const replacements = []
  for (const { outer, whole, values } of calls) {
    for (const { start, end, value } of outer || whole ? [outer ?? whole] : values) {
      const used = {}
      const by = dump(value, style, used)
      // Text that the style does not change keeps the format's own spacing.
      if (used.used) replacements.push({ start, end, by })
    }
  }
  return replacements
}

function replaced(text, replacements) {
  return replacements.length === 0 ? undefined : { text: replaceAll(text, replacements) }
}

/** No format has its own word for a separate null. */
function pythonLiterals({ text, calls }) {
  return replaced(text, [...restyled(calls, { python: true }), ...taggedBooleans(text, calls)])
}

/** The separate booleans between tags. */
function taggedBooleans(text, calls) {
  const replacements = []
  for (const { nameEnd, whole, arguments: args } of calls) {
    for (const [key, value] of Object.entries(args)) {
      if (whole || typeof value !== 'boolean') continue
      const at = text.indexOf(key, nameEnd)
      const found = at < 0 ? null : />\s*(true|false)(?=\s*<)/.exec(text.slice(at, at + key.length + 80))
      if (found?.[1] !== String(value)) continue
      const end = at + found.index + found[0].length
      replacements.push({ start: end - found[1].length, end, by: value ? 'True' : 'False' })
    }
  }
  return replacements
}

/** Replaces quotes by curly ones. If a string contains such a quote itself, its end is ambiguous. */
function curlyQuotes(specimen) {
  return /[“”]/.test(specimen.text) ? undefined : restyle(specimen, { smart: true })
}

function doubledBraces({ text, calls }) {
  const replacements = calls.flatMap(({ outer }) =>
    outer ? [{ start: outer.start, end: outer.end, by: dump(outer.value, { doubled: true }) }] : [],
  )
  return replaced(text, replacements)
}

/** The arguments as a string that holds their JSON, as OpenAI's API has them. */
function doubledEncoding({ text, calls }) {
  const replacements = calls.flatMap(({ whole }) =>
    whole ? [{ ...whole, by: JSON.stringify(text.slice(whole.start, whole.end)) }] : [],
  )
  return replaced(text, replacements)
}

/** The object with all its quotes escaped, as one who copies it out of a string. */
function escapedPayload({ text, calls }) {
  const replacements = calls.flatMap(({ outer }) =>
    outer ? [{ ...outer, by: JSON.stringify(JSON.stringify(outer.value)).slice(1, -1) }] : [],
  )
  return replaced(text, replacements)
}

function wrongArgumentKey({ text, calls }, random) {
  const replacements = []
  for (const { whole } of calls) {
    const [found, key] = (whole && argumentKey.exec(text.slice(0, whole.start))) ?? []
    if (found === undefined) continue
    const other = random.pick(argumentKeys.filter((name) => name !== key))
    replacements.push({ start: whole.start - found.length, end: whole.start, by: found.replace(key, other) })
  }
  return replaced(text, replacements)
}

function argumentsFirst(specimen) {
  return reshape(specimen, (value) => {
    const keys = Object.keys(value)
    return keys.at(-1) === 'name' ? undefined : Object.fromEntries(keys.reverse().map((key) => [key, value[key]]))
  })
}

/** Leaves out the empty arguments of a tool that takes none. */
function argumentsLeftOut(specimen) {
  return reshape(specimen, (value, call) =>
    call.name === 'list_tasks' && Object.keys(value).length === 2 ? { name: value.name } : undefined,
  )
}

function openAiShape(specimen) {
  return reshape(specimen, ({ name }, call) => ({
    id: 'call_1',
    type: 'function',
    function: { name, arguments: JSON.stringify(call.arguments) },
  }))
}

/** Replaces the object around the arguments by the result of `change`. */
function reshape({ text, calls }, change) {
  const replacements = calls.flatMap((call) => {
    const changed = call.outer && change(call.outer.value, call)
    return changed ? [{ ...call.outer, by: JSON.stringify(changed) }] : []
  })
  return replaced(text, replacements)
}

/** Recoverable if a mark after it proves that the call is over. */
function missingBrace(specimen) {
  const group = specimen.groups.at(-1)
  const { outer, whole } = group.calls.at(-1)
  const object = outer ?? whole
  if (!object || !closerOf(specimen, group)) return undefined
  return { text: replaceAll(specimen.text, [{ start: object.end - 1, end: object.end, by: '' }]) }
}

function surplusBrace({ text, groups }) {
  const { outer, whole } = groups.at(-1).calls.at(-1)
  const object = outer ?? whole
  return object ? { text: replaceAll(text, [{ start: object.end, end: object.end, by: '}' }]) } : undefined
}
