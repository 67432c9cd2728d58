/** The offset at which a text stops being JSON, and the tokens that JSON allows there. */
export interface JsonFault {
  offset: number
  expected: string
}

const blank = /[ \t\n\r]*/y
const token =
  /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[[\]{}:,]/y

type State = 'value' | 'first-value' | 'key' | 'first-key' | 'colon' | 'comma' | 'end'

const wanted: Readonly<Record<State, string>> = {
  value: 'a value',
  'first-value': 'a value or ]',
  key: 'a key in double quotes',
  'first-key': 'a key in double quotes or }',
  colon: 'a colon',
  comma: 'a comma',
  end: 'nothing more',
}

/**
 * Returns the first fault of a text that `JSON.parse` rejects; undefined if the text is JSON. Node's own messages lack the place in
 * some versions, and for some faults in all.
 */
export function jsonFault(text: string): JsonFault | undefined {
  const open: ('[' | '{')[] = []
  let state: State = 'value'
  let offset = 0
  for (;;) {
    offset = matchEnd(blank, text, offset)
    if (offset === text.length && state === 'end') return undefined
    const end = matchEnd(token, text, offset)
    const next = stepOver(text.slice(offset, end), state, open)
    if (next === undefined) return { offset, expected: expectation(state, open) }
    state = next
    offset = end
  }
}

function matchEnd(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  return from + (pattern.exec(text)?.[0].length ?? 0)
}

/** Returns the state after a token; undefined if the token is not allowed. `open` are the brackets that are not closed. */
function stepOver(found: string, state: State, open: ('[' | '{')[]): State | undefined {
  const afterValue = (): State => (open.length === 0 ? 'end' : 'comma')
  switch (found) {
    case '':
      return undefined
    case ':':
      return state === 'colon' ? 'value' : undefined
    case ',':
      return state !== 'comma' ? undefined : open.at(-1) === '{' ? 'key' : 'value'
    case '}':
    case ']': {
      const [opener, first] = found === '}' ? (['{', 'first-key'] as const) : (['[', 'first-value'] as const)
      if (open.at(-1) !== opener || (state !== 'comma' && state !== first)) return undefined
      open.pop()
      return afterValue()
    }
  }
  if (state === 'key' || state === 'first-key') return found.startsWith('"') ? 'colon' : undefined
  if (state !== 'value' && state !== 'first-value') return undefined
  if (found !== '[' && found !== '{') return afterValue()
  open.push(found)
  return found === '{' ? 'first-key' : 'first-value'
}

function expectation(state: State, open: readonly ('[' | '{')[]): string {
  return state === 'comma' ? `a comma or ${open.at(-1) === '{' ? '}' : ']'}` : wanted[state]
}
