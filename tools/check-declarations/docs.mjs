// @ts-check
import ts from 'typescript'

/**
 * Returns the functions and classes of an entry that have no documentation, or no `@example` in it.
 *
 * @param {string} entry
 * @param {readonly ts.Symbol[]} values the values that the entry exports
 * @param {ts.TypeChecker} checker
 * @returns {string[]}
 */
export function undocumented(entry, values, checker) {
  return values.flatMap((value) => {
    const target = value.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(value) : value
    if (!isCallable(target, checker)) return []
    if (target.getDocumentationComment(checker).length === 0) return [`${entry}: ${value.name} has no docstring`]
    const isShown = target.getJsDocTags(checker).some(({ name, text }) => name === 'example' && text !== undefined)
    return isShown ? [] : [`${entry}: the docstring of ${value.name} has no @example`]
  })
}

/** @param {ts.Symbol} symbol @param {ts.TypeChecker} checker */
function isCallable(symbol, checker) {
  const type = checker.getTypeOfSymbol(symbol)
  return type.getCallSignatures().length > 0 || type.getConstructSignatures().length > 0
}
