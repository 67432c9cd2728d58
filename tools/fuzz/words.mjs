// @ts-check
/** The lengths of the shortest and the longest distinctive word. */
const lengths = { least: 2, most: 60 }

/**
 * The words in the regular expressions that are made while something runs: literals, and the characters of sets. Readers compile
 * their formats to expressions, so these are all tags, markers, names, prefixes and blanks that a format has, whatever examples show.
 * @param {() => void} run
 * @returns {string[]} sorted, each once
 */
export function wordsMadeIn(run) {
  /** @type {Set<string>} */
  const sources = new Set()
  const original = globalThis.RegExp
  globalThis.RegExp = new Proxy(original, {
    construct(target, args, newTarget) {
      sources.add(String(args[0]))
      return Reflect.construct(target, args, newTarget)
    },
  })
  try {
    run()
  } finally {
    globalThis.RegExp = original
  }
  return [...new Set([...sources].flatMap(wordsOf))].sort()
}

const escapes = /\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([^\w\s])|([nrtvf]))/g
const controls = new Map([...'nrtvf'].map((letter, at) => [letter, '\n\r\t\v\f'[at]]))
/** The parts of an expression's source with a special meaning. */
const syntax = /\(\?(?:[:=!]|<[=!]|<\w+>)|\{\d+(?:,\d*)?\}\??|\\[a-zA-Z](?:\{\w+\})?|[()|^$.*+?]/

/**
 * The words of the source of an expression.
 * @param {string} source
 * @returns {string[]}
 */
export function wordsOf(source) {
  /** @type {string[]} */
  const sets = []
  const literal = source.replace(/\[((?:\\.|[^\]\\])*)\]/g, (_, set) => {
    // Escapes and ranges of a set are no characters that a format names.
    for (const char of set.replace(/^\^|\\.|.-./gu, '')) if (char > '\u007f') sets.push(char)
    return '(?:'
  })
  // Escaped characters are replaced by a character that no syntax has, until the rest is parsed.
  /** @type {string[]} */
  const escaped = []
  const plain = literal.replace(escapes, (_, unicode, hex, char, control) => {
    escaped.push(char ?? controls.get(control) ?? String.fromCharCode(Number.parseInt(unicode ?? hex, 16)))
    return String.fromCharCode(firstPlace + escaped.length - 1)
  })
  const words = plain
    .split(syntax)
    .map((word) => word.replace(/[\ue000-\uf8ff]/g, (place) => escaped[place.charCodeAt(0) - firstPlace] ?? ''))
  return [...sets, ...words.filter(({ length }) => length >= lengths.least && length <= lengths.most)]
}

/** The first character of those that no text has. */
const firstPlace = 0xe000
