import {
  ahead,
  call,
  capture,
  chars,
  choice,
  jsonArguments,
  maybe,
  oneOf,
  type Pattern,
  seq,
  sequence,
  space,
  token,
  value,
} from '../../../grammar/index.ts'
import type { Block } from '../../format/format.ts'

const name: Pattern = capture('name', '\\w.:-', 128)
const end: Pattern = sequence(maybe(oneOf('\n', ' ')), '</tool>')
const open: Pattern = sequence('<tool:', chars(' \\t', 0, 4, ' '))

/**
 * The calls of Meta's Code World Model, `<tool: bash>`, with the command as it stands between the tags: a tool has one
 * argument there. Others put the tool's name before the command, and leave out the tag's bracket. Source: vLLM's cwm tool
 * parser. No dialect writes it, as it has no place for a second argument.
 */
export const cwm: Block = {
  tree: call(
    choice(
      token(open, 'function', chars(' \\t', 0, 4), '>', space('\n'), name, chars('\\s', 1, 4)),
      token(open, name, chars(' \\t', 0, 4), '>', space('\n')),
      token(open, name, ' '),
    ),
    choice(
      seq(
        token(ahead(sequence('{', space(), oneOf('"', '}')))),
        jsonArguments({}, { isWrapped: true }),
        token(space(), '</tool>'),
      ),
      value(end, { unnamed: 'command' }),
    ),
  ),
  place: 'anywhere',
}
