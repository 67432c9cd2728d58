// @ts-check
// JSON read with what `JSON.parse` loses: the order of members that look like numbers, and how a number is written.

/**
 * A JSON value: members in the order of the text, and everything that is no list and no object as compact text.
 * @typedef {{ type: 'object', members: readonly (readonly [string, OrderedJson])[] } | { type: 'array', items: readonly OrderedJson[] } | { type: 'scalar', text: string }} OrderedJson
 */

const token = /\s*(?:([{}[\],:])|("(?:[^"\\]|\\.)*")|([^\s{}[\],:"]+))/y

/**
 * @param {string} text whole JSON
 * @returns {OrderedJson}
 * @throws {SyntaxError} for what is no JSON
 */
export function parseOrdered(text) {
  // The built-in parser judges the text, so that the reader below meets JSON only.
  JSON.parse(text)
  let at = 0
  const next = () => {
    token.lastIndex = at
    const found = token.exec(text)
    if (!found) throw new SyntaxError(`no JSON at ${at}`)
    at = token.lastIndex
    return found
  }
  /** @param {string} mark */
  const takes = (mark) => {
    const before = at
    if (next()[1] === mark) return true
    at = before
    return false
  }
  /** @returns {OrderedJson} */
  const value = () => {
    const [, mark, string, other = ''] = next()
    if (string !== undefined) return { type: 'scalar', text: JSON.stringify(JSON.parse(string)) }
    if (mark === '[') {
      /** @type {OrderedJson[]} */
      const items = []
      if (takes(']')) return { type: 'array', items }
      do items.push(value())
      while (next()[1] === ',')
      return { type: 'array', items }
    }
    if (mark === '{') {
      /** @type {[string, OrderedJson][]} */
      const members = []
      if (takes('}')) return { type: 'object', members }
      do {
        const [, , key = '""'] = next()
        next()
        members.push([JSON.parse(key), value()])
      } while (next()[1] === ',')
      return { type: 'object', members }
    }
    return { type: 'scalar', text: other }
  }
  return value()
}

/**
 * Compact JSON text, without white space between its parts.
 * @param {OrderedJson} json
 * @returns {string}
 */
export function compact(json) {
  switch (json.type) {
    case 'scalar':
      return json.text
    case 'array':
      return `[${json.items.map(compact).join(',')}]`
    case 'object':
      return `{${json.members.map(([key, value]) => `${JSON.stringify(key)}:${compact(value)}`).join(',')}}`
  }
}

/**
 * The member of an object; undefined where there is none.
 * @param {OrderedJson | undefined} json
 * @param {string} key
 */
export function memberOf(json, key) {
  return json?.type === 'object' ? json.members.find(([one]) => one === key)?.[1] : undefined
}
