/**
 * JSON as models write it: a value written in a style, which is a set of faults.
 *   single       single quotes, as Python prints a string
 *   python       True, False, None
 *   bareKeys     keys without quotes
 *   trailing     a comma after the last member
 *   noCommas     a line break instead of the comma
 *   comments     a comment after the opening brace
 *   rawBreaks    line breaks and tabs in strings as they are
 *   innerQuotes  quotes within strings not escaped, where it is plain that they do not end the string
 *   badEscapes   a backslash that JSON knows no escape for, not doubled
 *   smart        curly quotes around strings and keys
 *   doubled      each brace twice, as templates teach it
 *   quotedNumbers  numbers as strings
 * `used` is set to true when the style made a difference.
 */
export function dump(value, style, used = {}) {
  return write(value, style, used)
}

function write(value, style, used) {
  if (typeof value === 'string') return writeString(value, style, used)
  if (Array.isArray(value)) {
    return `[${join(
      value.map((item) => write(item, style, used)),
      style,
      used,
    )}]`
  }
  if (typeof value === 'object' && value !== null) return writeObject(value, style, used)
  if (typeof value === 'number' && style.quotedNumbers) {
    used.used = true
    return `"${value}"`
  }
  if (typeof value !== 'number' && style.python) {
    used.used = true
    return value === null ? 'None' : value ? 'True' : 'False'
  }
  return JSON.stringify(value)
}

function writeObject(value, style, used) {
  const members = Object.entries(value).map(([key, member]) => {
    if (style.bareKeys) used.used = true
    const name = style.bareKeys ? key : writeString(key, { single: style.single, smart: style.smart }, used)
    return `${name}: ${write(member, style, used)}`
  })
  const brace = style.doubled ? 2 : 1
  if (style.doubled) used.used = true
  const comment = style.comments && members.length > 0
  if (comment) used.used = true
  return `${'{'.repeat(brace)}${comment ? ' // as asked\n' : ''}${join(members, style, used)}${'}'.repeat(brace)}`
}

function join(items, style, used) {
  if (style.noCommas && items.length > 1) {
    used.used = true
    return items.join('\n')
  }
  if (style.trailing && items.length > 0) {
    used.used = true
    return `${items.join(', ')},`
  }
  return items.join(', ')
}

function writeString(text, style, used) {
  if (style.single) {
    used.used = true
    const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
    const plain = escaped(text).replaceAll('\\"', '"')
    return quote + plain.replaceAll(quote, `\\${quote}`) + quote
  }
  if (style.smart) {
    used.used = true
    return `“${escaped(text)}”`
  }
  const plain = escaped(text)
  let written = plain
  if (style.rawBreaks)
    written = written.replace(/(?<!\\)((?:\\\\)*)\\n/g, '$1\n').replace(/(?<!\\)((?:\\\\)*)\\t/g, '$1\t')
  if (style.innerQuotes && hasPlainInnerQuotes(text)) written = written.replaceAll('\\"', '"')
  if (style.badEscapes && !/\\["\\/bfnrtu]|\\$/.test(text)) written = written.replaceAll('\\\\', '\\')
  if (written !== plain) used.used = true
  return `"${written}"`
}

function escaped(text) {
  return JSON.stringify(text).slice(1, -1)
}

/** True if each quote is within the string, and the text after it does not look like the end of a string. */
function hasPlainInnerQuotes(text) {
  const nextChars = [...text.matchAll(/"\s*(.?)/gs)].map(([, next]) => next)
  return nextChars.length > 0 && nextChars.every((next) => /[^\s,:}\]"]/.test(next)) && !text.startsWith('"')
}
