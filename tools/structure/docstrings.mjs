// @ts-check

/** Words that begin a question or a clause: a docstring that begins with one names neither an action nor a thing. */
const words = 'What|How|Where|Whether|As|Of|Who|Whom|Whose|That|Why|When|Which'
const faulty = new RegExp(`/\\*\\*\\s+(?:\\*\\s+)?(${words})\\b`, 'g')

/**
 * Finds the docstrings that begin with none of a verb ("Returns ...") and a noun phrase ("The offset ...").
 *
 * @example
 * docstringFaults('// …', 'a.ts') // []
 *
 * @param {string} source the text of a file
 * @param {string} file the name of the file, for the message
 * @returns {string[]} one message per docstring, with file and line
 */
export function docstringFaults(source, file) {
  return [...source.matchAll(faulty)].map(({ index, 1: word }) => {
    const line = source.slice(0, index).split('\n').length
    return `${file}:${line}: a docstring begins with "${word}"; begin with a verb or a noun phrase`
  })
}
