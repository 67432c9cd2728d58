/** Words with which a sentence says that what follows is not called. */
const negation = /\b(?:not|never|no|without|instead of|rather than|cannot)\b|n['’]t\b|(?:不要|请勿|不能|别)/i
/** Words with which a sentence says that what follows is shown. */
const showing =
  /\b(?:examples?|e\.g\.|such as|for instance|looks? like|like this|as follows|format|syntax|schema|template|would be|could be|documented|documentation|returns?|returned|response|printed|logs?|logged)\b|示例|例如|比如|例子|格式/i

/**
 * True when a sentence that goes on as `line` may say what is called: what follows stands in text, so that the words
 * before it decide. A line, because what was said before that is another matter.
 */
export function maySay(line: string): boolean {
  const sentence = line.slice(line.search(/[^.!?。！？]*$/))
  return !negation.test(sentence) && !showing.test(line)
}
