// @ts-check

const call = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>'
const faulty = '<tool_call>\n{"name": "get_weather", "arguments": {city: \'Oslo\', "days": [1, 2,]}\n</tool_call>'
const markup = '<img src=x onerror="window.executed=true"><script>window.executed=true</script>'
/** Starts a terminal's red, and turns the order of letters round. */
const controls = '\u001b[31mred\u001b[0m and \u202eesrever\u202c'

/** @param {string} text @param {number} size */
function inPieces(text, size) {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  )
}

/** The replies of the model server, by the word in brackets that asks for them. */
export const plays = {
  call: { pieces: inPieces(`<think>The user wants the weather.</think>I'll look that up.\n${call}`, 9), pauseMs: 4 },
  faulty: { pieces: inPieces(`Let me see.\n${faulty}`, 11), pauseMs: 2 },
  broken: { pieces: inPieces('Looking.\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Os', 12) },
  unknown: { pieces: ['<tool_call>\n{"name": "delete_all", "arguments": {}}\n</tool_call>'] },
  native: { pieces: [], call: { name: 'get_weather', arguments: ['{"city"', ': "Os', 'lo"}'] }, pauseMs: 4 },
  corrected: {
    first: inPieces('<tool_call>\n{"name": "get_weather", "arguments": {"town": "Oslo"}}\n</tool_call>', 12),
    pieces: inPieces(call, 12),
    pauseMs: 4,
  },
  said: { pieces: inPieces('It rains in Oslo, at 9 degrees. Take an umbrella.', 6) },
  held: { pieces: ['The first words', ' and the rest of the reply.'] },
  hostile: { pieces: [`${markup}\n${controls}\n`, call] },
  large: { pieces: inPieces('a long line '.repeat(180_000), 65_536) },
}
