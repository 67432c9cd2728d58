/** Opening brackets with what closes them. */
export const brackets: ReadonlyMap<string, string> = new Map([
  ['{', '}'],
  ['[', ']'],
])

/** Python's: a tuple is an array as well. */
export const pythonBrackets: ReadonlyMap<string, string> = new Map([...brackets, ['(', ')']])

/** The full-width twins of JSON's punctuation, which keyboards for Chinese and Japanese write. */
export const wideMarks: ReadonlyMap<string, string> = new Map([
  ['｛', '{'],
  ['｝', '}'],
  ['［', '['],
  ['］', ']'],
  ['：', ':'],
  ['，', ','],
])
