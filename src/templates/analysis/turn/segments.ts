/**
 * The literal parts of a template's output, cut between markers, so that two outputs are compared marker by marker:
 * `<|sep|>` at the end of one is not the end of another. No model's markers are predefined: a marker is text in angle
 * brackets, or a few words in square brackets.
 */

/** White space; a whole tag or bracketed word; a tag that a value cuts off; a word; any other character. */
const atom = /\s+|<[^<>\n]{1,80}>|\[\/?[A-Za-z_ ]{1,40}\]|<[^<>\n]*$|[\p{L}\p{N}_\u2581]+|[\s\S]/gu
const whole = /^(?:<[^<>\n]+>|\[\/?[A-Za-z_ ]+\])$/u
const cutOff = /^<[^<>\n]*$/u
const lineBreak = /^[^\S\n]*\n\s*$/
/** A word after a token belongs to it, as does an opening bracket. */
const goesOn = /^[\p{L}\p{N}_[]/u
/** The end of a tag that holds a value: `">`. */
const tagEnd = /^[^<>\n]{0,60}>(?!>)/

/** True for a text that only markup has, for which a tokenizer may have a token. */
export function isMarker(text: string): boolean {
  return whole.test(text)
}

/** True if a part of a text is a marker. */
export function holdsMarker(text: string): boolean {
  return (text.match(atom) ?? []).some(isMarker)
}

/**
 * Cuts a literal into markers and the text between them: `<|open|>tools<|sep|>`, a line break, `<parameter=`. A word
 * after a token belongs to it, with the token that ends it.
 */
export function segmentsOf(literal: string): string[] {
  const lead = tagEnd.exec(literal)?.[0] ?? ''
  const segments: string[] = lead === '' ? [] : [lead]
  let current = ''
  const end = () => {
    if (current !== '') segments.push(current)
    current = ''
  }
  const atoms = literal.slice(lead.length).match(atom) ?? []
  for (const [index, part] of atoms.entries()) {
    if (lineBreak.test(part)) {
      end()
      segments.push(part)
    } else if (isMarker(part)) {
      current += part
      const next = atoms[index + 1] ?? ''
      if (isMarker(next) || !goesOn.test(next)) end()
    } else {
      if (cutOff.test(part)) end()
      current += part
    }
  }
  end()
  return segments
}

/** The segments that two literals begin with. */
export function sharedStart(one: string, other: string): string {
  const [left, right] = [segmentsOf(one), segmentsOf(other)]
  let length = 0
  while (length < left.length && left[length] === right[length]) length++
  return left.slice(0, length).join('')
}

/** The segments that two literals end with. */
export function sharedEnd(one: string, other: string): string {
  const [left, right] = [segmentsOf(one), segmentsOf(other)]
  let length = 0
  while (length < left.length && length < right.length && left.at(-1 - length) === right.at(-1 - length)) length++
  return length === 0 ? '' : left.slice(-length).join('')
}
