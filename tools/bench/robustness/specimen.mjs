import { isDeepStrictEqual } from 'node:util'

/**
 * A message as one format writes it, with the places of all that mutations change: `groups` are the stretches of calls
 * between the texts, `[start, end)`, and each call has the place of its name and the places of JSON in it:
 *   whole    the arguments, where the format writes them as one JSON object
 *   outer    the object around them that also holds the name
 *   values   the arrays and objects among the arguments, where the format writes each argument by itself
 * Undefined when the format does not write the texts and names as they are.
 */
export function createSpecimen(format, parts, tools) {
  const text = format.write(parts, tools)
  const specimen = { format, parts, text, prose: [], groups: [], calls: [] }
  let at = 0
  let group
  for (const [index, part] of parts.entries()) {
    if (part.type === 'text') {
      const start = text.indexOf(part.text, at)
      if (start < 0) return undefined
      if (group) group.end = start
      group = undefined
      specimen.prose.push(part.text)
      at = start + part.text.length
      continue
    }
    if (!group) {
      group = { start: at, end: text.length, calls: [] }
      specimen.groups.push(group)
    }
    const nameStart = text.indexOf(part.name, at)
    if (nameStart < 0) return undefined
    const next = parts[index + 1]
    const limit = next ? text.indexOf(next.type === 'text' ? next.text : next.name, nameStart + 1) : text.length
    const call = {
      name: part.name,
      arguments: JSON.parse(part.arguments),
      nameStart,
      nameEnd: nameStart + part.name.length,
    }
    Object.assign(call, findJson(text, call, group.start, limit < 0 ? text.length : limit))
    group.calls.push(call)
    specimen.calls.push(call)
    at = call.end
  }
  return specimen
}

function findJson(text, call, groupStart, limit) {
  const whole = findValue(text, call.nameEnd, limit, call.arguments)
  if (whole) return { whole, outer: findOuter(text, call, whole, groupStart), values: [], end: whole.end }
  const values = []
  let at = call.nameEnd
  for (const value of Object.values(call.arguments)) {
    if (typeof value !== 'object' || value === null) continue
    const found = findValue(text, at, limit, value)
    if (!found) continue
    values.push(found)
    at = found.end
  }
  return { values, end: at }
}

function findValue(text, from, limit, value) {
  const opener = Array.isArray(value) ? '[' : '{'
  for (let start = text.indexOf(opener, from); start >= 0 && start < limit; start = text.indexOf(opener, start + 1)) {
    const end = balancedEnd(text, start)
    if (end === undefined) continue
    if (isDeepStrictEqual(parse(text.slice(start, end)), value)) return { start, end, value }
  }
  return undefined
}

function findOuter(text, { name, nameStart }, whole, groupStart) {
  const start = text.lastIndexOf('{', nameStart)
  if (start < groupStart) return undefined
  const end = balancedEnd(text, start)
  if (end === undefined || end <= whole.end) return undefined
  const value = parse(text.slice(start, end))
  return value?.name === name ? { start, end, value } : undefined
}

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The end of the JSON value that begins with a bracket at `start`. */
function balancedEnd(text, start) {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const char = text[at]
    if (char === '"') {
      for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === '\\') at++
    } else if (char === '{' || char === '[') depth++
    else if ((char === '}' || char === ']') && --depth === 0) return at + 1
  }
  return undefined
}

/** The text with each of these stretches replaced; they must not overlap. */
export function replaceAll(text, replacements) {
  let replaced = text
  for (const { start, end, by } of [...replacements].sort((a, b) => b.start - a.start)) {
    replaced = replaced.slice(0, start) + by + replaced.slice(end)
  }
  return replaced
}

const closingMark = /(?:<\/[^<>\n]{1,60}>|\[\/[A-Z_]+\]|<[|｜][^<>\n]{1,60}[|｜]>|<[\w:]+[|｜]>)$/
const openingMark = /^\s*(<[^<>\n]{1,60}>|\[[A-Z_]+\])/

/** The mark that a group of calls ends with: `{start, end, mark}`. */
export function closerOf({ text }, { start, end, calls }) {
  const last = text.slice(start, end).trimEnd()
  const mark = closingMark.exec(last)?.[0]
  if (mark === undefined || start + last.length - mark.length < calls.at(-1).end) return undefined
  return { start: start + last.length - mark.length, end: start + last.length, mark }
}

/** The mark with which a group of calls begins, if the group ends with its counterpart: it names no tool. */
export function openerOf(specimen, group) {
  const [all, mark] = openingMark.exec(specimen.text.slice(group.start, group.end)) ?? []
  const closer = closerOf(specimen, group)
  if (mark === undefined || !closer) return undefined
  const counterparts = [
    mark.replace(/^([<[])/, '$1/'),
    mark.replace(/(start|begin)/, 'end'),
    mark.replace(/^<[|｜](\w+)>$/, '<$1|>'),
  ]
  if (closer.mark === mark || !counterparts.includes(closer.mark)) return undefined
  const end = group.start + all.length
  return { start: end - mark.length, end, mark }
}
