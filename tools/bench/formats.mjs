/**
 * Two formats of models in the field, written apart from the library: what `@ai-sdk-tool/parser` reads, and what the
 * library reads from another's hand. `parts` are those of an assistant's turn.
 */

/** Hermes and Qwen 2.5: one JSON object a call. */
export function writeHermes(parts) {
  return writeTurn(parts, ({ name, arguments: json }) => {
    const call = `{"name": ${JSON.stringify(name)}, "arguments": ${json}}`
    return `<tool_call>\n${call}\n</tool_call>`
  })
}

/** Qwen3-Coder: an element for each argument, strings as they are. */
export function writeQwen3Coder(parts) {
  return writeTurn(parts, ({ name, arguments: json }) => {
    const parameters = Object.entries(JSON.parse(json)).map(([key, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      return `<parameter=${key}>\n${text}\n</parameter>`
    })
    return ['<tool_call>', `<function=${name}>`, ...parameters, '</function>', '</tool_call>'].join('\n')
  })
}

function writeTurn(parts, writeCall) {
  return parts.map((part) => (part.type === 'call' ? writeCall(part) : part.text)).join('\n')
}
