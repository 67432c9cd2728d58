/** A pattern for one of several words, as a separate word in any script that separates words. */
function anyWord(...words: readonly string[]): string {
  return `(?<![\\p{L}\\p{N}_])(?:${words.join('|')})(?![\\p{L}\\p{N}_])`
}

/**
 * Words with which a sentence says that the following is not called: in English, German, French, Spanish, Chinese,
 * Japanese.
 */
const negation = new RegExp(
  [
    anyWord('not', 'never', 'no', 'without', 'instead of', 'rather than', 'cannot'),
    "n['’]t(?!\\p{L})",
    anyWord('nicht', 'nie', 'niemals', 'kein(?:e[mnrs]?)?', 'ohne', 'statt', 'anstatt', 'anstelle'),
    anyWord('ne', 'pas', 'jamais', 'sans', 'au lieu de', 'plutôt que'),
    "(?<!\\p{L})n['’](?=\\p{L}{2})",
    anyWord('nunca', 'jamás', 'sin', 'en lugar de', 'en vez de'),
    '不要|不能|不应|不得|不会|请勿|請勿|切勿|别|無需|无需|ないで|しない|ません',
  ].join('|'),
  'iu',
)

/** Words with which a sentence says that the following is shown. */
const showing = new RegExp(
  [
    anyWord('examples?', 'such as', 'for instance', 'looks? like', 'like this', 'as follows'),
    anyWord('format', 'syntax', 'schema', 'template', 'would be', 'could be', 'documented', 'documentation'),
    anyWord('returns?', 'returned', 'response', 'printed', 'logs?', 'logged'),
    '(?<!\\p{L})(?:e\\.\\s?g|z\\.\\s?B|p\\.\\s?ex|p\\.\\s?ej)\\.',
    anyWord('Beispiele?', 'beispielsweise', 'sieht so aus', 'wie folgt', 'Vorlage', 'würde', 'wäre', 'gab'),
    anyWord('exemples?', 'ressemble', 'comme suit', 'comme ceci', 'syntaxe', 'schéma', 'serait', 'a renvoyé'),
    anyWord('ejemplos?', 'como sigue', 'formato', 'sintaxis', 'sería', 'devolvió'),
    '示例|例如|比如|例子|格式|範例|样例|例えば|例：|返回了',
  ].join('|'),
  'iu',
)

/**
 * True if the sentence that `line` ends in allows a call to follow: the call is within text, so the words before it
 * decide. Only the line counts, because earlier text may have another subject.
 */
export function maySay(line: string): boolean {
  // Text in braces is not part of the sentence.
  const words = line.replace(/\{[^{}]*\}/g, ' ')
  const sentence = words.slice(words.search(/(?<![^.!?。！？])[^.!?。！？]*$/))
  return !negation.test(sentence) && !showing.test(words)
}
