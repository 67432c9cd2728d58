/** What the prompt says about calls in the next reply. */
export interface Constraint {
  choice: { type: 'auto' } | { type: 'none' } | { type: 'required' } | { type: 'named'; name: string }
  /** At most one call in the reply. */
  single: boolean
}

/** Where a sentence is about the reply to be written, and not about how a tool works or what holds in some case. */
const aboutNextReply = /\b(?:next|this)\s+(?:reply|response|answer|turn)\b/i
const aboutReplies = /\b(?:reply|replies|response|answer|turn)\b/i
const conditional = /^\W*(?:if|when|whenever|unless|where|should|once)\b/i

const forbidden =
  /\b(?:not|never|don['’]t)\s+(?:call|use|invoke)\s+(?:any\s+|a\s+|the\s+)?(?:tools?|functions?)\b|\bno\s+(?:tools?|functions?)\s+may\s+be\s+called\b|\bcall\s+no\s+(?:tools?|functions?)\b/i
const single = /\b(?:at\s+most|only|no\s+more\s+than)\s+one\s+(?:tool|function|call)\b/i
const named =
  /\bmust\s+(?:\w+\s+)?call\s+(?:exactly\s+|only\s+)?(?:the\s+)?(?:tool|function)\s+(?:named\s+|called\s+)?[`"'“]?([\p{L}\p{N}_.:-]{0,127}[\p{L}\p{N}_])/iu
const required =
  /\bmust\s+(?:\w+\s+)?call\s+(?:at\s+least\s+one|one\s+or\s+more|one|a|any|some)\s+(?:of\s+the\s+)?(?:tools?|functions?)\b|\b(?:tool\s+)?call\s+is\s+required\b/i

/** What a user says to the same effect, in the own words of a request. */
const userForbids =
  /\b(?:without|don['’]t|do\s+not|never)\s+(?:using\s+|calling\s+|use\s+|call\s+)(?:any\s+|a\s+|the\s+)?tools?\b(?!\s+(?:but|except|other))/i

/**
 * Reads the sentences about calls out of the instructions (the system text without the list of tools, whose
 * descriptions have such sentences about other things) and out of the request. The last one wins.
 */
export function readConstraint(instructions: string, request: string): Constraint {
  const constraint: Constraint = { choice: { type: 'auto' }, single: false }
  for (const sentence of `${instructions}\n${request}`.split(/[.!?](?=\s|$)|\n/)) {
    if (conditional.test(sentence)) continue
    if (single.test(sentence) && aboutReplies.test(sentence)) constraint.single = true
    if (!aboutNextReply.test(sentence)) continue
    const name = named.exec(sentence)?.[1]
    if (forbidden.test(sentence)) constraint.choice = { type: 'none' }
    else if (name !== undefined) constraint.choice = { type: 'named', name }
    else if (required.test(sentence)) constraint.choice = { type: 'required' }
  }
  if (userForbids.test(request)) constraint.choice = { type: 'none' }
  return constraint
}
