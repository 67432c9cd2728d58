/**
 * Matches the line before a call that no marker announces if the call would be part of code or a table: an assignment, a comparison or
 * another operator, or a parenthesis, and the brackets around the call; the beginning of a comment or of a table's row; indentation, and
 * the bracket of a list that is code.
 */
const codeBefore = /(?:=|(?<![:;])\(|\) =>|&&|\|\||<-| \?)[[({\s]*$|^\s*(?:\||(?:\/\/|\/\*|--|\$|#define) )|^ {4,}\[$/
/** The same for a word with which statements begin, and for a loop or a condition. */
const keywordBefore =
  /^\s*(?:(?:for|if|elif|while) [\w.,() ]{1,80} in|yield|throw|typeof|await|export default|assert|case|print|puts|raise|while|if|elif|lambda:|default:)\s[[({\s]*$/

/** The end of a line that is searched for brackets. */
const longestSearch = 400
/** A bracket, as code has it: a parenthesis after a name, a list of literals, any brace; and what closes one. */
const bracket = /(?<=[\w$)\]!])\(|\[(?=["'\d[{])|\{|[)\]}]/g

/** True if a call that no marker announces, after this beginning of its line, would be part of code or a table. */
export function isCode(line: string): boolean {
  return codeBefore.test(line) || keywordBefore.test(line) || isInBrackets(line.slice(-longestSearch))
}

function isInBrackets(line: string): boolean {
  let depth = 0
  for (const [char] of line.matchAll(bracket)) depth = '([{'.includes(char) ? depth + 1 : Math.max(0, depth - 1)
  return depth > 0
}

/** Matches a line that is no item of a list, a blank line, and the indentation of code: at least four spaces. */
export const indentedCode: RegExp = /^(?! *(?:[-*+]|\d+[.)]) ).*\n *\n {4,}$/
