import { anycall } from './contenders.mjs'

/** The dialects that represent a kind: the first that the library has. */
export const known = {
  json: ['hermes', 'tool-call-json'],
  tagged: ['qwen3-coder', 'toolify'],
}

/** anycall's readers: `{kind, isUniversal, live, whole}` for each dialect that represents a kind. */
export function readersOf(library) {
  return Object.entries(known).flatMap(([kind, names]) => {
    const dialect = names.map(library.getDialect).find(Boolean)
    if (!dialect) return []
    return [false, true].map((isUniversal) => ({
      kind,
      isUniversal,
      live: anycall(library, dialect, { isUniversal }),
      whole: anycall(library, dialect, { isUniversal, isWhole: true }),
    }))
  })
}
