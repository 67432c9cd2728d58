import { type ListedObject, listedObjectAt } from './listed-objects.ts'
import { isCloser, type JsonState } from './state.ts'
import { readBareWord } from './strings/bare-words.ts'
import { setAt } from './strings/lexical.ts'
import { memberAt } from './strings/string-end.ts'
import { quotedObjectAt, stringOpener } from './strings/string-kinds.ts'
import { readUnopened } from './strings/unopened-strings.ts'

/** Reads the beginning of a value, or all of it. Returns the place after it, or -1 if it needs more text or stopped. */
export function readValue(state: JsonState, text: string, char: string, place: number, final: boolean): number {
  const { open, isPython } = state
  const frame = open.top
  if (char === '[' && state.listedDepth === 0 && open.sink.takesObjectOnly?.()) {
    const listed = listedObjectAt(text, place, final)
    if (listed === 'more') return -1
    if (listed) return openListed(state, listed, place)
  }
  const closer = state.openers.get(char)
  if (closer !== undefined) {
    const isSet = char === '{' && isPython && setAt(text, place, final)
    if (isSet === 'more') return -1
    if (!open.open(isSet ? '[' : char, closer)) return state.stop()
    state.expect = char === '{' && !isSet ? 'key' : 'value'
    return place + 1
  }
  // Families with their own delimiters may also write bare strings, and an empty one has no characters:
  // `{city:,days:3}` (Gemma 4).
  if (frame?.isArray === false && (char === ',' || char === '}') && typeof state.style.delimiters?.[0] === 'string') {
    state.repaired('bare-string', place)
    state.gotBareString('', place)
    return place
  }
  // The arguments of a call are the one value that may be missing: they are none.
  if (frame?.isArray === false && (char === ',' || char === '}') && open.sink.takesObjectOnly?.()) {
    state.repaired('missing-value', place)
    open.sink.literal('null')
    state.gotValue()
    return place
  }
  if (isCloser(char, isPython)) {
    // A brace inside an array closes the object around the array; without an open container, reading stops.
    return frame?.isArray ? state.closeBracket(char, place) : state.stop()
  }
  if (char === ',') {
    if (!frame?.isArray || frame.held) return state.stop()
    state.repaired('trailing-comma', place)
    return place + 1
  }
  if (char === ':') return state.stop()
  if (char === '"' && frame?.isArray && frame.afterComma && open.isInObject) {
    const isMember = memberAt(text, place, final)
    if (isMember === 'more') return -1
    if (isMember) return leaveArray(state, place)
  }
  if (char === '"' && frame?.isArray === false && open.sink.wantsObject?.()) {
    const quoted = quotedObjectAt(text, place, final)
    if (quoted === 'more') return -1
    if (quoted) {
      state.repaired('quoted-object', place)
      state.quotedDepth = open.depth
      return place + 1
    }
  }
  const opener = stringOpener(text, place, final, state.style)
  if (opener === 'more') return -1
  return opener ? state.beginString(opener, false, place) : readUnquoted(state, text, place, final)
}

function openListed(state: JsonState, listed: ListedObject, place: number): number {
  state.repaired('listed-object', place)
  if ('object' in listed) {
    state.listedDepth = state.open.depth + 1
    return listed.object
  }
  state.open.sink.openObject()
  state.open.sink.closeObject()
  state.gotValue()
  return listed.after
}

/** Leaves an array at a member in the place of an element: the bracket after the last element was left out. */
function leaveArray(state: JsonState, place: number): number {
  state.repaired('missing-closer', place)
  state.open.pop()
  const frame = state.open.top
  if (frame) frame.afterComma = true
  state.expect = 'key'
  return place
}

/** Reads a number, a word, or a string whose opening delimiter was left out. */
function readUnquoted(state: JsonState, text: string, place: number, final: boolean): number {
  const { isPython, style } = state
  const [delimiter] = style.delimiters ?? []
  if (typeof delimiter === 'string' && state.open.depth > 0) {
    const unopened = readUnopened(text, place, final, delimiter)
    if (unopened === 'more') return -1
    if (unopened) {
      state.repaired('missing-quote', place)
      state.gotBareString(unopened.text, place)
      return unopened.end
    }
  }
  const hasPythonWords = isPython || style.bothWords === true
  const where = { parent: state.parent, isPython, hasPythonWords, marks: state.marks }
  const found = readBareWord(text, place, final, where)
  if (found === 'more') return -1
  if (found === 'stop') return state.stop()
  if (found.repair) state.repaired(found.repair, place)
  if (found.literal === undefined) state.gotBareString(found.word, place)
  else {
    state.open.sink.literal(found.literal)
    state.gotValue()
  }
  return found.end
}
