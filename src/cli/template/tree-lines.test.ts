import { expect, test } from 'vitest'
import {
  call,
  choice,
  close,
  closeTag,
  jsonArguments,
  jsonCall,
  jsonCalls,
  oneOrMore,
  openTag,
  optional,
  pattern,
  repeat,
  sequence,
  textArguments,
  token,
  tolerated,
  value,
} from '../../grammar/index.ts'
import { treeLines } from './tree-lines.ts'

test.each([
  [token('<', pattern.capture('name', '^<'), '>'), ['"<" NAME ">"']],
  [token(pattern.chars('a-z', 1, 9), pattern.space(), pattern.tolerated('x')), ['[a-z]{1,9} space ("x")?']],
  [token('</', pattern.captured('name'), pattern.choice('>', ']')), ['"</" NAME again (">" | "]")']],
  [token('\n', pattern.ahead('{'), pattern.notAhead('{{')), ['"\\n" before("{") not before("{{")']],
  [openTag(['a', 'b'], { attributes: { name: ['name', 'fn'] }, written: 'x:' }), ['tag <x:a|b name|fn=NAME>']],
  [closeTag('a'), ['tag </a>']],
  [sequence('a', choice('b', 'c')), ['"a"', 'one of', '  "b"', '  "c"']],
  [sequence(optional('a'), tolerated('b')), ['optional', '  "a"', 'also read', '  "b"']],
  [sequence(repeat('a', ','), oneOrMore('b')), ['any number of, between two ","', '  "a"', 'one or more of', '  "b"']],
  [call('f', jsonArguments(), close(')')), ['call', '  "f"', '  JSON: arguments', '  end', '    ")"']],
  [jsonCall(), ['JSON: call, name "name", arguments "arguments"']],
  [
    jsonCalls({ name: 'n', arguments: 'a', id: 'i', inside: 'f', isEncoded: true }, { isBare: true }),
    ['JSON: bare calls, inside "f", name "n", arguments "a" as a string, id "i"'],
  ],
  [jsonCalls({ name: undefined, arguments: 'a' }), ['JSON: calls, name as the key of the arguments, arguments "a"']],
  [value('</v>'), ['value as text, up to', '  "</v>"']],
  [textArguments('</v>'), ['arguments, up to', '  "</v>"']],
])('%j is shown line by line', (tree, lines) => {
  expect(treeLines(tree)).toEqual(lines)
})
