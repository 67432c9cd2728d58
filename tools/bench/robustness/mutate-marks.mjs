import { trigger } from '../library.mjs'
import { closerOf, openerOf, replaceAll } from './specimen.mjs'

const betweenMarks = /(?<=[>}\]])\n(?=[<{[])/g

/** Mutations of the marks around calls, and of the names. */
export const markMutations = [
  { name: 'missing closer', apply: missingCloser },
  { name: 'missing opener', apply: missingOpener },
  { name: 'closer twice', apply: closerTwice },
  { name: 'opener twice', apply: openerTwice },
  { name: 'missing closer of a value', apply: missingValueCloser },
  { name: 'wrong case', apply: wrongCase },
  { name: 'quotes of attributes', apply: attributeQuotes },
  { name: 'surplus attribute', apply: surplusAttribute },
  { name: 'plain bars', apply: plainBars },
  { name: 'no line breaks', apply: (specimen) => inMarks(specimen, '') },
  { name: 'more line breaks', apply: (specimen) => inMarks(specimen, '\n\n  ') },
  { name: 'Windows line breaks', apply: (specimen) => inMarks(specimen, '\r\n') },
  { name: 'name in another case', apply: (specimen) => rename(specimen, camelCase) },
  { name: 'name with hyphens', apply: (specimen) => rename(specimen, (name) => name.replaceAll('_', '-')) },
  { name: 'name in a name space', apply: (specimen) => rename(specimen, (name) => `functions.${name}`) },
  { name: 'fence inside the call', apply: fenceInside },
  { name: 'JSON in a tagged body', apply: jsonInTaggedBody },
  { name: 'child elements', apply: childElements, isForeign: true },
]

/**
 * Removes the closer of the last calls. JSON itself shows its end; if arguments are elements, the text after them may
 * continue the last value, so only the end of the reply proves that the call is over.
 */
function missingCloser(specimen) {
  const group = specimen.groups.at(-1)
  const closer = closerOf(specimen, group)
  if (!closer || (!group.calls.at(-1).whole && group.end < specimen.text.length)) return undefined
  return { text: replaceAll(specimen.text, [{ ...closer, by: '' }]) }
}

/** Removes the envelope's opener, if its content identifies the call by itself. */
function missingOpener(specimen) {
  if (specimen.format.usesTrigger) return undefined
  const openers = specimen.groups.map((group) => openerOf(specimen, group))
  if (openers.includes(undefined)) return undefined
  const areMarked = specimen.groups.every(({ calls: [call] }, index) => {
    const between = specimen.text.slice(openers[index].end, call.nameStart)
    return /^\s*<[^<>]*$/.test(between)
  })
  return areMarked
    ? {
        text: replaceAll(
          specimen.text,
          openers.map((opener) => ({ ...opener, by: '' })),
        ),
      }
    : undefined
}

function closerTwice(specimen) {
  const closer = closerOf(specimen, specimen.groups.at(-1))
  return closer && { text: replaceAll(specimen.text, [{ ...closer, by: `${closer.mark}\n${closer.mark}` }]) }
}

function openerTwice(specimen) {
  const opener = openerOf(specimen, specimen.groups[0])
  return opener && { text: replaceAll(specimen.text, [{ ...opener, by: `${opener.mark}\n${opener.mark}` }]) }
}

/** Removes the closer of a value that another follows: the next opening tag shows that the first value is over. */
function missingValueCloser({ text, groups }) {
  const [{ start, end }] = groups
  const found =
    /<\/([\w:｜|]*(?:parameter|param|arg_value|argument))>(?=\s*<[\w:｜|]*(?:parameter|param|arg_key|argument)\b)/.exec(
      text.slice(start, end),
    )
  if (!found) return undefined
  const at = start + found.index
  return { text: replaceAll(text, [{ start: at, end: at + found[0].length, by: '' }]) }
}

/** Tags only: a single token is written correctly or not at all. */
function wrongCase(specimen) {
  const tags = tagsOf(specimen.format)
  if (tags.length === 0) return undefined
  const tag = new RegExp(`(</?)(${tags.join('|')})(?=[\\s>=/])`, 'g')
  const swap = (name) => (name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase())
  return inGroups(specimen, (text) => text.replace(tag, (_, start, name) => start + swap(name)))
}

function attributeQuotes(specimen, random) {
  const quote = random.pick(["'", ''])
  const attribute = new RegExp(`(<(?:${tagsOf(specimen.format).join('|')}) name=)"([\\w.-]+)"(?=>)`, 'g')
  return inGroups(specimen, (text) => text.replace(attribute, `$1${quote}$2${quote}`))
}

function surplusAttribute(specimen) {
  return inGroups(specimen, (text) => text.replace(/(<(?:parameter|param|argument) name="\w+")(?=>)/g, '$1 type="any"'))
}

/** Full-width bars, which few can type, as the bars of the keyboard. */
function plainBars(specimen) {
  return inGroups(specimen, (text) => text.replaceAll('｜', '|'))
}

function inMarks(specimen, by) {
  if (!specimen.calls.every(hasPlainEdges)) return undefined
  const before = by === '' ? new RegExp(`(?<!${trigger})${betweenMarks.source}`, 'g') : betweenMarks
  return inGroups(specimen, (text) => text.replace(before, by))
}

/** False if a line break in a value, or between a value and a tag, looks like one between marks. */
function hasPlainEdges({ whole, arguments: args }) {
  return stringsOf(args).every((text) => text.search(betweenMarks) < 0 && (whole || !/^\s*[<{[]|[>}\]]\s*$/.test(text)))
}

function camelCase(name) {
  return name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase())
}

function rename({ text, calls }, change) {
  return {
    text: replaceAll(
      text,
      calls.map(({ name, nameStart, nameEnd }) => ({ start: nameStart, end: nameEnd, by: change(name) })),
    ),
  }
}

/** Puts the JSON of a call in a separate fence, between the marks. */
function fenceInside(specimen) {
  const replacements = specimen.groups.flatMap((group) => {
    const [call, ...others] = group.calls
    const closer = closerOf(specimen, group)
    const opener = openerOf(specimen, group)
    if (!call.outer || others.length > 0 || !closer || !opener) return []
    const inside = specimen.text.slice(opener.end, closer.start)
    if (inside.trim() !== specimen.text.slice(call.outer.start, call.outer.end) || inside.includes('```')) return []
    return [{ start: opener.end, end: closer.start, by: `\n\`\`\`json\n${inside.trim()}\n\`\`\`\n` }]
  })
  return replacements.length === 0 ? undefined : { text: replaceAll(specimen.text, replacements) }
}

/** Writes all arguments of a call as one JSON object, if the format has an element for each. */
function jsonInTaggedBody(specimen) {
  return rewriteBodies(specimen, ({ arguments: args }) => `\n${JSON.stringify(args)}\n`)
}

/** An element named like the argument in place of the format's own. */
function childElements(specimen) {
  return rewriteBodies(specimen, ({ arguments: args }) => {
    const elements = Object.entries(args).map(([key, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      return `<${key}>${text}</${key}>`
    })
    return `\n${elements.join('\n')}\n`
  })
}

/** Rewrites the text between a tag that names the tool and its closing tag. */
function rewriteBodies(specimen, write) {
  const { text } = specimen
  const replacements = []
  for (const call of specimen.calls) {
    if (call.whole || Object.keys(call.arguments).length === 0) return undefined
    const tagStart = text.lastIndexOf('<', call.nameStart)
    const tagEnd = text.indexOf('>', call.nameEnd)
    const [, tag] = /^<([A-Za-z][\w:-]*)[\s=][^<>]*>$/.exec(text.slice(tagStart, tagEnd + 1)) ?? []
    const close = tag === undefined ? -1 : text.indexOf(`</${tag}>`, Math.max(tagEnd, call.end))
    if (close < 0) return undefined
    replacements.push({ start: tagEnd + 1, end: close, by: write(call) })
  }
  return { text: replaceAll(text, replacements) }
}

/** The names of the tags that the format writes, from a call in which nothing else looks like one. */
function tagsOf({ write }) {
  const text = write([{ type: 'call', id: 'call_1', name: 'get_weather', arguments: '{"city":"Oslo","days":2}' }])
  const found = text.replaceAll(trigger, '').matchAll(/<\/?([A-Za-z][\w:-]*)(?=[\s>=/])/g)
  return [...new Set([...found].map(([, tag]) => tag))].filter((tag) => !['get_weather', 'city', 'days'].includes(tag))
}

function inGroups({ text, groups }, change) {
  const changed = replaceAll(
    text,
    groups.map(({ start, end }) => ({ start, end, by: change(text.slice(start, end)) })),
  )
  return changed === text ? undefined : { text: changed }
}

function stringsOf(value) {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : []
}
