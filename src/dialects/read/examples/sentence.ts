/** An expression for one of several words, as a separate word in any script that separates words, or for other text. */
function anyOf(words: string, others: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_])(?:${words})(?![\\p{L}\\p{N}_])|${others}`, 'iu')
}

/**
 * Words with which a sentence says that the following is not called: in English, German, French, Spanish, Chinese,
 * Japanese.
 */
const negation = anyOf(
  'not|never|no|without|instead of|rather than|cannot' +
    '|nicht|nie|niemals|kein(?:e[mnrs]?)?|ohne|statt|anstatt|anstelle' +
    '|ne|pas|jamais|sans|au lieu de|plutôt que' +
    '|nunca|jamás|sin|en lugar de|en vez de',
  "n['’]t(?!\\p{L})|(?<!\\p{L})n['’](?=\\p{L}{2})" +
    '|不要|不能|不应|不得|不会|请勿|請勿|切勿|别|無需|无需|ないで|しない|ません',
)

/** Words with which a sentence says that the following is shown. */
const showing = anyOf(
  'examples?|such as|for instance|looks? like|like this|as follows' +
    '|format|syntax|schema|template|would be|could be|documented|documentation' +
    '|returns?|returned|response|printed|logs?|logged|(?:results?|outputs?) of|could (?:use|call)' +
    '|Beispiele?|beispielsweise|sieht so aus|wie folgt|Vorlage|würde|wäre|gab|Ergebnis(?:se)? von|könnten?|könntest' +
    '|exemples?|ressemble|comme suit|comme ceci|syntaxe|schéma|serait|a renvoyé|résultats? de|pourr(?:ait|iez|ais)' +
    '|ejemplos?|como sigue|formato|sintaxis|sería|devolvió|resultados? de|podrías?',
  '(?<!\\p{L})(?:e\\.\\s?g|z\\.\\s?B|p\\.\\s?ex|p\\.\\s?ej)\\.' +
    '|示例|例如|比如|例子|格式|範例|样例|例えば|例：|返回了',
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
