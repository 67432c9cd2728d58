/**
 * Matches the end of a line after which a call is a part of code: an operator or a parenthesis, and brackets around the call; or a
 * bracket that is escaped for HTML.
 */
const operatorBefore = /&[lg]t;\s*$|(?<![:;])\([[{\s]*$|(?:=|\) =>|&&|\|\||<-)[[({\s]*$/
/** Matches the beginning of a table's row, and of a comment. */
const rowOrComment = /^\s*(?:\||(?:\/\/|\/\*|--|\$|#define) )/
/** Matches a word with which statements begin, the head of a loop or a condition, and the indented bracket of a list. */
const keywordBefore =
  /^\s*(?:(?:for|if|elif|while) [\w.,() ]{1,80} in|yield|throw|typeof|await|export default|assert|case|print|puts|raise|while|if|elif|lambda:|default:)\s[[({\s]*$|^ {4,}\[$/
/** Matches a bracket as code has it: a parenthesis after a name, a list of literals, any brace; and what closes one. */
const bracket = /(?<=[\w$)\]!])\(|\[(?=["'\d[{])|\{|[)\]}]/g

/**
 * Returns true if a call that no marker announces would be part of code or a table. `head` and `end` are the two ends of its line up to the
 * call; `head` may be all of it.
 */
export function isCode(head: string, end: string, isWhole: boolean): boolean {
  if (operatorBefore.test(end) || rowOrComment.test(head)) return true
  return isWhole && (keywordBefore.test(head) || isInBrackets(head))
}

function isInBrackets(line: string): boolean {
  let depth = 0
  for (const [char] of line.matchAll(bracket)) depth = '([{'.includes(char) ? depth + 1 : Math.max(0, depth - 1)
  return depth > 0
}

/** Matches a line that is no item of a list, a blank line, and the indentation of code: at least four spaces. */
export const indentedCode: RegExp = /^(?! *(?:[-*+]|\d+[.)]) ).*\n *\n {4,}$/
