import { type BrokenKey, readBrokenKey } from './broken-keys.ts'
import { listedObjectEnd } from './listed-objects.ts'
import { isCloser, type JsonState } from './state.ts'
import { type BareKey, bareKeyAt, readBareKey, readSpacedKey } from './strings/bare-keys.ts'
import { maxToken, spaceEnd } from './strings/lexical.ts'
import { isQuote, stringOpener } from './strings/string-kinds.ts'

// These functions read the text between the values of an object or an array: keys, colons, commas and closing brackets.
// Each returns the place after the text that it read, or -1 if it needs more text or stopped.

export function readKey(state: JsonState, text: string, char: string, place: number, final: boolean): number {
  const { isPython, style } = state
  if (isCloser(char, isPython)) return readCloser(state, text, char, place, final)
  if (char === ',') {
    state.repaired('trailing-comma', place)
    return place + 1
  }
  if (char === '"' && !isPython) {
    const broken = readBrokenKey(text, place, final)
    if (broken === 'more') return -1
    if (broken) return gotBrokenKey(state, broken, place)
  }
  const opener = stringOpener(text, place, final, style)
  if (opener === 'more') return -1
  if (opener) return state.beginString(opener, true, place)
  if (char === '{') return readBraceForKey(state, place)
  const found = readUnquotedKey(state, text, place, final)
  if (found === 'more') return -1
  if (found === 'stop') return state.stop()
  if (found.hasQuote) state.repaired('missing-quote', place)
  // In a format with keys without quotes, such a key is no deviation.
  else if (!style.delimiters && !(found.isNumber && isPython)) state.repaired('bare-key', place)
  state.gotKey(found.key)
  return found.end
}

/** In a format with delimiters, a key is written without quotes whatever it is. */
function readUnquotedKey({ style }: JsonState, text: string, place: number, final: boolean): BareKey | 'more' | 'stop' {
  const found = readBareKey(text, place, final)
  if (!style.delimiters || found === 'more' || (found !== 'stop' && (found.hasQuote || text[found.end] === ':')))
    return found
  const spaced = readSpacedKey(text, place, final)
  return spaced === 'stop' ? found : spaced
}

function gotBrokenKey(state: JsonState, { key, repair, end }: BrokenKey, place: number): number {
  state.repaired(repair, place)
  state.gotKey(key)
  if (repair === 'missing-colon') state.expect = 'value'
  return end
}

/** Reads a brace in the place of a key: one of a doubled pair, or the next object of a list without brackets. */
function readBraceForKey(state: JsonState, place: number): number {
  const frame = state.open.top
  if (frame?.isEmpty && frame.isFresh && !frame.isDoubled) {
    state.repaired('doubled-brace', place)
    frame.isDoubled = true
    return place + 1
  }
  if (!frame?.afterComma || !frame.endsInContainer || !state.open.sink.extendMember?.()) return state.stop()
  state.repaired('missing-array', place)
  state.expect = 'value'
  return place
}

/** A colon, or its equivalent in other languages: `=` and `=>`. */
export function readColon(state: JsonState, text: string, char: string, place: number, final: boolean): number {
  if (char !== ':' && char !== '=') return state.stop()
  if (char === '=' && place + 1 === text.length && !final) return -1
  if (char === '=') state.repaired('missing-colon', place)
  state.expect = 'value'
  return place + (text.startsWith('=>', place) ? 2 : 1)
}

export function readSeparator(state: JsonState, text: string, char: string, place: number, final: boolean): number {
  const { open, isPython } = state
  const frame = open.top
  if (!frame) return state.stop()
  if (char === ',') {
    if (frame.isOdd) return state.stop()
    open.gotComma(frame)
    state.expect = frame.isArray ? 'value' : 'key'
    return place + 1
  }
  if (char === '"' && state.quotedDepth === open.depth) {
    state.quotedDepth = 0
    return place + 1
  }
  if (isCloser(char, isPython)) return readCloser(state, text, char, place, final)
  // A member without a comma before it. Its beginning must be unmistakable: prose after an object must not join the
  // object.
  const dangling = danglingEnd(state, text, place, final)
  if (dangling === 'more') return -1
  if (dangling !== undefined) {
    state.repaired('surplus-quote', place)
    return dangling
  }
  const isMember = frame.isArray ? char === '{' || char === '[' || char === '"' : isQuote(char)
  const isOther = isMember ? false : delimitedMemberAt(state, text, place, final)
  if (isOther === 'more') return -1
  if ((!isMember && !isOther) || frame.isOdd || frame.held) return state.stop()
  state.repaired('missing-comma', place)
  frame.afterComma = true
  state.expect = frame.isArray ? 'value' : 'key'
  return place
}

/** Returns true if a member begins here, in formats with delimiters in place of quotes and with bare keys. */
function delimitedMemberAt({ style, open }: JsonState, text: string, place: number, final: boolean): boolean | 'more' {
  if (!style.delimiters) return false
  const opener = stringOpener(text, place, final, style)
  if (opener) return opener === 'more' ? 'more' : true
  return open.top?.isArray === false && bareKeyAt(text, place, final)
}

/**
 * The end of a delimiter that comes after a string in ordinary quotes, as Gemma 4 writes it at times: the text after it shows that
 * it opens no string.
 */
function danglingEnd({ style }: JsonState, text: string, place: number, final: boolean): number | 'more' | undefined {
  const opener = style.delimiters ? stringOpener(text, place, final, style) : undefined
  if (opener === 'more' || !opener?.delimiter) return opener === 'more' ? 'more' : undefined
  const after = spaceEnd(text, opener.end, maxToken)
  if (after === text.length) return final || after - opener.end >= maxToken ? undefined : 'more'
  return /[,}\]]/.test(text.charAt(after)) ? opener.end : undefined
}

function readCloser(state: JsonState, text: string, char: string, place: number, final: boolean): number {
  const { open } = state
  if (char !== '}' || open.depth !== state.listedDepth || open.top?.isDoubled) return state.closeBracket(char, place)
  // The object is not closed before it is known to be the only one: of several, none can be preferred.
  const end = listedObjectEnd(text, place, final)
  if (end === 'more') return -1
  if (end === undefined) return state.stop()
  state.listedDepth = 0
  state.closeBracket(char, place)
  return end
}
