import fc from 'fast-check'
import type { DialectDefinition } from '../../../src/dialects/index.ts'
import {
  type Call,
  call,
  close,
  closeTag,
  type Expression,
  jsonArguments,
  jsonCall,
  jsonCalls,
  openTag,
  type Pattern,
  pattern,
  repeat,
  sequence,
  tolerated,
  value,
} from '../../../src/grammar/index.ts'

/** The two ends of something. */
interface Ends {
  open: string
  close: string
}

const word = fc.constantFrom('do', 'call', 'tool_call', 'in', 'arg', 'fn', 'value', 'x', 'parameter')

/** Markers as vendors write them around a word, which need not be like those of any model. */
const ends: fc.Arbitrary<Ends> = fc
  .tuple(
    word,
    fc.constantFrom<[string, string, string, string]>(
      ['<', '>', '</', '>'],
      ['<|', '|>', '<|/', '|>'],
      ['<|', '|>', '<|end_', '|>'],
      ['[', ']', '[/', ']'],
      ['<\uff5c', '\uff5c>', '<\uff5c/', '\uff5c>'],
      ['\u226a', '\u226b', '\u226a/', '\u226b'],
      ['@@', ':', '@@end ', ';'],
      ['{{', '}}', '{{/', '}}'],
      ['<ns:', '>', '</ns:', '>'],
    ),
  )
  .map(([name, [a, b, c, d]]) => ({ open: a + name + b, close: c + name + d }))

/** The characters of a name, and how it ends. */
const nameSet = fc.constantFrom('\\w.-', '^\\s<>', '^\\s', '\\w', '^<>|\\n')

/** White space, with what is written. */
const gap: fc.Arbitrary<Pattern | ''> = fc.oneof(
  fc.constant('' as const),
  fc.constantFrom('', ' ', '\n').map((as) => pattern.space(as)),
  fc
    .constantFrom(' ', '\\s', ' \\t', '\\n')
    .chain((set) => fc.nat({ max: 64 }).map((max) => pattern.chars(set, 0, max, ''))),
)

/** Text that a model may write or leave out. */
const slack: fc.Arbitrary<Pattern | ''> = fc.oneof(
  gap,
  fc.constantFrom(';', ',', '\n', ' ', '>', ':', 'json\n').map((text) => pattern.tolerated(text)),
  fc
    .tuple(fc.constantFrom(';', ':', '='), gap)
    .map(([mark, space]) => pattern.tolerated(pattern.sequence(mark, space))),
)

/** The arguments of a call, each in one of the ways that the combinators have. */
const args: fc.Arbitrary<Expression> = fc.oneof(
  fc.constant(jsonArguments()),
  fc
    .record({
      around: ends,
      set: nameSet,
      before: slack,
      behind: slack,
      how: fc.constantFrom('equals', 'element', 'tag', 'pair'),
      encoding: fc.constantFrom('text', 'json', 'markup', 'any'),
    })
    .map(({ around, set, before, behind, how, encoding }) => {
      const key = pattern.capture('key', set)
      const options = encoding === 'any' ? {} : { encoding: encoding as 'text' | 'json' | 'markup' }
      if (how === 'tag') {
        return repeat(
          sequence(
            before,
            openTag('arg', { attributes: { key: ['name', 'key'] }, needs: ['key'] }),
            behind,
            value(closeTag('arg'), options),
          ),
        )
      }
      if (how === 'element') {
        const closing = pattern.sequence('</', pattern.captured('key'), '>')
        return repeat(sequence(before, pattern.sequence('<', key, '>'), behind, value(closing, options)))
      }
      const head =
        how === 'pair'
          ? pattern.sequence(around.open, before, key, behind, around.close, before, '<v>')
          : pattern.sequence(before, around.open, key, behind, '=')
      return repeat(sequence(head, value(how === 'pair' ? '</v>' : around.close, options)))
    }),
)

const form: fc.Arbitrary<Call | Expression> = fc.oneof(
  fc
    .record({ outer: ends, set: nameSet, separator: ends, before: slack, after: slack, behind: slack, args })
    .map(({ outer, set, separator, before, after, behind, args: all }) =>
      call(
        pattern.sequence(outer.open, before, pattern.capture('name', set), after, separator.open, behind),
        all,
        tolerated(pattern.space()),
        close(outer.close),
      ),
    ),
  fc
    .record({ outer: ends, before: slack, behind: slack, isList: fc.boolean() })
    .map(({ outer, before, behind, isList }) =>
      isList
        ? sequence(pattern.sequence(outer.open, before), jsonCalls(), pattern.sequence(behind, outer.close))
        : call(pattern.sequence(outer.open, before), jsonCall(), pattern.sequence(behind), close(outer.close)),
    ),
)

/**
 * Definitions of dialects that no model writes: openers, closers, names, blanks and forms of arguments drawn one by one from what the
 * combinators make. Not all can be told from text: `defineDialect` refuses those.
 */
export const drawnDefinition: fc.Arbitrary<DialectDefinition> = fc
  .record({
    forms: fc.array(form, { minLength: 1, maxLength: 2 }),
    reasoning: fc.option(ends),
    markers: fc.array(ends, { maxLength: 2 }),
  })
  .map(({ forms, reasoning, markers }) => ({
    name: 'drawn',
    calls: forms,
    ...(reasoning && { reasoning }),
    markers: markers.map(({ open }) => open),
  }))
