// @ts-check
import ts from 'typescript'

const advice =
  'a function literal assigned to a property; V8 puts it into old memory, with all that it holds: name it with const first'

/**
 * Finds the function literals that a function assigns to a property, as in `this.f = () => …`. V8 takes such a literal for
 * a method that lives as long as the program (`CheckAssigningFunctionLiteralToProperty` in its parser) and allocates it in
 * old memory: one of them in the reader of a reply kept 30 kB for each reply until a full garbage collection.
 *
 * @example
 * keptClosures('function f(o) { o.g = () => o }', 'a.ts') // ['a.ts:1: …']
 *
 * @param {string} source the text of a file
 * @param {string} file the name of the file, for the message
 * @returns {string[]} one message per literal, with file and line
 */
export function keptClosures(source, file) {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true)
  /** @type {string[]} */
  const faults = []
  /** @param {ts.Node} node @param {boolean} isInFunction */
  const walk = (node, isInFunction) => {
    if (isInFunction && isKept(node)) {
      const { line } = tree.getLineAndCharacterOfPosition(node.getStart(tree))
      faults.push(`${file}:${line + 1}: ${advice}`)
    }
    ts.forEachChild(node, (child) => walk(child, isInFunction || ts.isFunctionLike(node)))
  }
  walk(tree, false)
  return faults
}

/** @param {ts.Node} node */
function isKept(node) {
  if (!ts.isBinaryExpression(node)) return false
  const { left, operatorToken, right } = node
  const { FirstAssignment, LastAssignment } = ts.SyntaxKind
  if (operatorToken.kind < FirstAssignment || operatorToken.kind > LastAssignment) return false
  if (!ts.isPropertyAccessExpression(left) && !ts.isElementAccessExpression(left)) return false
  const value = ts.skipParentheses(right)
  return ts.isArrowFunction(value) || ts.isFunctionExpression(value)
}
