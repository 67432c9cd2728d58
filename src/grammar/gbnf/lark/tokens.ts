import { unreadable } from '../text/text-grammar.ts'

export type LarkTokenType =
  | 'newline'
  | 'directive'
  | 'name'
  | 'string'
  | 'regex'
  | 'number'
  | 'special'
  | 'grammar'
  | 'sign'

export interface LarkToken {
  type: LarkTokenType
  text: string
  line: number
}

export interface LarkBounds {
  /** Those of OpenAI's clients have some thousands. */
  characters: number
  /** Each is at least one step of all that follows. */
  tokens: number
}

/** The bounds of a grammar from outside. */
export const boundsOfClients: LarkBounds = { characters: 64_000, tokens: 10_000 }

/** Longer tokens come first: `..` before `.`, and a comment before a regular expression. */
const patterns: readonly (readonly [LarkTokenType | 'skipped', RegExp])[] = [
  ['skipped', /[ \t\f]+|(?:\/\/|#)[^\n]*/y],
  ['newline', /(?:\r?\n)+/y],
  ['directive', /%[a-z]+/y],
  ['name', /_*[A-Za-z]\w*(?:-\w+)*/y],
  ['string', /"(?:[^"\\\n]|\\.)*"i?/y],
  ['regex', /\/(?:[^/\\\n]|\\.)+\/[a-z]*/y],
  ['number', /[0-9]+/y],
  ['special', /<[^<>\s]+>/y],
  ['grammar', /@[\w-]+/y],
  ['sign', /->|\.\.|[+\-*?!|:()[\]{},.=~&]/y],
]

/** Splits a grammar in Lark into its tokens. Throws an `UnreadableGrammar` for other characters. */
export function larkTokens(source: string, bounds: LarkBounds = boundsOfClients): readonly LarkToken[] {
  if (source.length > bounds.characters) unreadable(`it has more than ${bounds.characters} characters`)
  const tokens: LarkToken[] = []
  let line = 1
  for (let at = 0; at < source.length; ) {
    const [type, text] = nextToken(source, at) ?? unreadable(`it has an unexpected character in line ${line}`)
    if (type !== 'skipped') tokens.push({ type, text, line })
    if (tokens.length > bounds.tokens) unreadable(`it has more than ${bounds.tokens} words and signs`)
    if (type === 'newline') line += text.split('\n').length - 1
    at += text.length
  }
  return tokens
}

function nextToken(source: string, at: number): [LarkTokenType | 'skipped', string] | undefined {
  for (const [type, pattern] of patterns) {
    pattern.lastIndex = at
    const [text] = pattern.exec(source) ?? []
    if (text !== undefined) return [type, text]
  }
  return undefined
}
