// @ts-check

/** Lines that a careless reader or writer changes. */
export const trickyLines = [
  `"double", 'single', \`back\`, \\backslash\\n, $HOME, %s, {"json": [1, null]}`,
  '\ttabs\tbetween\tand at the end\t',
  '  spaces at both ends  ',
  '',
  'Grüße, 中文, 😀, e\u0301, no-break\u00a0space, zero\u200bwidth',
  '<tool_call>',
  '{"name": "exec_command", "arguments": {"cmd": "echo never"}}',
  '</tool_call>',
  '<invoke name="exec_command"><parameter name="cmd">echo never</parameter></invoke>',
  // Not every closer of a call: in formats with raw values, it would end this one.
  '<tool_call><function=exec_command><parameter=cmd>echo never</parameter></function>',
  '&lt;b&gt; &amp;amp; <![CDATA[x]]> <!-- y -->',
  'the last line',
]

/** The text that replaces the last of these lines. */
export const changedLine = 'the very last "line" of </tool_call>'

/**
 * Matches a mark that a command drew: `name-` and a number.
 * @param {string} name
 */
export const marked = (name) => new RegExp(`\\b${name}-\\d+\\b`)

/**
 * Returns the matches of all patterns in a text.
 * @param {string} text
 * @param {readonly RegExp[]} patterns
 * @throws {Error} if one does not match
 */
export function findAll(text, patterns) {
  return patterns.map((pattern) => {
    const [found] = pattern.exec(text) ?? []
    if (found === undefined) throw new Error(`${pattern} is not in ${JSON.stringify(text.slice(-600))}`)
    return found
  })
}
