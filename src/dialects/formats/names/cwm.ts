import { call, choice, jsonArguments, type Pattern, pattern, sequence, token, value } from '../../../grammar/index.ts'
import type { Block } from '../../format/format.ts'

const name: Pattern = pattern.capture('name', '\\w.:-', 128)
const end: Pattern = pattern.sequence(pattern.tolerated(pattern.choice('\n', ' ')), '</tool>')
const open: Pattern = pattern.sequence('<tool:', pattern.chars(' \\t', 0, 4, ' '))

/**
 * The calls of Meta's Code World Model, `<tool: bash>`, with the raw command between the tags: a tool has one argument
 * there. Other models put the tool's name before the command, and leave out the tag's bracket. Source: vLLM's cwm tool
 * parser. No dialect writes it, because it has no place for a second argument.
 */
export const cwm: Block = {
  tree: call(
    choice(
      token(open, 'function', pattern.chars(' \\t', 0, 4), '>', pattern.space('\n'), name, pattern.chars('\\s', 1, 4)),
      token(open, name, pattern.chars(' \\t', 0, 4), '>', pattern.space('\n')),
      token(open, name, ' '),
    ),
    choice(
      token(pattern.space(), '</tool>'),
      sequence(
        token(pattern.ahead(pattern.sequence('{', pattern.space(), pattern.choice('"', '}')))),
        jsonArguments({}, { isWrapped: true }),
        token(pattern.space(), '</tool>'),
      ),
      value(end, { unnamed: 'command', keepsQuotes: true, endsAlone: true }),
    ),
  ),
  place: 'anywhere',
}
