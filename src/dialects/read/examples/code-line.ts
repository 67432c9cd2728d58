/**
 * Matches the line before a call that no marker announces if the call would be part of code or a table: an assignment or a comparison,
 * and the brackets around the call; the beginning of a table's row; indentation, and the bracket of a list that is code.
 */
export const codeBefore: RegExp = /=[[({\s]*$|^\s*\||^ {4,}\[$/

/** Matches a line that is no item of a list, a blank line, and the indentation of code: at least four spaces. */
export const indentedCode: RegExp = /^(?! *(?:[-*+]|\d+[.)]) ).*\n *\n {4,}$/
